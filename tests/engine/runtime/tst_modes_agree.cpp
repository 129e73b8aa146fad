#include "engine/compiler/compile.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// Fused and tile mode execute the same executable: bit-identical on any number of threads, equal to each other
/// within the tolerance of the number formats.
class TstModesAgree : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

private slots:
    void threadsDoNotChangeTheWeights_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::newRow("fused") << false;
        QTest::newRow("tile") << true;
    }
    void threadsDoNotChangeTheWeights()
    {
        QFETCH(bool, tile);
        auto const mode = tile ? Mode::Tile : Mode::Fused;
        // Odd sizes, so that work does not fall evenly on the threads.
        auto const p = mnist("gc200:tiles=13", {{"model.layers.dense.units", "101"}, {"model.layers.dense_1.units", "37"}});
        auto const first = trained(p, requestIn(m_folder, mode, 1));
        QCOMPARE(first.steps, 8);
        QVERIFY(!first.stopped);
        for (int threads : {2, 3}) {
            auto const other = trained(p, requestIn(m_folder, mode, threads));
            QCOMPARE(other.weightsHash, first.weightsHash);
            QVERIFY(sameBytes(other.state, first.state));
            QCOMPARE(other.epochs[0].loss, first.epochs[0].loss);
        }
    }
    void anotherSeedGivesOtherWeights()
    {
        auto const a = trained(mnist("gc200:tiles=8", smallModel()), requestIn(m_folder));
        auto const b = trained(mnist("gc200:tiles=8", smallModel({{"training.seed", "43"}})), requestIn(m_folder));
        QVERIFY(a.weightsHash != b.weightsHash);
    }
    void tileModeTrainsLikeFusedMode()
    {
        auto const p = mnist("gc200:tiles=8", smallModel({{"training.optimizer", "sgd"}}));
        std::vector<double> fused, tile;
        auto const a = trained(p, requestIn(m_folder, Mode::Fused), &fused);
        auto const b = trained(p, requestIn(m_folder, Mode::Tile), &tile);
        QCOMPARE(fused.size(), tile.size());
        for (std::size_t i = 0; i < fused.size(); ++i)
            QVERIFY2(std::abs(fused[i] - tile[i]) <= 1e-5 * std::abs(fused[i]), qPrintable(QString::number(i)));
        auto const difference = stateDifference(a.state, b.state);
        QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
    }
    void verifyAgrees_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("stages");
        QTest::addColumn<bool>("small");
        QTest::newRow("whole chip") << "gc200"
                                    << "" << false;
        QTest::newRow("eight tiles") << "gc200:tiles=8"
                                     << "" << false;
        QTest::newRow("two replicas") << "gc200:tiles=16,ipus=2"
                                      << "" << true;
        QTest::newRow("three replicas") << "gc200:tiles=16,ipus=4;3"
                                        << "" << true;
        QTest::newRow("four replicas") << "gc200:tiles=16,ipus=4"
                                       << "" << true;
        QTest::newRow("two stages") << "gc200:tiles=16,ipus=2"
                                    << "0011" << true;
        QTest::newRow("two stages, cut late") << "gc200:tiles=16,ipus=2"
                                              << "0001" << true;
        QTest::newRow("two stages, cut early") << "gc200:tiles=16,ipus=2"
                                               << "0111" << true;
        QTest::newRow("three stages of four IPUs") << "gc200:tiles=16,ipus=4"
                                                   << "0012" << true;
        QTest::newRow("four stages") << "gc200:tiles=16,ipus=4"
                                     << "0123" << true;
        QTest::newRow("two stages, two replicas") << "gc200:tiles=16,ipus=4"
                                                  << "0011" << true;
        QTest::newRow("four stages, two replicas") << "gc200:tiles=16,ipus=8"
                                                   << "0123" << true;
        QTest::newRow("two stages on whole chips") << "gc200:ipus=2"
                                                   << "0001" << false;
    }
    void verifyAgrees()
    {
        QFETCH(QString, target);
        QFETCH(QString, stages);
        QFETCH(bool, small);
        Fields fields{{"data.limit", stages.isEmpty() ? "512" : "1024"}, {"training.batch_size", "16"}};
        if (!stages.isEmpty()) {
            auto const micro = stages == "0012" ? "12" : "8"; // a multiple of twice the stages
            fields = inStages(stages.toStdString(), fields);
            fields.emplace_back("training.gradient_accumulation_steps", micro);
            fields.emplace_back("training.steps_per_execution", micro);
        }
        if (auto const at = target.indexOf(';'); at >= 0) { // fewer replicas than IPUs
            fields.emplace_back("training.replicas", target.mid(at + 1).toStdString());
            target = target.left(at);
        }
        auto p = mnist(target.toStdString(), small ? smallModel(fields) : fields);
        // Dropout in the first stage: its mask in the backward is that of the same micro-batch's forward.
        if (small) {
            auto dropout = model::makeLayer("Dropout", "dropout", model::Json{{"rate", 0.25}});
            dropout.stage = p.model.layers[1].stage;
            p.model.layers.insert(p.model.layers.begin() + 2, dropout);
        }
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile, 2), 3, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QCOMPARE(outcome->steps, 3);
        for (auto const &tensor : outcome->tensors)
            QVERIFY2(tensor.maxRelativeError <= 1e-5,
                     qPrintable(QString::fromStdString(tensor.name) + " " + QString::number(tensor.maxRelativeError)));
        QVERIFY(outcome->agrees);
        // Gradients were compared, not only the results of an update.
        int gradients = 0;
        for (auto const &tensor : outcome->tensors) gradients += tensor.name.starts_with("gradient/");
        QCOMPARE(gradients, 6);
    }
    /// Products that share a layer's weights, and batches, done in ranges one after the other.
    void productsInPassesAgree_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("options");
        QTest::newRow("float32") << ""
                                 << R"({"availableMemoryProportion":"0.05"})";
        QTest::newRow("float16") << "float16"
                                 << R"({"availableMemoryProportion":"0.01"})";
        QTest::newRow("half partials") << "float16"
                                       << R"({"availableMemoryProportion":"0.02","partialsType":"half"})";
        QTest::newRow("attention") << "attention"
                                   << R"({"availableMemoryProportion":"0.01"})";
    }
    void productsInPassesAgree()
    {
        QFETCH(QString, model);
        QFETCH(QString, options);
        Fields fields{{"training.batch_size", "16"}, {"ipu_config.matmuls.poplar_options", options.toStdString()}};
        if (model == "float16")
            for (auto const *layer : {"flatten_input", "flatten", "dense", "dense_1", "dense_2"})
                fields.emplace_back(std::string("model.layers.") + layer + ".dtype", "float16");
        auto p = mnist("gc200:tiles=8", fields);
        if (model == "attention") {
            p = project::withField(project::fromTemplate("transformer-sort").value(), "system.target", "gc200:tiles=64", nullptr).value();
            p = project::withField(p, "ipu_config.matmuls.poplar_options", options.toStdString(), nullptr).value();
        }
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile, 2), 2, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY2(outcome->agrees && outcome->steps == 2, qPrintable(QString::number(outcome->maxRelativeError)));
        auto const executable = compiler::compile(p, requestIn(m_folder).compile, {}).value().executable;
        int inSplits = 0;
        for (auto const &op : executable->program.ops) inSplits += op.plan.find("\"splits\"") != std::string::npos;
        QVERIFY2(inSplits > 1, qPrintable(QString::number(inSplits)));
    }
    /// After an update nothing needs the sums any more, so their memory does not count as a difference.
    void accumulatorsAreComparedAsGradients()
    {
        auto const p = mnist(
            "gc200:tiles=16",
            smallModel(
                {{"training.optimizer", "adam"}, {"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}}));
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile), 2, {});
        QVERIFY2(outcome.ok() && outcome->agrees, qPrintable(QString::number(outcome->maxRelativeError)));
    }
    /// Loops in one piece, accumulated, replicated and in pipeline stages; sequences pass from loop to loop.
    void theLearningRateFollowsItsSchedule_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::addColumn<QString>("optimizer");
        for (auto const *optimizer : {"SGD", "Adam", "RMSprop"})
            for (bool tile : {false, true}) QTest::addRow("%s, %s", optimizer, tile ? "tile" : "fused") << tile << QString(optimizer);
    }
    /// The first three updates have a rate, all later ones none; the device counts, over executions of two.
    void theLearningRateFollowsItsSchedule()
    {
        QFETCH(bool, tile);
        QFETCH(QString, optimizer);
        auto const after = [&](std::int64_t steps, char const *rate) {
            auto const p = mnist("gc200:tiles=16",
                                 smallModel({{"training.optimizer", optimizer.toStdString()},
                                             {"training.optimizer.learning_rate", rate},
                                             {"training.steps_per_execution", "2"}}));
            auto request = requestIn(m_folder, tile ? runtime::Mode::Tile : runtime::Mode::Fused);
            request.steps = steps;
            return trained(p, request).state;
        };
        auto const weights = [](runtime::TrainingState const &state) { return state.find("dense/kernel")->bytes; };
        char const *const stops = R"({"class_name": "PiecewiseConstantDecay", "config": {"boundaries": [2], "values": [0.01, 0.0]}})";
        auto const four = weights(after(4, stops)), six = weights(after(6, stops)), two = weights(after(2, stops));
        QVERIFY(four == six);
        QVERIFY(two != four);
        QVERIFY(two == weights(after(2, "0.01")));
        QVERIFY(four != weights(after(4, "0.01")));
    }
    void recurrentModelsAgree_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<int>("accumulate");
        QTest::addColumn<bool>("staged");
        QTest::newRow("one IPU") << "gc200:tiles=24" << 1 << false;
        QTest::newRow("accumulated") << "gc200:tiles=24" << 2 << false;
        QTest::newRow("two replicas") << "gc200:tiles=24,ipus=2" << 1 << false;
        QTest::newRow("two stages") << "gc200:tiles=24,ipus=2" << 4 << true;
    }
    void recurrentModelsAgree()
    {
        QFETCH(QString, target);
        QFETCH(int, accumulate);
        QFETCH(bool, staged);
        auto p = project::fromTemplate("mnist-lstm").value();
        for (auto const &[path, value] : Fields{{"system.target", target.toStdString()},
                                                {"data.limit", "96"},
                                                {"training.batch_size", "4"},
                                                {"training.gradient_accumulation_steps", std::to_string(accumulate)},
                                                {"training.steps_per_execution", std::to_string(accumulate)}})
            p = project::withField(p, path, value, nullptr).value();
        model::Model m;
        m.name = "recurrent";
        auto const add = [&](char const *className, char const *name, model::Json config, int stage) {
            m.layers.push_back(model::makeLayer(className, name, std::move(config)));
            m.layers.back().stage = staged ? stage : -1;
        };
        add("LSTM", "lstm", {{"units", 12}, {"return_sequences", true}, {"dropout", 0.2}, {"batch_input_shape", {nullptr, 28, 28}}}, 0);
        add("GRU", "gru", {{"units", 8}, {"go_backwards", true}, {"return_sequences", true}, {"recurrent_dropout", 0.2}}, 1);
        add("SimpleRNN", "rnn", {{"units", 8}}, 1);
        add("Dense", "dense", {{"units", 10}, {"activation", "softmax"}}, 1);
        model::normalizeModel(m);
        p.model = m;
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile, 2), 2, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY2(outcome->agrees, qPrintable(QString::number(outcome->maxRelativeError)));
    }
    void valuesThatSkipAStageArriveInTime_data()
    {
        QTest::addColumn<QString>("schedule");
        QTest::addColumn<bool>("recompute");
        QTest::addColumn<QString>("mapping");
        QTest::addColumn<int>("ipus");
        for (auto const *schedule : {"grouped", "interleaved", "sequential"})
            for (bool const recompute : {false, true}) {
                QTest::addRow("%s%s", schedule, recompute ? ", recomputed" : "") << QString(schedule) << recompute << QString("null") << 4;
                if (QLatin1String(schedule) == QLatin1String("interleaved")) continue;
                for (auto const *mapping : {"[0, 0, 1, 1]", "[0, 1, 0, 1]", "[1, 0, 0, 1]", "[0, 0, 0, 0]"})
                    QTest::addRow("%s%s, on %s", schedule, recompute ? ", recomputed" : "", mapping)
                        << QString(schedule) << recompute << QString(mapping) << (QString(mapping).contains('1') ? 2 : 1);
            }
    }
    void valuesThatSkipAStageArriveInTime()
    {
        QFETCH(QString, schedule);
        QFETCH(bool, recompute);
        QFETCH(QString, mapping);
        QFETCH(int, ipus);
        // in - a(0) - b(1) - c(2) - add(c, a)(2) - out(3): a's result and its gradient pass through stage 1, the
        // labels through all.
        auto p = mnist("gc200:tiles=16,ipus=" + std::to_string(ipus),
                       {{"data.limit", "1024"},
                        {"training.batch_size", "16"},
                        {"training.device_mapping", mapping.toStdString()},
                        {"training.gradient_accumulation_steps", "16"},
                        {"training.steps_per_execution", "16"},
                        {"training.pipeline_schedule", schedule.toStdString()},
                        {"ipu_config.allow_recompute", recompute ? "true" : "false"}});
        model::Model m;
        m.name = "skip";
        m.kind = model::ModelKind::Functional;
        auto const layer = [&](std::string type, std::string name, model::Json config, std::vector<std::string> from, int stage) {
            auto l = model::makeLayer(std::move(type), std::move(name), std::move(config));
            model::Call call;
            for (auto &each : from) call.inputs.push_back({each, 0, 0});
            l.calls = {call};
            l.stage = stage;
            m.layers.push_back(std::move(l));
        };
        auto in = model::makeInput("in", {28, 28});
        in.calls = {model::Call{}};
        m.layers.push_back(std::move(in));
        layer("Flatten", "flat", model::Json::object(), {"in"}, 0);
        layer("Dense", "a", {{"units", 24}, {"activation", "relu"}}, {"flat"}, 0);
        layer("Dense", "b", {{"units", 20}, {"activation", "tanh"}}, {"a"}, 1);
        layer("Dense", "c", {{"units", 24}}, {"b"}, 2);
        layer("Add", "sum", model::Json::object(), {"c", "a"}, 2);
        layer("Dense", "out", {{"units", 10}, {"activation", "softmax"}}, {"sum"}, 3);
        m.inputs = {{"in", 0, 0}};
        m.outputs = {{"out", 0, 0}};
        model::Model const cut = m;
        p.model = cut;
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile, 2), 3, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY2(outcome->agrees, qPrintable(QString::number(outcome->maxRelativeError)));
        QCOMPARE(outcome->steps, 3);
        // And the numbers are those of the model in one piece.
        auto whole = p;
        for (auto &l : whole.model.layers) l.stage = -1;
        whole.target = "gc200:tiles=16";
        whole.training.deviceMapping.clear();
        whole = project::withField(whole, "training.optimizer", "sgd", nullptr).value();
        auto pipelined = project::withField(p, "training.optimizer", "sgd", nullptr).value();
        auto const a = trained(pipelined, requestIn(m_folder, Mode::Tile, 2));
        auto const b = trained(whole, requestIn(m_folder, Mode::Fused, 2));
        auto const difference = stateDifference(a.state, b.state);
        QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
    }
};

TW_REGISTER_TEST(TstModesAgree);
#include "tst_modes_agree.moc"
