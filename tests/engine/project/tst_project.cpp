#include "engine/config/options.h"
#include "engine/core/random.h"
#include "engine/data/data_source.h"
#include "engine/project/project.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::project;

namespace {

Project sample() { return fromTemplate("mnist-mlp").value(); }

Project with(Project const &p, std::string const &path, std::string const &value)
{
    auto changed = withField(p, path, value, nullptr);
    if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
    return std::move(changed).value();
}

/// A value of the option other than its default, as text; "" when it has only one.
std::string otherValue(config::OptionInfo const &option)
{
    using config::OptionType;
    if (!option.allowed.empty()) {
        for (auto const &value : option.allowed)
            if (config::OptionValue(value) != option.defaultValue) return value;
        return {};
    }
    switch (option.type) {
    case OptionType::Bool: return std::get<bool>(option.defaultValue) ? "false" : "true";
    case OptionType::Int: {
        auto const now = std::get<std::int64_t>(option.defaultValue);
        return std::to_string(option.max && static_cast<double>(now + 1) > *option.max ? now - 1 : now + 1);
    }
    case OptionType::Float: {
        double const now = std::get<double>(option.defaultValue);
        return std::to_string(option.max && now + 0.125 > *option.max ? now - 0.125 : now + 0.125);
    }
    case OptionType::Text:
    case OptionType::Path: return "something";
    case OptionType::Enum: return {};
    case OptionType::Dict: return {}; // by its entries
    case OptionType::IntList: return "1";
    }
    return {};
}

} // namespace

