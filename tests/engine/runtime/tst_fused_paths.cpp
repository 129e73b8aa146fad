// The fast path of the fused mode (nodes together, values where the next step wants them) against node after node.
#include "engine/runtime/executor.h"
#include "engine/runtime/infeed.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <numeric>
#include <random>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

/// Bytes of all variables of all replicas after a few updates from drawn values.
std::vector<std::vector<std::byte>> trained(project::Project const &p, runtime::FusedPath path, int threads)
{
    constexpr std::int64_t kUpdates = 3;
    runtime::CompileRequest request;
    request.useCache = false;
    auto const compiled = runtime::compile(p, request, {});
    if (!compiled.ok()) qFatal("%s", toText(compiled.error()).c_str());
    auto const &exe = *compiled->executable;
    auto const dataset = runtime::openData(p, {}, {});
    if (!dataset.ok()) qFatal("%s", toText(dataset.error()).c_str());
    ThreadPool pool(threads);
    auto const executor = runtime::makeFusedExecutor(exe, 7, pool, path).value();
    std::mt19937 random(3);
    std::uniform_real_distribution<float> spread(-0.3f, 0.3f);
    for (std::size_t v = 0; v < exe.graph.variables.size(); ++v) {
        auto const &variable = exe.graph.variables[v];
        if (variable.dtype != DType::F32 || variable.role != graph::Role::Weight) continue;
        std::vector<float> values(static_cast<std::size_t>(elementCount(variable.shape)));
        for (auto &value : values) value = spread(random);
        executor->write(graph::VariableId(v), std::as_bytes(std::span(values)));
    }
    runtime::Infeed infeed(dataset->x, dataset->y, static_cast<float>(dataset->scale), exe.infeed, exe.batchSize, exe.replicas, 0);
    std::vector<std::uint32_t> order(static_cast<std::size_t>(dataset->x.count()));
    std::iota(order.begin(), order.end(), 0u);
    infeed.begin(order, 0, kUpdates * exe.microBatchesPerUpdate);
    runtime::StreamHandlers streams;
    streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return infeed.next(r, index, to, bytes); };
    streams.fromDevice = [](int, int, std::byte const *, std::size_t) -> Status { return {}; };
    for (std::int64_t i = 0; i < kUpdates; ++i) {
        auto const went = executor->runUpdate(streams, {});
        if (!went.ok()) qFatal("%s", toText(went.error()).c_str());
    }
    std::vector<std::vector<std::byte>> state;
    for (int r = 0; r < exe.replicas; ++r)
        for (std::size_t v = 0; v < exe.graph.variables.size(); ++v) state.push_back(executor->read(graph::VariableId(v), r));
    return state;
}

} // namespace

class TstFusedPaths : public QObject {
    Q_OBJECT
private slots:
    void bothHaveTheSameBits_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("target");
        QTest::newRow("perceptron") << "mnist-mlp" << "" << "gc200";
        QTest::newRow("perceptron, 2 replicas") << "mnist-mlp" << "" << "gc200:ipus=2";
        QTest::newRow("convolutions") << "mnist-cnn" << "" << "gc200";
        QTest::newRow("LSTM") << "mnist-lstm" << "" << "gc200";
        QTest::newRow("LSTM from the last step, all steps") << "mnist-lstm" << "backwards" << "gc200";
        QTest::newRow("GRU") << "mnist-lstm" << "GRU" << "gc200";
        QTest::newRow("encoders") << "transformer-sort" << "" << "gc200";
        QTest::newRow("own loop") << "custom-loop" << "" << "gc200";
    }
    void bothHaveTheSameBits()
    {
        QFETCH(QString, name);
        QFETCH(QString, layer);
        QFETCH(QString, target);
        auto p = project::fromTemplate(name.toStdString()).value();
        for (auto const &[path, value] : Fields{{"system.target", target.toStdString()}, {"data.limit", "256"}, {"training.steps_per_execution", "1"}})
            p = project::withField(p, path, value, nullptr).value();
        if (layer == "GRU")
            for (auto &each : p.model.layers)
                if (each.className == "LSTM") each = model::makeLayer("GRU", each.name, {{"units", 24}, {"batch_input_shape", {nullptr, 28, 28}}});
        if (layer == "backwards") {
            std::vector<model::Layer> layers;
            for (auto &each : p.model.layers) {
                if (each.className != "LSTM") {
                    layers.push_back(each);
                    continue;
                }
                layers.push_back(model::makeLayer("LSTM", "first", {{"units", 20}, {"return_sequences", true}, {"go_backwards", true}, {"batch_input_shape", {nullptr, 28, 28}}}));
                layers.push_back(model::makeLayer("LSTM", "second", {{"units", 33}}));
            }
            p.model.layers = layers;
        }
        auto const plain = trained(p, runtime::FusedPath::Plain, 1);
        QVERIFY(!plain.empty());
        for (int threads : {1, 2}) QVERIFY(trained(p, runtime::FusedPath::Fast, threads) == plain);
    }
};

TW_REGISTER_TEST(TstFusedPaths);
#include "tst_fused_paths.moc"
