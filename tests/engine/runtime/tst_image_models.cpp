#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

using namespace tilewright;
using namespace tilewright::tests;
using runtime::Mode;

/// Image models: windows, and layouts of more than two dimensions.
class TstImageModels : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static project::Project pooled(std::string const &target)
    {
        auto p = mnist(target, {{"training.batch_size", "16"}});
        p.model = {};
        p.model.name = "pooled";
        auto const layer = [&](char const *type, char const *name, model::Json config = model::Json::object()) {
            p.model.layers.push_back(model::makeLayer(type, name, std::move(config)));
        };
        layer("Reshape", "reshape", {{"target_shape", {28, 28, 1}}, {"batch_input_shape", {nullptr, 28, 28}}});
        layer("MaxPooling2D", "max", {{"pool_size", 3}, {"strides", 2}, {"padding", "same"}});
        layer("Dense", "wide", {{"units", 12}, {"activation", "tanh"}, {"use_bias", false}}); // no bias: the normalisation would cancel it
        layer("BatchNormalization", "batch", {{"momentum", 0.9}});
        layer("AveragePooling2D", "average");
        layer("MaxPooling2D", "again");
        layer("Dense", "wider", {{"units", 20}, {"activation", "relu"}});
        layer("GroupNormalization", "group", {{"groups", 4}});
        layer("GaussianNoise", "noise", {{"stddev", 0.1}});
        layer("SpatialDropout2D", "spatial", {{"rate", 0.2}});
        layer("GlobalAveragePooling2D", "global");
        layer("LayerNormalization", "normal");
        layer("Dense", "out", {{"units", 10}, {"activation", "softmax"}});
        return p;
    }

private slots:
    void verifyAgrees_data()
    {
        QTest::addColumn<QString>("target");
        QTest::newRow("eight tiles") << "gc200:tiles=8";
        QTest::newRow("64 tiles") << "gc200:tiles=64";
        QTest::newRow("whole chip") << "gc200";
        QTest::newRow("two replicas") << "gc200:tiles=64,ipus=2";
    }
    void verifyAgrees()
    {
        QFETCH(QString, target);
        auto const outcome = runtime::verify(pooled(target.toStdString()), requestIn(m_folder, Mode::Tile, 2), 2, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        // Gradients after whitening are differences of nearly equal sums, so more of their rounding is visible.
        for (auto const &tensor : outcome->tensors)
            QVERIFY2(tensor.maxRelativeError <= 1e-4,
                     qPrintable(QString::fromStdString(tensor.name) + " " + QString::number(tensor.maxRelativeError)));
    }
    void verifyAgreesInAPipeline()
    {
        auto p = pooled("gc200:tiles=64,ipus=2");
        p = project::withField(p, "data.limit", "512", nullptr).value();
        p = project::withField(p, "training.gradient_accumulation_steps", "8", nullptr).value();
        p = project::withField(p, "training.steps_per_execution", "8", nullptr).value();
        for (std::size_t i = 0; i < p.model.layers.size(); ++i) p.model.layers[i].stage = i < 5 ? 0 : 1;
        auto const outcome = runtime::verify(p, requestIn(m_folder, Mode::Tile, 2), 1, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY2(outcome->maxRelativeError <= 1e-4, qPrintable(QString::number(outcome->maxRelativeError)));
    }
    /// In training they follow the batches, in both modes alike; without training nothing moves them.
    void movingStatisticsFollowTheBatches()
    {
        auto const p = project::withField(pooled("gc200:tiles=8"), "training.optimizer", "sgd", nullptr).value();
        auto const a = trained(p, requestIn(m_folder, Mode::Fused, 2)), b = trained(p, requestIn(m_folder, Mode::Tile, 2));
        for (std::string const name : {"batch/moving_mean", "batch/moving_variance"}) {
            auto const *fused = a.state.find(name), *tile = b.state.find(name);
            QVERIFY2(fused && tile, name.c_str());
            auto const x = floatsOf(*fused), y = floatsOf(*tile);
            double moved = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
                moved += std::abs(x[i] - (name.ends_with("mean") ? 0.0f : 1.0f));
                QVERIFY2(std::abs(x[i] - y[i]) <= 1e-4, name.c_str());
            }
            QVERIFY2(moved > 0.1, name.c_str());
        }
        auto frozen = p;
        for (auto &layer : frozen.model.layers)
            if (layer.name == "batch") layer.config["trainable"] = false;
        auto const kept = trained(frozen, requestIn(m_folder));
        for (float const x : floatsOf(*kept.state.find("batch/moving_mean"))) QCOMPARE(x, 0.0f);
    }
    /// Kernels of convolutions are placed where their gradient is summed: an update sends nothing, on the whole chip and on a few tiles.
    void updatesOfKernelsMoveNothing()
    {
        for (std::string const target : {"gc200", "gc200:tiles=32"}) {
            auto p = project::withField(project::fromTemplate("mnist-cnn").value(), "system.target", target, nullptr).value();
            auto const outcome = compiler::compile(p, requestIn(m_folder).compile, {});
            QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
            auto const &program = outcome->executable->program;
            int kernels = 0;
            for (auto const &v : program.variables) kernels += v.name == "conv2d/kernel" || v.name == "conv2d_1/kernel";
            QCOMPARE(kernels, 2);
            for (auto const &exchange : program.exchanges)
                for (auto const &transfer : exchange.transfers)
                    for (std::string const layer : {"conv2d", "conv2d_1"}) {
                        auto const &to = program.var(transfer.dst).name;
                        QVERIFY2(!to.starts_with("update/" + layer + "/kernel") && to != layer + "/kernel",
                                 (target + ": " + exchange.name + " to " + to).c_str());
                    }
        }
    }
    /// Images take the pages that are used, not whole tiles, whatever the system's huge pages are set to.
    void imagesTakeTheMemoryThatIsUsed()
    {
        auto const p = project::withField(project::fromTemplate("mnist-cnn").value(), "data.limit", "64", nullptr).value();
        auto request = requestIn(m_folder, Mode::Tile, 2);
        request.steps = 2;
        runtime::RunObserver observer;
        emulator::TileMachine *machine = nullptr;
        Bytes live = 0, committed = 0;
        observer.ready = [&](runtime::Session &session) {
            machine = runtime::tileMachineOf(session.executor());
            auto const &memory = session.entry().executable().memory;
            for (std::size_t t = 0; t < memory.need.size(); ++t) live += memory.need[t];
        };
        request.every = 1;
        observer.step = [&](std::int64_t, double, auto const &) { committed = machine->committedBytes(); };
        auto const outcome = runtime::train(p, request, observer, {});
        QVERIFY2(outcome.ok(), outcome.ok() ? "" : toText(outcome.error()).c_str());
        QVERIFY(live > 0 && committed > 0);
        QVERIFY2(static_cast<double>(committed) <= 1.3 * static_cast<double>(live) + 64 * 1048576.0,
                 (std::to_string(committed) + " bytes committed, " + std::to_string(live) + " live").c_str());
        qInfo("%lld bytes committed, %lld live", static_cast<long long>(committed), static_cast<long long>(live));
    }
    void threadsDoNotChangeTheWeights()
    {
        auto const first = trained(pooled("gc200:tiles=8"), requestIn(m_folder, Mode::Fused, 1));
        for (int threads : {2, 3})
            QVERIFY(sameBytes(trained(pooled("gc200:tiles=8"), requestIn(m_folder, Mode::Fused, threads)).state, first.state));
    }
};

TW_REGISTER_TEST(TstImageModels);
#include "tst_image_models.moc"
