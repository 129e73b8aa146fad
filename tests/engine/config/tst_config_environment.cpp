#include "engine/config/environment.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::config;

namespace {

using Variables = std::map<std::string, std::string>;

Result<EnvironmentOptions> read(Variables const &variables, DiagnosticSink *sink = nullptr)
{
    return readEnvironment(
        [&](char const *name) {
            auto const found = variables.find(name);
            return found == variables.end() ? nullptr : found->second.c_str();
        },
        sink);
}

} // namespace

class TstConfigEnvironment : public QObject {
    Q_OBJECT
private slots:
    void anEmptyEnvironmentChangesNothing()
    {
        DiagnosticSink sink;
        QVERIFY(*read({}, &sink) == EnvironmentOptions());
        QVERIFY(*read({{"TF_POPLAR_FLAGS", ""}, {"POPLAR_ENGINE_OPTIONS", ""}}, &sink) == EnvironmentOptions());
        QVERIFY(readEnvironment({}, nullptr).ok());
        QVERIFY(sink.all().empty());
    }
    void readsEveryVariable()
    {
        auto const options = read({{"TF_POPLAR_FLAGS", "--use_ipu_model"},
                                   {"POPLAR_ENGINE_OPTIONS", R"({"autoReport.all":"true", "autoReport.directory":"./r"})"},
                                   {"POPLAR_TARGET_OPTIONS", R"({"ipuLinkTopology":"line"})"},
                                   {"POPLAR_RUNTIME_OPTIONS", R"({"target.hostSyncTimeout":"3000"})"},
                                   {"POPLAR_LOG_LEVEL", "DEBUG"}});
        QVERIFY(options.ok());
        QVERIFY(options->flags.boolean("use_ipu_model"));
        QVERIFY(options->engine.boolean("autoReport.all"));
        QCOMPARE(options->engine.text("autoReport.directory"), std::string("./r"));
        QCOMPARE(options->target.text("ipuLinkTopology"), std::string("line"));
        QCOMPARE(options->runtime.integer("target.hostSyncTimeout"), std::int64_t(3000));
        QVERIFY(options->logs.level(LogComponent::Runtime) == LogLevel::Debug);
    }
    void engineValuesMayBeTextOrTyped()
    {
        auto const options = EngineOptions::parse(OptionCategory::Engine, R"({"debug.instrument": true, "debug.allowOutOfMemory": "false",
            "autoReport.executionProfileProgramRunCount": 5, "target.deterministicWorkers": true,
            "streamCallbacks.numWorkerThreads": "auto", "streamCallbacks.maxLookahead": 4})");
        QVERIFY(options.ok());
        QVERIFY(options->boolean("debug.instrument"));
        QVERIFY(!options->boolean("debug.allowOutOfMemory"));
        QCOMPARE(options->integer("autoReport.executionProfileProgramRunCount"), std::int64_t(5));
        QCOMPARE(options->text("target.deterministicWorkers"), std::string("true"));
        QCOMPARE(options->text("streamCallbacks.numWorkerThreads"), std::string("auto"));
        QCOMPARE(options->text("streamCallbacks.maxLookahead"), std::string("4"));
        QVERIFY(*EngineOptions::fromJson(OptionCategory::Engine, options->toJson()) == *options);
    }
    void refusesUntypedText_data()
    {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("text");
        QTest::newRow("no JSON") << "POPLAR_ENGINE_OPTIONS"
                                 << "debug.instrument=true";
        QTest::newRow("a list") << "POPLAR_ENGINE_OPTIONS"
                                << "[1]";
        QTest::newRow("wrong bool") << "POPLAR_ENGINE_OPTIONS"
                                    << R"({"debug.instrument":"yes"})";
        QTest::newRow("wrong type") << "POPLAR_ENGINE_OPTIONS"
                                    << R"({"debug.instrument":1})";
        QTest::newRow("wrong word") << "POPLAR_ENGINE_OPTIONS"
                                    << R"({"debug.computeInstrumentationLevel":"tiles"})";
        QTest::newRow("nested") << "POPLAR_ENGINE_OPTIONS"
                                << R"({"something.else":{}})";
        QTest::newRow("unknown key") << "POPLAR_ENGINE_OPTIONS"
                                     << R"({"autoReport.al":"true"})";
        QTest::newRow("unknown runtime key") << "POPLAR_RUNTIME_OPTIONS"
                                             << R"({"target.hostSyncTime":"4"})";
        QTest::newRow("wrong lookahead") << "POPLAR_ENGINE_OPTIONS"
                                         << R"({"streamCallbacks.maxLookahead":"some"})";
        QTest::newRow("wrong topology") << "POPLAR_TARGET_OPTIONS"
                                        << R"({"ipuLinkTopology":"star"})";
        QTest::newRow("wrong timeout") << "POPLAR_RUNTIME_OPTIONS"
                                       << R"({"target.hostSyncTimeout":"0"})";
        QTest::newRow("flags") << "TF_POPLAR_FLAGS"
                               << "--nothing";
        QTest::newRow("log level") << "POPLAR_LOG_LEVEL"
                                   << "LOUD";
    }
    void refusesUntypedText()
    {
        QFETCH(QString, variable);
        QFETCH(QString, text);
        auto const options = read({{variable.toStdString(), text.toStdString()}});
        QVERIFY(!options.ok());
        QVERIFY(options.error().kind == ErrorKind::Invalid);
        QVERIFY2(options.error().subject.starts_with(variable.toStdString()), options.error().subject.c_str());
        QVERIFY(!options.error().remedy.empty());
    }
    void unknownEngineKeysAreRefusedWithTheNearest()
    {
        auto const options = read({{"POPLAR_ENGINE_OPTIONS", R"({"autoReport.al":"true"})"}});
        QVERIFY(!options.ok());
        QCOMPARE(options.error().code, std::string("config.unknown-option"));
        QCOMPARE(options.error().subject, std::string("POPLAR_ENGINE_OPTIONS autoReport.al"));
        QVERIFY(options.error().remedy.find("autoReport.all") != std::string::npos);
        IpuConfig config;
        auto const status = config.setFromText("compilation_poplar_options.autoReport.al", "true");
        QCOMPARE(status.error().code, std::string("config.unknown-option"));
        QCOMPARE(status.error().subject, std::string("ipu_config.compilation_poplar_options.autoReport.al"));
        QVERIFY(!config.set("compilation_poplar_options", OptionDict{{"zzzz", "3"}}).ok());
        QVERIFY(config == IpuConfig());
        // A file of other origin opens all the same; only a compile refuses it.
        QVERIFY(config.fromJsonText(R"({"compilation_poplar_options": {"autoReport.al": "true"}})", nullptr).ok());
        auto const effective = effectiveEngineOptions(config, {});
        QVERIFY(!effective.ok());
        QCOMPARE(effective.error().subject, std::string("ipu_config.compilation_poplar_options.autoReport.al"));
    }
    void unreadVariablesWarn()
    {
        DiagnosticSink sink;
        QVERIFY(read({{"PVTI_OPTIONS", "{}"}}, &sink).ok());
        QCOMPARE(sink.all().size(), std::size_t(1));
        QCOMPARE(sink.all()[0].subject, std::string("PVTI_OPTIONS"));
    }
    void dumpsOfXlaFlagsAreRead()
    {
        DiagnosticSink sink;
        auto const text = XlaFlags::parse("--xla_dump_to=/d --xla_dump_hlo_pass_re=sched.*", &sink);
        QVERIFY(text.ok() && sink.all().empty());
        QVERIFY((*text == XlaFlags{"/d", false, true, "sched.*"}));
        auto const dot = XlaFlags::parse(" --xla_dump_hlo_as_dot  --xla_dump_to=x --xla_cpu_fast", &sink);
        QVERIFY((*dot == XlaFlags{"x", true, false, ""}));
        QCOMPARE(sink.all().size(), std::size_t(1));
        QCOMPARE(sink.all()[0].subject, std::string("XLA_FLAGS --xla_cpu_fast"));
        QCOMPARE(XlaFlags::parse("--xla_dump_hlo_pass_re=(").error().code, std::string("config.bad-pattern"));
        QVERIFY((read({{"XLA_FLAGS", "--xla_dump_to=/d"}}, nullptr)->xla == XlaFlags{"/d", false, true, ""}));
    }
    void theEnvironmentWinsOptionByOption()
    {
        EnvironmentOptions project;
        QVERIFY(project.flags.setFromText("ipu_model_tiles", "4").ok());
        QVERIFY(project.flags.setFromText("use_ipu_model", "true").ok());
        QVERIFY(project.engine.setFromText("debug.instrument", "true").ok());
        QVERIFY(project.logs.setFromText("compiler=INFO,cache=INFO").ok());
        auto const environment = *read({{"TF_POPLAR_FLAGS", "--ipu_model_tiles=8"},
                                        {"POPLAR_ENGINE_OPTIONS", R"({"debug.instrument":"false"})"},
                                        {"TF_CPP_VMODULE", "cache=3"}});
        auto const both = environmentOverProject(project, environment);
        QVERIFY(both.ok());
        QVERIFY(both->flags.boolean("use_ipu_model"));
        QCOMPARE(both->flags.integer("ipu_model_tiles"), std::int64_t(8));
        QVERIFY(!both->engine.boolean("debug.instrument"));
        QVERIFY(both->logs.level(LogComponent::Compiler) == LogLevel::Info);
        QVERIFY(both->logs.level(LogComponent::Cache) == LogLevel::Trace);
    }
    void environmentAndProjectCanConflict()
    {
        EnvironmentOptions project, environment;
        QVERIFY(project.flags.set("use_synthetic_data", true).ok());
        QVERIFY(project.flags.set("synthetic_data_initializer", std::string("normal")).ok());
        QVERIFY(environmentOverProject(project, environment).ok());
        QVERIFY(environment.flags.set("use_synthetic_data", false).ok());
        QVERIFY(!environmentOverProject(project, environment).ok());
    }
    void theVariableWinsOverCompilationOptions()
    {
        IpuConfig config;
        QVERIFY(config.setFromText("compilation_poplar_options", R"({"debug.instrument":"true","autoReport.all":"true"})").ok());
        auto const options = *read({{"POPLAR_ENGINE_OPTIONS", R"({"debug.instrument":"false"})"}});
        auto const engine = effectiveEngineOptions(config, options);
        QVERIFY(engine.ok());
        QVERIFY(!engine->boolean("debug.instrument"));
        QVERIFY(engine->boolean("autoReport.all"));
    }
    void theHashTextHoldsExactlyWhatMakesAnotherExecutable()
    {
        IpuConfig const config;
        EnvironmentOptions const none;
        auto const base = hashText(config, none);
        QCOMPARE(base, hashText(config, none));
        for (auto const &option : poplarFlags()) {
            if (option.type != OptionType::Bool) continue;
            EnvironmentOptions options;
            QVERIFY(options.flags.set(option.path, true).ok());
            QCOMPARE(hashText(config, options) != base, option.inExecutableHash);
        }
        for (auto const &option : engineOptions()) {
            if (option.type != OptionType::Bool) continue;
            EnvironmentOptions options;
            QVERIFY(options.engine.set(option.path, !std::get<bool>(option.defaultValue)).ok());
            QCOMPARE(hashText(config, options) != base, option.inExecutableHash);
        }
        for (auto const &option : ipuConfigOptions()) {
            if (option.type != OptionType::Bool) continue;
            IpuConfig changed;
            QVERIFY(changed.set(option.path, !std::get<bool>(option.defaultValue)).ok());
            QCOMPARE(hashText(changed, none) != base, option.inExecutableHash);
        }
        EnvironmentOptions runtime;
        QVERIFY(runtime.runtime.setFromText("target.hostSyncTimeout", "10").ok());
        QVERIFY(runtime.logs.setFromText("all=TRACE").ok());
        QCOMPARE(hashText(config, runtime), base);
        EnvironmentOptions topology;
        QVERIFY(topology.target.setFromText("ipuLinkTopology", "line").ok());
        QVERIFY(hashText(config, topology) != base);
    }
    void aSettingEqualToTheDefaultDoesNotChangeTheHashText()
    {
        EnvironmentOptions options;
        QVERIFY(options.flags.set("use_ipu_model", false).ok());
        QVERIFY(options.engine.setFromText("debug.allowOutOfMemory", "true").ok());
        QCOMPARE(hashText(IpuConfig(), options), hashText(IpuConfig(), EnvironmentOptions()));
    }
    void compilingBeforehandMeetsTheAttachedRunInTheCache()
    {
        IpuConfig config;
        QVERIFY(config.setFromText("device_connection.type", "PRE_COMPILE").ok());
        QVERIFY(config.setFromText("device_connection.version", "ipu2").ok());
        QCOMPARE(hashText(config, {}), hashText(IpuConfig(), {}));
    }
    void externalTextCannotImitateAnotherLine()
    {
        EnvironmentOptions one, two;
        QVERIFY(!two.engine.setFromText("profiler.format", "b\"\nengine profiler.blocks.filter=\"d").ok());
        QVERIFY(one.engine.setFromText("profiler.format", "b").ok());
        QVERIFY(two.engine.setFromText("profiler.format", "\"b\"").ok());
        QVERIFY(hashText(IpuConfig(), one) != hashText(IpuConfig(), two));
    }
};

TW_REGISTER_TEST(TstConfigEnvironment);
#include "tst_config_environment.moc"
