// Recomputation: modes of pipelines, checkpoints by layer, checkpoints along time. Every form gives the bits of a training without it.
#include "engine/data/npy.h"
#include "engine/lowering/schedule.h"
#include "tests/engine/runtime/functional_models.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

namespace {

char const *const kAgain = "ipu_config.allow_recompute";
char const *const kLayers = "training.recomputation_checkpoints";
char const *const kTime = "training.recurrent_checkpoints";
char const *const kMode = "training.recomputation_mode";

} // namespace

class TstRecomputation : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    /// A file of random samples in two classes.
    std::string samples(std::int64_t steps, std::int64_t features, bool masked = false) const
    {
        constexpr std::int64_t kSamples = 32;
        RandomStream random(7);
        std::vector<float> x(static_cast<std::size_t>(kSamples * steps * features));
        std::vector<std::int32_t> y;
        for (auto &value : x) value = static_cast<float>(random.uniform() - 0.5);
        if (masked) std::fill(x.begin(), x.begin() + 3 * features, 0.0f); // the first steps of the first sample
        for (std::int64_t s = 0; s < kSamples; ++s) y.push_back(static_cast<std::int32_t>(s % 2));
        auto const path = m_folder.path() / ("set" + std::to_string(steps) + (masked ? "m.npz" : ".npz"));
        std::vector<data::NamedArray> const arrays{{"x", data::makeArray({kSamples, steps, features}, x)},
                                                   {"y", data::makeArray({kSamples}, y)}};
        if (!data::writeNpz(path, arrays, false, {}).ok()) qFatal("no data");
        return path.string();
    }
    /// A recurrent layer on such samples.
    project::Project recurrent(Json layer, std::int64_t steps, std::int64_t features, std::string const &target, Fields const &fields,
                               bool masked = false) const
    {
        auto p = mnist(target, {{"data.path", samples(steps, features, masked)}, {"data.limit", "0"}});
        p.model = functional({inputLayer("x", {steps, features}, "float32"), layerOf("Masking", "masking", Json::object(), {"x"}),
                              std::move(layer), layerOf("Flatten", "flat", Json::object(), {"cell"}),
                              layerOf("Dense", "out", {{"units", 2}, {"activation", "softmax"}}, {"flat"})},
                             {"x"}, {"out"});
        for (auto const &[field, value] : fields) {
            auto changed = project::withField(p, field, value, nullptr);
            if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
            p = std::move(changed).value();
        }
        return p;
    }
    static Json cell(std::string const &className, Json config = Json::object())
    {
        config["units"] = config.value("units", 8);
        return layerOf(className.c_str(), "cell", config, {"masking"});
    }
    std::shared_ptr<executable::Executable const> compiled(project::Project const &p) const
    {
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        auto outcome = compiler::compile(p, request, {});
        if (!outcome.ok()) qFatal("%s", toText(outcome.error()).c_str());
        return outcome->executable;
    }
    static Bytes worst(executable::Executable const &exe) { return exe.memory.ipus.front().worstBytes; }
    /// Nodes of the pass "recompute" in the graph of the training.
    static std::ptrdiff_t repeated(executable::Executable const &exe)
    {
        return std::ranges::count_if(exe.entries.front().graph.nodes, [](auto const &node) { return node.pass == graph::Pass::Recompute; });
    }
    /// Eight dense layers behind the digits. `marked`: a layer in front of a RecomputationCheckpoint.
    static project::Project deep(Fields const &fields, std::string const &marked = {})
    {
        Json layers{inputLayer("x", {28, 28}, "float32"), layerOf("Flatten", "flat", Json::object(), {"x"})};
        std::string before = "flat";
        auto const add = [&](char const *className, std::string const &name, Json const &config) {
            layers.push_back(layerOf(className, name.c_str(), config, {before.c_str()}));
            before = name;
        };
        for (int i = 0; i < 8; ++i) {
            add("Dense", "dense" + std::to_string(i), {{"units", 64}, {"activation", i % 2 ? "tanh" : "relu"}});
            if (before == marked) add("RecomputationCheckpoint", "mark", Json::object());
        }
        add("Dense", "out", {{"units", 10}, {"activation", "softmax"}});
        auto p = mnist("gc200:tiles=16");
        p.model = functional(layers, {"x"}, {"out"});
        for (auto const &[field, value] : fields) {
            auto changed = project::withField(p, field, value, nullptr);
            if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
            p = std::move(changed).value();
        }
        return p;
    }
    /// The same project with and without recomputation gives the same bits, and `again` repeats something. On the tiles, where products
    /// of one task share a plan, `tolerance` allows other places to split sums.
    void expectEqualBits(project::Project const &kept, project::Project const &again, std::int64_t steps = 4, double tolerance = 0) const
    {
        QVERIFY(repeated(*compiled(again)) > 0);
        QCOMPARE(repeated(*compiled(kept)), std::ptrdiff_t{0});
        for (auto const mode : {Mode::Fused, Mode::Tile}) {
            auto request = requestIn(m_folder, mode);
            request.steps = steps;
            auto const a = trained(kept, request).state, b = trained(again, request).state;
            if (mode == Mode::Fused || tolerance == 0) QVERIFY(sameBytes(a, b));
            else QVERIFY(stateDifference(a, b) < tolerance);
        }
    }
    std::string refusal(project::Project const &p) const
    {
        auto const outcome = compiler::compile(p, requestIn(m_folder).compile, {});
        return outcome.ok() ? std::string() : outcome.error().code;
    }

