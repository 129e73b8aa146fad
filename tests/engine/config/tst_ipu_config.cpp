#include "engine/config/ipu_config.h"
#include "engine/config/option_value.h"
#include "engine/core/text.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::config;

namespace {
int countCode(DiagnosticSink const &sink, std::string const &code)
{
    int count = 0;
    for (auto const &diagnostic : sink.all()) count += diagnostic.code == code ? 1 : 0;
    return count;
}
} // namespace

class TstIpuConfig : public QObject {
    Q_OBJECT
private slots:
    void startsWithEveryDefault()
    {
        IpuConfig const config;
        for (auto const &option : ipuConfigOptions()) {
            QVERIFY(*config.get(option.path) == option.defaultValue);
            QVERIFY(config.isDefault(option.path));
        }
        QVERIFY(config.changedPaths().empty());
    }
    void everyOptionTakesItsOwnDefault()
    {
        for (auto const &option : ipuConfigOptions()) {
            IpuConfig config;
            QVERIFY2(config.set(option.path, option.defaultValue).ok(), option.path.c_str());
            QVERIFY2(config.setFromText("ipu_config." + option.path, toText(option.defaultValue)).ok(), option.path.c_str());
            QVERIFY(config == IpuConfig());
        }
    }
    void setsFromTheCommandLinesText()
    {
        IpuConfig config;
        QVERIFY(config.setFromText("ipu_config.optimizations.math.fast", "true").ok());
        QVERIFY(config.setFromText("scheduling.algorithm", "POST_ORDER").ok());
        QVERIFY(config.setFromText("auto_select_ipus", "2").ok());
        QVERIFY(config.boolean("optimizations.math.fast"));
        QCOMPARE(config.text("scheduling.algorithm"), std::string("POST_ORDER"));
        QVERIFY(config.list("auto_select_ipus") == std::vector<std::int64_t>{2});
        QCOMPARE(config.changedText(),
                 std::string("auto_select_ipus = [2]\noptimizations.math.fast = "
                             "true\nscheduling.algorithm = POST_ORDER\n"));
    }
    void aBareIntegerBecomesAListOfOne()
    {
        IpuConfig config, other;
        QVERIFY(config.set("auto_select_ipus", std::int64_t(4)).ok());
        QVERIFY(other.set("auto_select_ipus", std::vector<std::int64_t>{4}).ok());
        QVERIFY(config == other);
    }
    void refusesAndStaysAsItWas_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("code");
        QTest::newRow("unknown") << "optimizations.math.fsat"
                                 << "true"
                                 << "config.unknown-option";
        QTest::newRow("category") << "io_tiles"
                                  << "3"
                                  << "config.is-category";
        QTest::newRow("nested category") << "optimizations.math"
                                         << "true"
                                         << "config.is-category";
        QTest::newRow("root") << "ipu_config"
                              << "true"
                              << "config.is-category";
        QTest::newRow("bool as int") << "allow_recompute"
                                     << "1"
                                     << "config.wrong-type";
        QTest::newRow("int as bool") << "io_tiles.num_io_tiles"
                                     << "true"
                                     << "config.wrong-type";
        QTest::newRow("int as float") << "io_tiles.num_io_tiles"
                                      << "32.0"
                                      << "config.wrong-type";
        QTest::newRow("float as int") << "io_tiles.available_memory_proportion"
                                      << "1"
                                      << "config.wrong-type";
        QTest::newRow("range") << "io_tiles.num_io_tiles"
                               << "193"
                               << "config.out-of-range";
        QTest::newRow("enum") << "selection_order"
                              << "zigzag"
                              << "config.not-allowed";
        QTest::newRow("group size") << "norms.experimental.distributed_batch_norm_replica_group_size"
                                    << "0"
                                    << "config.out-of-range";
        QTest::newRow("version") << "ipu_model.version"
                                 << "ipu3"
                                 << "config.not-allowed";
        QTest::newRow("dict as text") << "matmuls.poplar_options"
                                      << "half"
                                      << "config.wrong-type";
        QTest::newRow("empty path") << ""
                                    << "true"
                                    << "config.unknown-option";
        QTest::newRow("key of what is no dict") << "allow_recompute.x"
                                                << "true"
                                                << "config.unknown-option";
    }
    void refusesAndStaysAsItWas()
    {
        QFETCH(QString, path);
        QFETCH(QString, text);
        QFETCH(QString, code);
        IpuConfig config;
        DiagnosticSink sink;
        auto const status = config.setFromText(path.toStdString(), text.toStdString(), &sink);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, code.toStdString());
        QVERIFY(status.error().kind == ErrorKind::Invalid);
        QVERIFY(status.error().subject.starts_with("ipu_config"));
        QVERIFY(!status.error().remedy.empty());
        QVERIFY(config == IpuConfig());
        QVERIFY(sink.all().empty());
    }
    void theNearestNameIsTheFullName()
    {
        IpuConfig config;
        auto const status = config.setFromText("ipu_config.optimisations.math.fast", "true");
        QVERIFY(!status.ok());
        QVERIFY(status.error().remedy.find("ipu_config.optimizations.math.fast") != std::string::npos);
        QVERIFY(!config.get("optimizations.math.fsat").ok());
    }
    void theDeprecatedOptionWarnsAndNamesItsReplacement()
    {
        IpuConfig config;
        DiagnosticSink sink;
        QVERIFY(config.set("optimizations.enable_fast_math", true, &sink).ok());
        QCOMPARE(countCode(sink, "config.deprecated"), 1);
        QVERIFY(sink.all()[0].remedy.find("optimizations.math.fast") != std::string::npos);
        QVERIFY(config.boolean("optimizations.enable_fast_math"));
    }
    void optionsWithoutEffectWarnWhenSet()
    {
        IpuConfig config;
        for (auto const &option : ipuConfigOptions()) {
            DiagnosticSink sink;
            QVERIFY(config.set(option.path, option.defaultValue, &sink).ok());
            QCOMPARE(countCode(sink, "config.no-effect-yet"), option.effect == Effect::NotYet ? 1 : 0);
        }
        DiagnosticSink sink;
        QVERIFY(config.setFromText("optimizations.math.dot_strength", "false", &sink).ok());
        QCOMPARE(countCode(sink, "config.no-effect-yet"), 1);
        QCOMPARE(config.ignoredSettings().size(), std::size_t(1));
    }
    void dictEntriesAreSetByKey()
    {
        IpuConfig config;
        DiagnosticSink sink;
        QVERIFY(config.setFromText("matmuls.poplar_options.availableMemoryProportion", "0.3", &sink).ok());
        QVERIFY(config.setFromText("ipu_config.matmuls.poplar_options.partialsType", "half", &sink).ok());
        QVERIFY(sink.all().empty());
        QVERIFY(config.setFromText("matmuls.poplar_options.numIPUs", "1", &sink).ok());
        QCOMPARE(sink.all().size(), std::size_t(1)); // known, but nothing reads it yet
        QCOMPARE(sink.all()[0].code, std::string("config.no-effect-yet"));
        QVERIFY(config.reset("matmuls.poplar_options.numIPUs").ok());
        QVERIFY((config.dict("matmuls.poplar_options") == OptionDict{{"availableMemoryProportion", "0.3"}, {"partialsType", "half"}}));
        QVERIFY(*config.get("matmuls.poplar_options.partialsType") == OptionValue(std::string("half")));
        QVERIFY(!config.get("matmuls.poplar_options.nothing").ok());
        QVERIFY(config.reset("matmuls.poplar_options.partialsType").ok());
        QCOMPARE(config.dict("matmuls.poplar_options").size(), std::size_t(1));
        QVERIFY(config.reset("matmuls.poplar_options").ok());
        QVERIFY(config == IpuConfig());
        // Engine options have dots in their own names.
        QVERIFY(config.setFromText("compilation_poplar_options.debug.instrument", "true").ok());
        QCOMPARE(config.dict("compilation_poplar_options").at("debug.instrument"), std::string("true"));
    }
    void dictValuesAreRefused_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("zero") << "availableMemoryProportion"
                              << "0"
                              << "up to 1";
        QTest::newRow("over one") << "availableMemoryProportion"
                                  << "1.01"
                                  << "up to 1";
        QTest::newRow("negative") << "availableMemoryProportion"
                                  << "-0.5"
                                  << "up to 1";
        QTest::newRow("word") << "availableMemoryProportion"
                              << "much"
                              << "up to 1";
        QTest::newRow("nan") << "availableMemoryProportion"
                             << "nan"
                             << "up to 1";
        QTest::newRow("float32") << "partialsType"
                                 << "float32"
                                 << "float";
        QTest::newRow("float16") << "partialsType"
                                 << "float16"
                                 << "half";
        QTest::newRow("other") << "partialsType"
                               << "double"
                               << "half or float";
    }
    void dictValuesAreRefused()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, remedy);
        for (auto const *option : {"convolutions", "matmuls", "slices", "pooling"}) {
            IpuConfig config;
            std::string const path = std::string(option) + ".poplar_options";
            auto const status = config.setFromText(path + "." + key.toStdString(), value.toStdString());
            QVERIFY(!status.ok());
            QVERIFY(status.error().remedy.find(remedy.toStdString()) != std::string::npos);
            QVERIFY(!config.set(path, OptionDict{{key.toStdString(), value.toStdString()}}).ok());
            QVERIFY(config == IpuConfig());
        }
    }
    void oneIsTheLargestShareOfMemory()
    {
        IpuConfig config;
        QVERIFY(config.setFromText("matmuls.poplar_options.availableMemoryProportion", "1").ok());
        QVERIFY(config.setFromText("matmuls.poplar_options", R"({"availableMemoryProportion": 0.0001})").ok());
    }
    void unknownKeysWarnWithTheNearest()
    {
        IpuConfig config;
        DiagnosticSink sink;
        QVERIFY(config.setFromText("matmuls.poplar_options.availableMemoryProportoin", "0.3", &sink).ok());
        QCOMPARE(countCode(sink, "config.unknown-key"), 1);
        QVERIFY(sink.all()[0].remedy.find("availableMemoryProportion") != std::string::npos);
        DiagnosticSink second;
        QVERIFY(config.setFromText("matmuls.poplar_options.enableFastReduce", "true", &second).ok());
        QCOMPARE(countCode(second, "config.no-effect-yet"), 1);
        QCOMPARE(config.ignoredSettings().size(), std::size_t(2));
    }
    void engineOptionsInTheConfigurationAreTyped()
    {
        IpuConfig config;
        auto const status = config.setFromText("compilation_poplar_options", R"({"debug.instrument": "maybe"})");
        QVERIFY(!status.ok());
        QVERIFY(status.error().subject.find("debug.instrument") != std::string::npos);
    }
    void printsOneLinePerOption()
    {
        auto const lines = splitText(IpuConfig().str(), '\n');
        QCOMPARE(lines.size(), ipuConfigOptions().size() + 1);
        QCOMPARE(lines[0], std::string("allow_recompute = false"));
        QCOMPARE(lines[5], std::string("auto_select_ipus = []"));
        QVERIFY(lines.back().empty());
    }
    void thePrintedFormReadsBack()
    {
        IpuConfig config;
        QVERIFY(config.set("auto_select_ipus", std::vector<std::int64_t>{2, 4}).ok());
        QVERIFY(config.set("matmuls.poplar_options", OptionDict{{"partialsType", "half"}, {"x y", "\"quoted\" = 1"}}).ok());
        QVERIFY(config.set("io_tiles.available_memory_proportion", 1.0).ok());
        QVERIFY(config.set("serialization_output_folder", std::string("/a b/c = d")).ok());
        IpuConfig read;
        for (auto const &line : splitText(config.str(), '\n')) {
            auto const equals = line.find(" = ");
            if (equals == std::string::npos) continue;
            QVERIFY2(read.setFromText(line.substr(0, equals), line.substr(equals + 3)).ok(), line.c_str());
        }
        QVERIFY(read == config);
    }
    void metadataContainsTypeAndDefault()
    {
        auto const *option = IpuConfig::metadata("ipu_config.ipu_model.version");
        QVERIFY(option);
        QVERIFY(option->type == OptionType::Text);
        QVERIFY(option->defaultValue == OptionValue(std::string("ipu2")));
        QVERIFY(!IpuConfig::metadata("ipu_model"));
    }
};

TW_REGISTER_TEST(TstIpuConfig);
#include "tst_ipu_config.moc"