class TstProject : public QObject {
    Q_OBJECT
private slots:
    void notesHaveAPlaceOfTheirOwn()
    {
        auto p = sample();
        QVERIFY(!projectParts(p).contains("notes"));
        p.notes.setRun(3, {"fast", "half the batch \"quoted\""});
        p.notes.setSuppressed("sync.bound|IPU 0", "known");
        p.layout = R"({"pins":{"dense":[1,2]}})";
        auto const back = projectFromParts(projectParts(p), nullptr);
        QVERIFY(back.ok());
        QVERIFY(*back == p);
        p.notes.setRun(3, {});
        p.notes.setSuppressed("sync.bound|IPU 0", {});
        QVERIFY(p.notes.isEmpty());
    }
    void notesOfEarlierFilesComeOutOfTheirLayout()
    {
        auto parts = projectParts(sample());
        parts["layout"] =
            R"({"pins":{"dense":[1,2]},"run_notes":{"3":{"tags":"fast","notes":"half"},"x":{}},"suppressed_insights":{"k":"known","n":7}})";
        auto const p = projectFromParts(parts, nullptr);
        QVERIFY(p.ok());
        QCOMPARE(p->notes.runs.size(), std::size_t(1));
        QCOMPARE(p->notes.runs.at(3).notes, std::string("half"));
        QCOMPARE(p->notes.suppressed, (std::map<std::string, std::string>{{"k", "known"}}));
        QCOMPARE(p->layout, std::string(R"({"pins":{"dense":[1,2]}})"));
        QVERIFY(notesFromJson("broken").isEmpty());
        QVERIFY(notesFromJson("[1]").isEmpty());
    }
    void partsReadBackToTheSameProject()
    {
        auto p = sample();
        p.title = "Ziffern \"quoted\" \\ line\nbreak \xc3\xbc";
        p = with(p, "system.target", "pod16:ipus=4,tiles=64");
        p = with(p, "training.optimizer", "adam");
        p = with(p, "training.optimizer.learning_rate", "0.0123");
        p = with(p, "training.validation_split", "0.125");
        p = with(p, "data.path", "a/b c");
        p = with(p, "data.limit", "640");
        p = with(p, "data.validation_path", "c/d.npz");
        p = with(p, "training.device_seed", "11");
        p = with(p, "training.identical_replica_seeds", "true");
        p = with(p, "data.scale", "0.5");
        p = with(p, "ipu_config.matmuls.poplar_options.partialsType", "half");
        p = with(p, "ipu_config.auto_select_ipus", "2");
        p = with(p, "engine_options.debug.instrument", "true");
        p = with(p, "model.layers.dense.units", "77");
        p = with(p, "model.layers.dense_1.stage", "1");
        p.layout = R"({"dense":{"x":1.5,"y":-2}})";
        auto const parts = projectParts(p);
        DiagnosticSink sink;
        auto const back = projectFromParts(parts, &sink);
        QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
        QVERIFY(*back == p);
        QVERIFY(projectParts(*back) == parts);
        // A plain project gives no message.
        DiagnosticSink quiet;
        QVERIFY(*projectFromParts(projectParts(sample()), &quiet) == sample());
        QVERIFY(quiet.all().empty());
        for (auto const &[name, text] : parts) QVERIFY2(!nlohmann::json::parse(text, nullptr, false).is_discarded(), name.c_str());
    }
    void aWrongPartIsNamed_data()
    {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("text");
        for (auto const *part : {"model", "ipu_config", "system", "training", "data", "engine_options", "about"}) {
            QTest::addRow("%s, no JSON", part) << part << "{\"";
            QTest::addRow("%s, empty", part) << part << "";
        }
        QTest::newRow("target") << "system"
                                << R"({"target":"gc300"})";
        QTest::newRow("training") << "training"
                                  << R"({"batch_sizes":3})";
        QTest::newRow("training, a list") << "training"
                                          << "[]";
        QTest::newRow("data") << "data"
                              << R"({"limit":"many"})";
        QTest::newRow("data, a number") << "data"
                                        << "5";
        QTest::newRow("option") << "ipu_config"
                                << R"({"matmuls":{"clear_pass_type":"perhaps"}})";
        QTest::newRow("config, a list") << "ipu_config"
                                        << "[1]";
        QTest::newRow("model") << "model"
                               << R"({"class_name":"Sequentiel","config":{"layers":[]}})";
        QTest::newRow("target, a number") << "system"
                                          << R"({"target":7})";
        QTest::newRow("about, a list") << "about"
                                       << "[]";
        QTest::newRow("system, a list") << "system"
                                        << "[]";
        QTest::newRow("engine options, a list") << "engine_options"
                                                << "[1]";
    }
    void aWrongPartIsNamed()
    {
        QFETCH(QString, part);
        QFETCH(QString, text);
        auto parts = projectParts(sample());
        parts[part.toStdString()] = text.toStdString();
        auto const back = projectFromParts(parts, nullptr);
        QVERIFY(!back.ok());
        QVERIFY(back.error().kind == ErrorKind::Invalid);
        QVERIFY(!back.error().code.empty() && !back.error().subject.empty());
    }
    void mutatedPartsNeverCrash()
    {
        auto const good = projectParts(sample());
        int accepted = 0;
        for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
            RandomStream random(deriveSeed(61, seed));
            auto parts = good;
            auto it = parts.begin();
            std::advance(it, random.below(parts.size()));
            auto &text = it->second;
            for (auto n = 1 + random.below(3); n > 0 && !text.empty(); --n) {
                auto const at = random.below(text.size());
                if (random.below(2)) text[at] = static_cast<char>(random.next());
                else text.erase(at, random.below(9));
            }
            auto const back = projectFromParts(parts, nullptr);
            if (!back.ok()) {
                QVERIFY2(back.error().kind == ErrorKind::Invalid, qPrintable(QString("seed %1").arg(seed)));
                continue;
            }
            ++accepted;
            QVERIFY2(projectFromParts(projectParts(*back), nullptr).ok(), qPrintable(QString("seed %1").arg(seed)));
        }
        QVERIFY(accepted > 10);
    }
    void damagedCanvasLayoutsAreReplaced()
    {
        auto parts = projectParts(sample());
        parts["layout"] = "{\"x";
        DiagnosticSink sink;
        auto const back = projectFromParts(parts, &sink);
        QVERIFY(back.ok() && *back == sample());
        QCOMPARE(sink.all().size(), std::size_t(1));
        QCOMPARE(sink.all()[0].code, std::string("project.layout"));
    }
    void aProjectWithoutAModelIsRefused()
    {
        auto parts = projectParts(sample());
        parts.erase("model");
        QCOMPARE(projectFromParts(parts, nullptr).error().code, std::string("project.no-model"));
        // Everything else has a default.
        QVERIFY(projectFromParts({{"model", projectParts(sample()).at("model")}}, nullptr).ok());
    }
    void aMisspeltFieldNamesTheNearest_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("near");
        QTest::newRow("training") << "training.batchsize"
                                  << "batch_size";
        QTest::newRow("optimizer") << "training.optimizer.learning_rat"
                                   << "optimizer.learning_rate";
        QTest::newRow("argument of the optimizer") << "training.learning_rate"
                                                   << "training.optimizer.learning_rate";
        QTest::newRow("config") << "ipu_config.matmuls.clear_pass_typ"
                                << "clear_pass_type";
        QTest::newRow("system") << "system.targets"
                                << "system.target";
        QTest::newRow("data") << "data.limits"
                              << "data.limit";
        QTest::newRow("layer") << "model.layers.dens.units"
                               << "dense";
        QTest::newRow("argument of the layer") << "model.layers.dense.unit"
                                               << "units";
        QTest::newRow("title") << "titel"
                               << "title";
    }
    void aMisspeltFieldNamesTheNearest()
    {
        QFETCH(QString, path);
        QFETCH(QString, near);
        for (bool write : {false, true}) {
            auto const error =
                write ? withField(sample(), path.toStdString(), "1", nullptr).error() : field(sample(), path.toStdString()).error();
            QVERIFY(error.kind == ErrorKind::Invalid);
            QVERIFY2((error.remedy + error.message).find(near.toStdString()) != std::string::npos, toText(error).c_str());
        }
    }
    void aRefusedValueLeavesTheProjectAlone_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::newRow("batch") << "training.batch_size"
                               << "0";
        QTest::newRow("batch, a word") << "training.batch_size"
                                       << "many";
        QTest::newRow("loss") << "training.loss"
                              << "sparse_categorial_crossentropy";
        QTest::newRow("schedule") << "training.pipeline_schedule"
                                  << "zigzag";
        QTest::newRow("target") << "system.target"
                                << "gc200:tiles=0";
        QTest::newRow("limit") << "data.limit"
                               << "-1";
        QTest::newRow("limit, no JSON") << "data.limit"
                                        << "{";
        QTest::newRow("units") << "model.layers.dense.units"
                               << "-5";
        QTest::newRow("option") << "ipu_config.matmuls.poplar_options.availableMemoryProportion"
                                << "7";
    }
    void aRefusedValueLeavesTheProjectAlone()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        auto const p = sample();
        auto const changed = withField(p, path.toStdString(), value.toStdString(), nullptr);
        QVERIFY(!changed.ok());
        QVERIFY(changed.error().kind == ErrorKind::Invalid);
        QVERIFY(!changed.error().remedy.empty());
        QVERIFY(p == sample());
    }
    void everyFieldOfThePlanReadsAndTakesWhatItReads()
    {
        auto const p = sample();
        for (auto const &info : model::trainingFields()) {
            auto const path = "training." + info.name;
            auto const value = field(p, path);
            QVERIFY2(value.ok(), path.c_str());
            auto const again = withField(p, path, *value, nullptr);
            QVERIFY2(again.ok(), again.ok() ? "" : (path + " = " + *value + ": " + toText(again.error())).c_str());
            QVERIFY2(*again == p, path.c_str());
        }
    }
    void everyFieldOfThePlanCanBeChanged()
    {
        std::map<std::string, std::string> const values{{"loss", "mse"},
                                                        {"loop", "[\"gradients\", \"apply\"]"},
                                                        {"loss_weights", "[2.0]"},
                                                        {"class_weight", "[2.0, 3.0]"},
                                                        {"optimizer", "sgd"},
                                                        {"metrics", "accuracy, mse"},
                                                        {"weighted_metrics", "Precision"},
                                                        {"batch_size", "16"},
                                                        {"epochs", "7"},
                                                        {"steps_per_execution", "4"},
                                                        {"prefetch_depth", "5"},
                                                        {"offload_weight_update_variables", "true"},
                                                        {"offload_gradient_accumulation_buffers", "true"},
                                                        {"offload_weights", "true"},
                                                        {"replicated_optimizer_state_sharding", "true"},
                                                        {"replicated_weight_sharding", "true"},
                                                        {"offload_activations", "true"},
                                                        {"accumulate_outfeed", "true"},
                                                        {"outfeed_mode", "last"},
                                                        {"recomputation_mode", "recompute_then_backpropagate"},
                                                        {"recomputation_checkpoints", "[\"dense\"]"},
                                                        {"recurrent_checkpoints", "3"},
                                                        {"gradient_accumulation_steps", "2"},
                                                        {"gradient_accumulation_reduction", "mean"},
                                                        {"replicas", "2"},
                                                        {"placement", "sharded"},
                                                        {"pipeline_schedule", "sequential"},
                                                        {"seed", "5"},
                                                        {"device_seed", "6"},
                                                        {"identical_replica_seeds", "true"},
                                                        {"asynchronous_callbacks", "true"},
                                                        {"shuffle", "false"},
                                                        {"validation_split", "0.25"},
                                                        {"validation_executable", "shared"},
                                                        {"device_mapping", "[0, 0]"},
                                                        {"initial_epoch", "2"},
                                                        {"steps_per_epoch", "4"},
                                                        {"callbacks", "[\"TerminateOnNaN\"]"},
                                                        {"validation_freq", "2"}};
        for (auto const &info : model::trainingFields()) {
            auto const it = values.find(info.name);
            QVERIFY2(it != values.end(), ("a new field: " + info.name).c_str());
            auto const changed = with(sample(), "training." + info.name, it->second);
            QVERIFY2(!(changed == sample()), info.name.c_str());
            QVERIFY2(*projectFromParts(projectParts(changed), nullptr) == changed, info.name.c_str());
        }
        QCOMPARE(values.size(), model::trainingFields().size());
    }
    void everyFieldOfTheDataCanBeChanged()
    {
        std::map<std::string, std::string> const values{{"path", "folder"},
                                                        {"format", "csv"},
                                                        {"x", "a"},
                                                        {"y", "b"},
                                                        {"test_x", "c"},
                                                        {"test_y", "d"},
                                                        {"label_column", "last"},
                                                        {"image_size", "[32,48]"},
                                                        {"image_channels", "3"},
                                                        {"damaged", "skip"},
                                                        {"window", "24"},
                                                        {"stride", "2"},
                                                        {"horizon", "3"},
                                                        {"scale", "0.5"},
                                                        {"convert", "device"},
                                                        {"validation_split", "0.5"},
                                                        {"shuffle", "false"},
                                                        {"seed", "7"},
                                                        {"limit", "9"},
                                                        {"inputs", R"({"places":"p"})"},
                                                        {"test_inputs", R"({"places":"q"})"},
                                                        {"labels", R"({"head":"r"})"},
                                                        {"test_labels", R"({"head":"s"})"},
                                                        {"sample_weight", "w"},
                                                        {"validation_path", "held.npz"}};
        auto const object = data::toJson(data::DataSourceSpec{});
        QCOMPARE(object.size(), values.size());
        for (auto const &[key, unused] : object.items()) {
            (void)unused;
            auto const it = values.find(key);
            QVERIFY2(it != values.end(), ("a new field: " + key).c_str());
            auto const changed = with(sample(), "data." + key, it->second);
            QVERIFY2(!(changed == sample()), key.c_str());
            QCOMPARE(field(changed, "data." + key).value(), it->second);
            QVERIFY2(*projectFromParts(projectParts(changed), nullptr) == changed, key.c_str());
        }
        QCOMPARE(field(with(with(sample(), "data.scale", "0.5"), "data.scale", "null"), "data.scale").value(), std::string("null"));
    }
    void everyOptionCanBeChanged()
    {
        int changedOptions = 0;
        for (auto const &option : config::ipuConfigOptions()) {
            auto const path = "ipu_config." + option.path;
            QVERIFY2(field(sample(), path).ok(), path.c_str());
            auto value = otherValue(option);
            if (option.type == config::OptionType::Dict) {
                // Names of engine options are known; those of other libraries are anybody's.
                bool const engine = option.path == "compilation_poplar_options";
                auto const key = path + (engine ? ".debug.instrument" : ".someKey");
                auto const text = std::string(engine ? "true" : "1");
                auto const entry = with(sample(), key, text);
                QCOMPARE(field(entry, key).value(), text);
                QVERIFY2(*projectFromParts(projectParts(entry), nullptr) == entry, path.c_str());
                continue;
            }
            if (value.empty()) continue;
            auto const changed = withField(sample(), path, value, nullptr);
            QVERIFY2(changed.ok(), changed.ok() ? "" : (path + " = " + value + ": " + toText(changed.error())).c_str());
            QVERIFY2(!(*changed == sample()), path.c_str());
            auto const again = withField(sample(), path, field(*changed, path).value(), nullptr);
            QVERIFY2(again.ok() && *again == *changed, path.c_str());
            QVERIFY2(*projectFromParts(projectParts(*changed), nullptr) == *changed, path.c_str());
            ++changedOptions;
        }
        QVERIFY(changedOptions > 30);
    }
    void theWholeProjectIsOneJsonDocument()
    {
        auto const whole = field(sample(), "").value();
        auto const json = nlohmann::json::parse(whole);
        for (auto const *key : {"title", "model", "ipu_config", "system", "training", "data", "engine_options", "layout"})
            QVERIFY2(json.contains(key), key);
        QCOMPARE(json["system"]["target"].get<std::string>(), std::string("gc200"));
    }
    void theMachineIsTheTargetWithTheSelectedIpus()
    {
        QCOMPARE(machineOf(with(sample(), "system.target", "pod16"))->ipus, 16);
        auto const four = with(with(sample(), "system.target", "pod16"), "ipu_config.auto_select_ipus", "4");
        QCOMPARE(machineOf(four)->ipus, 4);
        auto const many = with(sample(), "ipu_config.auto_select_ipus", "4");
        auto const error = machineOf(many).error();
        QVERIFY(error.kind == ErrorKind::Device);
        QCOMPARE(error.code, std::string("device.count"));
        QVERIFY(!machineOf(with(sample(), "system.target", "cpu"))->isEmulated());
    }
    void anUnknownTemplateNamesTheNearest()
    {
        auto const error = fromTemplate("mnist-mpl").error();
        QCOMPARE(error.code, std::string("model.unknown-template"));
        QVERIFY2(error.remedy.find("mnist-mlp") != std::string::npos, error.remedy.c_str());
    }
};

TW_REGISTER_TEST(TstProject);
#include "tst_project.moc"