private slots:
    void checkpointsAlongTimeChangeNoBit_data()
    {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<bool>("masked");
        QTest::newRow("LSTM") << "LSTM"
                              << "{}" << false;
        QTest::newRow("LSTM, sequences") << "LSTM"
                                         << R"({"return_sequences": true})" << false;
        QTest::newRow("LSTM, masked, backwards") << "LSTM"
                                                 << R"({"return_sequences": true, "go_backwards": true})" << true;
        QTest::newRow("LSTM, dropout") << "LSTM"
                                       << R"({"dropout": 0.25, "recurrent_dropout": 0.25})" << false;
        QTest::newRow("GRU") << "GRU"
                             << "{}" << false;
        QTest::newRow("stateful SimpleRNN") << "SimpleRNN"
                                            << R"({"stateful": true})" << false;
    }
    void checkpointsAlongTimeChangeNoBit()
    {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(bool, masked);
        auto const with = [&](char const *again) {
            Fields const fields{{"training.batch_size", "8"}, {kTime, "3"}, {kAgain, again}};
            return recurrent(cell(className.toStdString(), Json::parse(config.toStdString())), 12, 5, "gc200:tiles=8", fields, masked);
        };
        expectEqualBits(with("false"), with("true"));
    }
    /// Cutting the loop changes the order of additions in the gradients of the weights, no more.
    void aCutLoopTrainsAsAWholeOne()
    {
        auto const with = [&](char const *parts) {
            return recurrent(cell("LSTM", {{"return_sequences", true}, {"dropout", 0.25}}), 12, 5, "gc200:tiles=8",
                             {{"training.batch_size", "8"}, {kTime, parts}, {kAgain, "true"}}, true);
        };
        auto request = requestIn(m_folder);
        request.steps = 8;
        auto const whole = trained(with("0"), request);
        for (char const *parts : {"1", "5", "11"})
            QVERIFY2(stateDifference(whole.state, trained(with(parts), request).state) < 1e-4, parts);
    }
    /// A part's values and the states between the parts, instead of the values of all steps.
    void checkpointsAlongTimeHoldLess()
    {
        auto const with = [&](char const *parts, char const *again) {
            return compiled(recurrent(cell("LSTM", {{"units", 32}}), 256, 4, "gc200:tiles=16", {{kTime, parts}, {kAgain, again}}));
        };
        auto const whole = with("0", "false"), kept = with("7", "false"), seven = with("7", "true");
        QVERIFY2(worst(*seven) < worst(*whole) * 6 / 10, qPrintable(QString("%1 of %2").arg(worst(*seven)).arg(worst(*whole))));
        QVERIFY(worst(*kept) > worst(*seven));
        // The forward pass runs once more, the backward pass as before.
        auto const cycles = [](auto const &exe) { return static_cast<double>(exe->entries.front().patternCycles); };
        QVERIFY(cycles(seven) > cycles(kept));
        QVERIFY2(cycles(seven) < 1.6 * cycles(whole), qPrintable(QString("%1 of %2").arg(cycles(seven)).arg(cycles(whole))));
    }
    void eightPartsFitWhereTheWholeLoopDoesNot()
    {
        auto const with = [&](char const *parts) {
            return compiled(recurrent(cell("LSTM", {{"units", 256}}), 2048, 16, "gc200",
                                      {{"training.batch_size", "16"}, {kTime, parts}, {kAgain, "true"}}));
        };
        QVERIFY(!with("0")->memory.fits);
        QVERIFY(with("7")->memory.fits);
    }
    void unequalPartsAreRefused()
    {
        auto const with = [&](char const *parts, Json layer) {
            return refusal(recurrent(std::move(layer), 12, 5, "gc200:tiles=8", {{kTime, parts}}));
        };
        QCOMPARE(with("4", cell("LSTM")), std::string("training.recurrent-checkpoints"));
        QCOMPARE(with("3", cell("LSTM")), std::string());
        QCOMPARE(with("3", cell("LSTM", {{"unroll", true}})), std::string("training.recurrent-checkpoints"));
        QCOMPARE(refusal(deep({{kTime, "1"}})), std::string("training.recurrent-checkpoints"));
    }

    void layerCheckpointsChangeNoBit()
    {
        char const *const layers = R"(["dense1", "dense3", "dense5"])";
        expectEqualBits(deep({{kLayers, layers}}), deep({{kLayers, layers}, {kAgain, "true"}}));
    }
    /// A layer that marks its input does what the plan does by the name of the layer before.
    void theLayerIsTheSameCheckpoint()
    {
        auto const named = deep({{kLayers, R"(["dense3"])"}, {kAgain, "true"}});
        auto const marked = deep({{kAgain, "true"}}, "dense3");
        auto const byName = compiled(named), byLayer = compiled(marked);
        QCOMPARE(repeated(*byLayer), repeated(*byName));
        QCOMPARE(worst(*byLayer), worst(*byName));
        QCOMPARE(byLayer->entries.front().patternCycles, byName->entries.front().patternCycles);
    }
    /// What lies in front of the last checkpoint is computed again, from the checkpoint before it; the layers behind it are kept.
    void partsRunAgainBetweenCheckpoints()
    {
        auto const exe = compiled(deep({{kLayers, R"(["dense3", "dense5"])"}, {kAgain, "true"}}));
        std::set<std::string> layers;
        for (auto const &node : exe->entries.front().graph.nodes)
            if (node.pass == graph::Pass::Recompute && node.op == "matmul") layers.insert(node.layer);
        // dense3 and dense5 are kept, and the backward pass does not read what it is computed from beyond them.
        QCOMPARE(layers, (std::set<std::string>{"dense0", "dense1", "dense2", "dense4"}));
    }
    /// Twelve dense layers on the steps of long sequences: what they keep is most of the memory.
    void layerCheckpointsHoldLess()
    {
        Json layers{inputLayer("x", {2048, 16}, "float32")};
        std::string before = "x";
        for (int i = 0; i < 12; ++i) {
            auto const name = "dense" + std::to_string(i);
            layers.push_back(layerOf("Dense", name.c_str(), {{"units", 64}, {"activation", i % 2 ? "tanh" : "relu"}}, {before.c_str()}));
            before = name;
        }
        layers.push_back(layerOf("GlobalAveragePooling1D", "mean", Json::object(), {before.c_str()}));
        layers.push_back(layerOf("Dense", "out", {{"units", 2}, {"activation", "softmax"}}, {"mean"}));
        auto const with = [&](char const *again) {
            auto p = mnist("gc200:tiles=64",
                           {{"data.path", samples(2048, 16)}, {"data.limit", "0"}, {"training.batch_size", "4"}, {kAgain, again}});
            p.model = functional(layers, {"x"}, {"out"});
            return compiled(*project::withField(p, kLayers, R"(["dense3", "dense6", "dense9"])", nullptr));
        };
        auto const kept = with("false"), again = with("true");
        QVERIFY2(worst(*again) < worst(*kept) * 85 / 100, qPrintable(QString("%1 of %2").arg(worst(*again)).arg(worst(*kept))));
    }
    void unknownLayersAreRefused()
    {
        auto const outcome = compiler::compile(deep({{kLayers, R"(["dens3"])"}}), requestIn(m_folder).compile, {});
        QVERIFY(!outcome.ok());
        QCOMPARE(outcome.error().code, std::string("training.recomputation-checkpoints"));
        QVERIFY(toText(outcome.error()).find("did you mean 'dense3'") != std::string::npos);
    }

    void modesOfPipelinesChangeNoBit_data()
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<QString>("mode");
        QTest::newRow("grouped, then") << "grouped"
                                       << "recompute_then_backpropagate";
        QTest::newRow("grouped, interleaved") << "grouped"
                                              << "recompute_and_backpropagate_interleaved";
        QTest::newRow("interleaved, then") << "interleaved"
                                           << "recompute_then_backpropagate";
        QTest::newRow("sequential, interleaved") << "sequential"
                                                 << "recompute_and_backpropagate_interleaved";
    }
    void modesOfPipelinesChangeNoBit()
    {
        QFETCH(QString, schedule);
        QFETCH(QString, mode);
        auto const with = [&](char const *again) {
            auto p = deep({{"training.gradient_accumulation_steps", "4"},
                           {"training.steps_per_execution", "4"},
                           {"training.pipeline_schedule", schedule.toStdString()},
                           {kMode, mode.toStdString()},
                           {kLayers, R"(["dense1", "dense5"])"},
                           {kAgain, again},
                           {"system.target", "gc200:tiles=16,ipus=2"}});
            for (auto &layer : p.model.layers)
                if (layer.className != "InputLayer") layer.stage = layer.name > "dense3" && layer.name != "flat" ? 1 : 0;
            return p;
        };
        bool const interleaved = mode.contains("and_backpropagate");
        expectEqualBits(with("false"), with("true"), 8, interleaved ? 1e-5 : 0);
        // Of its own in front of the backward task, or a part of it; only the latter recomputes in the last stage, to its checkpoint.
        auto request = requestIn(m_folder).compile;
        request.useCache = false;
        auto const outcome = compiler::compile(with("true"), request, {});
        QVERIFY(outcome.ok());
        auto const made = lowering::makeSchedule(outcome->executable->program, outcome->machine, false);
        auto const timeline = lowering::timelineOf(made);
        auto const own = std::ranges::count_if(timeline.tasks, [](auto const &task) { return task.pass == StagePass::Recompute; });
        QCOMPARE(own > 0, !interleaved);
        auto const last = std::ranges::count_if(outcome->executable->entries.front().graph.nodes,
                                                [](auto const &node) { return node.pass == graph::Pass::Recompute && node.stage == 1; });
        QCOMPARE(last > 0, interleaved);
    }
    void modesThatAScheduleLacksAreRefused()
    {
        auto const with = [&](char const *schedule, char const *mode) {
            Fields const fields{{"training.gradient_accumulation_steps", "4"},
                                {"training.steps_per_execution", "4"},
                                {"training.pipeline_schedule", schedule},
                                {kMode, mode}};
            return refusal(mnist("gc200:tiles=16,ipus=2", smallModel(twoStages(fields))));
        };
        QCOMPARE(with("sequential", "recompute_then_backpropagate"), std::string("training.recomputation-mode"));
        QCOMPARE(with("interleaved", "recompute_and_backpropagate_interleaved"), std::string("training.recomputation-mode"));
        QCOMPARE(with("sequential", "auto"), std::string());
        QCOMPARE(with("interleaved", "auto"), std::string());
    }
};

TW_REGISTER_TEST(TstRecomputation);
#include "tst_recomputation.moc"
