#include "engine/kernels/half.h"
#include "engine/model/keras_json.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

using namespace tilewright;
using namespace tilewright::tests;

/// Values stored as float16: equal numbers in both modes, and equal to float32 within eleven bits.
class TstFloat16 : public QObject {
    Q_OBJECT
private slots:
    void bothModesAgree_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<Fields>("fields");
        for (auto const *policy : {"float16", "mixed_float16"}) {
            auto const row = [&](char const *name, Fields fields) { QTest::addRow("%s, %s", policy, name) << QString(policy) << fields; };
            row("RMSprop", {});
            row("SGD", {{"training.optimizer", "SGD"}});
            row("momentum", {{"training.optimizer", "SGD"}, {"training.optimizer.momentum", "0.9"}});
            row("Adam", {{"training.optimizer", "Adam"}, {"training.optimizer.epsilon", "0.001"}});
            row("accumulation",
                {{"training.optimizer", "SGD"}, {"training.steps_per_execution", "2"}, {"training.gradient_accumulation_steps", "2"}});
            row("running mean",
                {{"training.optimizer", "SGD"},
                 {"training.steps_per_execution", "2"},
                 {"training.gradient_accumulation_steps", "2"},
                 {"training.gradient_accumulation_reduction", "running_mean"}});
            row("scaled loss",
                {{"training.optimizer", "SGD"}, {"training.optimizer.loss_scale_factor", "1024"}, {"training.optimizer.clipnorm", "0.5"}});
            row("replicas", {{"training.optimizer", "SGD"}, {"system.target", "gc200:tiles=16,ipus=2"}, {"training.replicas", "2"}});
        }
    }
    void bothModesAgree()
    {
        QFETCH(QString, policy);
        QFETCH(Fields, fields);
        auto const p = halfModel(policy.toUtf8().constData(), fields);
        auto const outcome = runtime::verify(p, requestIn(m_folder), 3, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QCOMPARE(outcome->steps, 3);
        QCOMPARE(outcome->tolerance, 0x1p-8);
        QVERIFY2(outcome->agrees, qPrintable(QString::number(outcome->maxRelativeError)));
        bool gradients = false;
        for (auto const &tensor : outcome->tensors) gradients |= tensor.name.starts_with("gradient/dense/kernel");
        QVERIFY(gradients);
    }

    /// If scores are equal as halves, rounding decides which is the largest, so an accuracy can differ by one sample.
    void equalScoresAreNoDifference()
    {
        for (auto const *seed : {"1", "2", "3", "4", "5", "6"}) {
            auto const p = halfModel(
                "float16", {{"training.optimizer", "SGD"}, {"training.seed", seed}, {"ipu_config.floating_point_behaviour.esr", "ON"}});
            auto const outcome = runtime::verify(p, requestIn(m_folder), 6, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QVERIFY2(outcome->agrees, qPrintable(QStringLiteral("seed %1: %2").arg(QLatin1String(seed)).arg(outcome->maxRelativeError)));
        }
    }

    /// Sums stored as float16, with float16 partial sums in both modes if the options say so. The modes round at different places, each sum
    /// within its
    /// tolerance; derived values agree as in float32.
    void partialSumsOfHalf_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<Fields>("fields");
        QTest::addColumn<QStringList>("sums");
        QStringList const products{"dense/MatMul", "dense/MatMul_WeightUpdate", "dense_1/MatMul", "dense_1/MatMul_Backward"};
        QTest::newRow("mnist-mlp") << "mnist-mlp" << Fields() << products;
        QTest::newRow("mnist-mlp, by chance") << "mnist-mlp" << Fields{{"ipu_config.floating_point_behaviour.esr", "ON"}} << products;
        QTest::newRow("mnist-mlp, replicas and accumulation") << "mnist-mlp"
                                                              << Fields{{"system.target", "gc200:tiles=64,ipus=2"},
                                                                        {"training.replicas", "2"},
                                                                        {"training.steps_per_execution", "2"},
                                                                        {"training.gradient_accumulation_steps", "2"}}
                                                              << products;
        QTest::newRow("mnist-mlp, two stages") << "mnist-mlp" << Fields{{"system.target", "gc200:tiles=64,ipus=2"},
                                                                        {"model.layers.flatten.stage", "0"},
                                                                        {"model.layers.dense.stage", "0"},
                                                                        {"model.layers.dense_1.stage", "1"},
                                                                        {"model.layers.dense_2.stage", "1"},
                                                                        {"training.steps_per_execution", "4"},
                                                                        {"training.gradient_accumulation_steps", "4"}}
                                               << products;
        QTest::newRow("mnist-cnn") << "mnist-cnn" << Fields()
                                   << QStringList{"conv2d/Conv", "conv2d_1/Conv", "conv2d_1/Conv_Backward", "conv2d_1/Conv_WeightUpdate"};
        QTest::newRow("mnist-lstm") << "mnist-lstm" << Fields() << QStringList{"lstm/MatMul_Backward", "lstm/MatMul_WeightUpdate"};
        QTest::newRow("mnist-lstm, by chance") << "mnist-lstm" << Fields{{"ipu_config.floating_point_behaviour.esr", "ON"}}
                                               << QStringList{"lstm/MatMul_Backward", "lstm/MatMul_WeightUpdate"};
        QTest::newRow("transformer-sort, by chance") << "transformer-sort" << Fields{{"ipu_config.floating_point_behaviour.esr", "ON"}}
                                                     << QStringList{"block2_attention/MatMul_WeightUpdate"};
        QTest::newRow("transformer-sort") << "transformer-sort" << Fields()
                                          << QStringList{"block1_attention/BatchMatMul_GradLhs", "block2_dense/MatMul"};
        // Sums of float32 that are stored as float16 are rounded, too.
        QTest::newRow("transformer-sort, float32")
            << "transformer-sort" << Fields{{"ipu_config.matmuls.poplar_options.partialsType", "float"}}
            << QStringList{"block1_attention/Query", "block1_attention/BatchMatMul_GradLhs", "block2_dense/MatMul"};
        QTest::newRow("mnist-cnn, float32") << "mnist-cnn" << Fields{{"ipu_config.convolutions.poplar_options.partialsType", "float"}}
                                            << QStringList{"conv2d/Conv", "conv2d_1/Conv", "conv2d_1/Conv_Backward",
                                                           "conv2d_1/Conv_WeightUpdate"};
    }
    void partialSumsOfHalf()
    {
        QFETCH(QString, name);
        QFETCH(Fields, fields);
        QFETCH(QStringList, sums);
        auto p = project::fromTemplate(name.toStdString()).value();
        auto const set = [&](std::string const &path, std::string const &value) {
            auto changed = project::withField(p, path, value, nullptr);
            if (!changed.ok()) qFatal("%s", toText(changed.error()).c_str());
            p = std::move(changed).value();
        };
        auto const layers = p.model.layers;
        for (auto const &layer : layers)
            if (layer.className != "InputLayer") set("model.layers." + layer.name + ".dtype", "mixed_float16");
        set("system.target", "gc200:tiles=64");
        for (auto const *option : {"matmuls", "convolutions"})
            set(std::string("ipu_config.") + option + ".poplar_options.partialsType", "half");
        for (auto const &[path, value] : fields) set(path, value);
        auto const outcome = runtime::verify(p, requestIn(m_folder), 2, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QStringList compared;
        for (auto const &tensor : outcome->tensors) {
            QVERIFY2(tensor.maxRelativeError <= tensor.tolerance,
                     qPrintable(QString("%1: %2 of at most %3")
                                    .arg(QString::fromStdString(tensor.name))
                                    .arg(tensor.maxRelativeError)
                                    .arg(tensor.tolerance)));
            if (!tensor.name.starts_with("sums/")) continue;
            compared += QString::fromStdString(tensor.name.substr(5));
            QVERIFY(tensor.tolerance < 0.05);
        }
        QVERIFY(outcome->agrees);
        for (auto const &sum : sums) QVERIFY2(compared.contains(sum), qPrintable(compared.join(", ")));
    }
    void partialSumsOfHalfAreOtherNumbersAndLearn()
    {
        Fields const half{{"system.target", "gc200:tiles=64"},
                          {"ipu_config.matmuls.poplar_options.partialsType", "half"},
                          {"training.optimizer", "SGD"},
                          {"training.optimizer.learning_rate", "0.1"},
                          {"data.limit", "1600"}};
        auto const p = halfModel("mixed_float16", half);
        auto full = halfModel("mixed_float16", half);
        full = project::withField(full, "ipu_config.matmuls.poplar_options.partialsType", "float", nullptr).value();
        for (auto mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const a = trained(p, requestIn(m_folder, mode)), b = trained(full, requestIn(m_folder, mode));
            QVERIFY(a.weightsHash != b.weightsHash);
            double const x = a.epochs.back().loss, y = b.epochs.back().loss;
            QVERIFY2(std::abs(x - y) < 0.02 * y, qPrintable(QString("%1 and %2").arg(x).arg(y)));
        }
        QCOMPARE(trained(p, requestIn(m_folder, runtime::Mode::Fused, 3)).weightsHash, trained(p, requestIn(m_folder)).weightsHash);
    }

    void theFirstWeightsAreThoseOfFloat32Rounded()
    {
        auto const half = compiledState(halfModel("float16")), full = compiledState(mnist("gc200:tiles=16", smallModel()));
        auto const *a = half.find("dense/kernel"), *b = full.find("dense/kernel");
        QVERIFY(a && b);
        QVERIFY(a->dtype == DType::F16);
        QCOMPARE(a->bytes.size() * 2, b->bytes.size());
        for (std::size_t i = 0; i < b->bytes.size() / 4; ++i) {
            float wide = 0;
            std::uint16_t narrow = 0;
            std::memcpy(&wide, b->bytes.data() + 4 * i, 4);
            std::memcpy(&narrow, a->bytes.data() + 2 * i, 2);
            QCOMPARE(narrow, kernels::floatToHalf(wide));
        }
    }

    void learnsAsFloat32Does_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("tile");
        for (auto const *policy : {"float16", "mixed_float16"})
            for (bool tile : {false, true}) QTest::addRow("%s, %s", policy, tile ? "tile" : "fused") << QString(policy) << tile;
    }
    void learnsAsFloat32Does()
    {
        QFETCH(QString, policy);
        QFETCH(bool, tile);
        Fields const fields{
            {"data.limit", "1600"}, {"training.epochs", "2"}, {"training.optimizer", "SGD"}, {"training.optimizer.learning_rate", "0.1"}};
        auto const mode = tile ? runtime::Mode::Tile : runtime::Mode::Fused;
        auto request = requestIn(m_folder, mode);
        request.epochs = 2;
        auto const half = runtime::train(halfModel(policy.toUtf8().constData(), fields), request, {}, {});
        auto const full = runtime::train(mnist("gc200:tiles=16", smallModel(fields)), request, {}, {});
        QVERIFY2(half.ok() && full.ok(), half.ok() ? "" : toText(half.error()).c_str());
        auto const a = half->epochs.back().loss, b = full->epochs.back().loss;
        QVERIFY(b < 1.5); // something was learnt
        QVERIFY2(std::abs(a - b) < 0.02 * b, qPrintable(QString("%1 and %2").arg(a).arg(b)));
        // The trained weights can be used.
        auto const used = runtime::evaluate(halfModel(policy.toUtf8().constData(), fields), requestIn(m_folder, mode), &half->state, {});
        QVERIFY2(used.ok(), used.ok() ? "" : toText(used.error()).c_str());
        QVERIFY(std::isfinite(used->loss));
        auto const predicted =
            runtime::predict(halfModel(policy.toUtf8().constData(), fields), requestIn(m_folder, mode), &half->state, {});
        QVERIFY2(predicted.ok(), predicted.ok() ? "" : toText(predicted.error()).c_str());
        auto const &scores = predicted->outputs.at(0).values;
        QCOMPARE(static_cast<std::int64_t>(scores.size()), predicted->samples * 10);
        float sum = 0;
        for (int i = 0; i < 10; ++i) sum += scores[static_cast<std::size_t>(i)];
        QVERIFY(std::abs(sum - 1) < 0.01f);
    }

    /// A loss so small that no gradient of float16 is left of it trains all the same when it is scaled.
    void aScaledLossKeepsGradients_data()
    {
        QTest::addColumn<bool>("tile");
        QTest::newRow("fused") << false;
        QTest::newRow("tile") << true;
    }
    void aScaledLossKeepsGradients()
    {
        QFETCH(bool, tile);
        auto const mode = tile ? runtime::Mode::Tile : runtime::Mode::Fused;
        Fields const data{{"data.limit", "800"}, {"training.epochs", "2"}, {"training.optimizer", "SGD"}};
        auto const after = [&](char const *rate, Fields more) {
            more.insert(more.begin(), data.begin(), data.end());
            more.emplace_back("training.optimizer.learning_rate", rate);
            return runtime::train(halfModel("float16", more), requestIn(m_folder, mode), {}, {});
        };
        auto const lossOf = [&](runtime::TrainingState const &state) {
            auto const judged = runtime::evaluate(halfModel("float16", data), requestIn(m_folder, mode), &state, {});
            return judged.ok() ? judged->loss : std::nan("");
        };
        std::pair<std::string, std::string> const tiny{"training.loss_weights", "[1e-8]"};
        auto const still = after("0", {}), usual = after("0.1", {}), lost = after("1e7", {tiny});
        auto const kept = after("1e7", {tiny, {"training.optimizer.loss_scale_factor", "32768"}});
        QVERIFY(still.ok() && usual.ok() && lost.ok());
        QVERIFY2(kept.ok(), kept.ok() ? "" : toText(kept.error()).c_str());
        QCOMPARE(lost->weightsHash, still->weightsHash);
        double const wanted = lossOf(usual->state);
        QVERIFY(wanted < 0.8 * lossOf(still->state));
        QVERIFY2(std::abs(lossOf(kept->state) - wanted) < 0.03 * wanted,
                 qPrintable(QString("%1 and %2").arg(lossOf(kept->state)).arg(wanted)));
    }

    void anInputWithoutDataIsRefusedByName()
    {
        // The second input would have received the labels.
        using Json = nlohmann::ordered_json;
        auto const input = [](char const *name) {
            return Json{{"class_name", "InputLayer"},
                        {"name", name},
                        {"inbound_nodes", Json::array()},
                        {"config", {{"name", name}, {"batch_input_shape", {nullptr, 10}}, {"dtype", "float32"}}}};
        };
        auto const from = [](char const *name) { return Json{name, 0, 0, Json::object()}; };
        Json layers = Json::array();
        layers.push_back(input("left"));
        layers.push_back(input("right"));
        layers.push_back({{"class_name", "Concatenate"},
                          {"name", "join"},
                          {"config", {{"name", "join"}, {"axis", -1}}},
                          {"inbound_nodes", {Json::array({from("left"), from("right")})}}});
        layers.push_back({{"class_name", "Dense"},
                          {"name", "out"},
                          {"config", {{"name", "out"}, {"units", 10}, {"activation", "softmax"}}},
                          {"inbound_nodes", {Json::array({from("join")})}}});
        Json const model{{"class_name", "Functional"},
                         {"config",
                          {{"name", "pair"},
                           {"layers", layers},
                           {"input_layers", {{"left", 0, 0}, {"right", 0, 0}}},
                           {"output_layers", {{"out", 0, 0}}}}}};
        auto p = mnist("gc200:tiles=16");
        auto parsed = model::parseKerasJson(model.dump());
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : toText(parsed.error()).c_str());
        p.model = std::move(parsed).value();
        for (bool predicts : {false, true}) {
            auto const failure = predicts ? runtime::predict(p, requestIn(m_folder), nullptr, {}).error()
                                          : runtime::train(p, requestIn(m_folder), {}, {}).error();
            QCOMPARE(failure.code, std::string("data.inputs"));
        }
    }

    void everyOutputIsPredicted()
    {
        using Json = nlohmann::ordered_json;
        auto const from = [](char const *name) { return Json{name, 0, 0, Json::object()}; };
        auto const dense = [&](char const *name, char const *source, int units) {
            return Json{{"class_name", "Dense"},
                        {"name", name},
                        {"config", {{"name", name}, {"units", units}, {"activation", "softmax"}}},
                        {"inbound_nodes", {Json::array({from(source)})}}};
        };
        Json layers = Json::array();
        layers.push_back({{"class_name", "InputLayer"},
                          {"name", "in"},
                          {"inbound_nodes", Json::array()},
                          {"config", {{"name", "in"}, {"batch_input_shape", {nullptr, 28, 28}}, {"dtype", "float32"}}}});
        layers.push_back(
            {{"class_name", "Flatten"}, {"name", "flat"}, {"config", {{"name", "flat"}}}, {"inbound_nodes", {Json::array({from("in")})}}});
        layers.push_back(dense("digit", "flat", 10));
        layers.push_back(dense("half", "flat", 2));
        Json const model{{"class_name", "Functional"},
                         {"config",
                          {{"name", "heads"},
                           {"layers", layers},
                           {"input_layers", Json::array({Json{"in", 0, 0}})},
                           {"output_layers", Json::array({Json{"digit", 0, 0}, Json{"half", 0, 0}})}}}};
        auto p = mnist("gc200:tiles=16");
        auto parsed = model::parseKerasJson(model.dump());
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : toText(parsed.error()).c_str());
        p.model = std::move(parsed).value();
        for (auto mode : {runtime::Mode::Fused, runtime::Mode::Tile}) {
            auto const outcome = runtime::predict(p, requestIn(m_folder, mode), nullptr, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            QCOMPARE(outcome->outputs.size(), std::size_t(2));
            QCOMPARE(outcome->outputs[0].name, std::string("digit"));
            QCOMPARE(outcome->outputs[1].name, std::string("half"));
            QCOMPARE(outcome->outputs[1].shape, (Shape{outcome->samples, 2}));
            QCOMPARE(static_cast<std::int64_t>(outcome->outputs[1].values.size()), outcome->samples * 2);
            QVERIFY(std::abs(outcome->outputs[1].values[0] + outcome->outputs[1].values[1] - 1) < 1e-5f);
        }
    }

private:
    runtime::TrainingState compiledState(project::Project const &p)
    {
        auto request = requestIn(m_folder).compile;
        request.kind = compiler::RunKind::Train;
        auto const compiled = compiler::compile(p, request, {}).value();
        return runtime::initialState(p, compiled.entry()).value();
    }

    SessionFolder m_folder;
};

TW_REGISTER_TEST(TstFloat16);
#include "tst_float16.moc"
