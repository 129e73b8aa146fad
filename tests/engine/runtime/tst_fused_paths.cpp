// The fast path of the fused mode (grouped nodes, values stored where the next step needs them) against node after node.
#include "engine/graph/graph.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/fused_storage.h"
#include "engine/runtime/fused_values.h"
#include "engine/runtime/infeed.h"
#include "engine/runtime/session_parts.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <map>
#include <numeric>
#include <random>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

/// Bytes of all variables of all replicas after a few updates from drawn values.
std::vector<std::vector<std::byte>> trained(project::Project const &p, runtime::FusedPath path, int threads)
{
    constexpr std::int64_t kUpdates = 3;
    compiler::CompileRequest request;
    request.useCache = false;
    auto const compiled = compiler::compile(p, request, {});
    if (!compiled.ok()) qFatal("%s", toText(compiled.error()).c_str());
    auto const entry = compiled->entry();
    auto const dataset = runtime::openData(p, {}, {});
    if (!dataset.ok()) qFatal("%s", toText(dataset.error()).c_str());
    ThreadPool pool(threads);
    auto const executor = runtime::makeFusedExecutor(entry, 7, pool, path).value();
    std::mt19937 random(3);
    std::uniform_real_distribution<float> spread(-0.3f, 0.3f);
    for (std::size_t v = 0; v < entry->graph.variables.size(); ++v) {
        auto const &variable = entry->graph.variables[v];
        if (variable.dtype != DType::F32 || variable.role != graph::Role::Weight) continue;
        std::vector<float> values(static_cast<std::size_t>(elementCount(variable.shape)));
        for (auto &value : values) value = spread(random);
        executor->write(graph::VariableId(v), std::as_bytes(std::span(values)));
    }
    runtime::Infeed infeed(dataset->x, dataset->y, static_cast<float>(dataset->scale), entry->infeed, entry->batchSize, entry.replicas(),
                           0);
    std::vector<std::uint32_t> order(static_cast<std::size_t>(dataset->x.count()));
    std::iota(order.begin(), order.end(), 0u);
    infeed.begin(order, 0, kUpdates * entry->microBatchesPerUpdate);
    runtime::StreamHandlers streams;
    streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return infeed.next(r, index, to, bytes); };
    streams.fromDevice = [](int, int, std::byte const *, std::size_t) -> Status { return {}; };
    for (std::int64_t i = 0; i < kUpdates; ++i) {
        auto const went = executor->runUpdate(streams, {});
        if (!went.ok()) qFatal("%s", toText(went.error()).c_str());
    }
    std::vector<std::vector<std::byte>> state;
    for (int r = 0; r < entry.replicas(); ++r)
        for (std::size_t v = 0; v < entry->graph.variables.size(); ++v) state.push_back(executor->read(graph::VariableId(v), r));
    return state;
}

graph::Graph parsed(std::string const &text)
{
    auto graph = graph::parse(text);
    if (!graph.ok()) qFatal("%s", toText(graph.error()).c_str());
    return std::move(graph).value();
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
        QTest::newRow("perceptron") << "mnist-mlp"
                                    << ""
                                    << "gc200";
        QTest::newRow("perceptron, 2 replicas") << "mnist-mlp"
                                                << ""
                                                << "gc200:ipus=2";
        QTest::newRow("convolutions") << "mnist-cnn"
                                      << ""
                                      << "gc200";
        QTest::newRow("convolutions, 4 replicas") << "mnist-cnn"
                                                  << ""
                                                  << "gc200:ipus=4";
        QTest::newRow("LSTM, 2 replicas") << "mnist-lstm"
                                          << ""
                                          << "gc200:ipus=2";
        QTest::newRow("encoders, 2 replicas") << "transformer-sort"
                                              << ""
                                              << "gc200:ipus=2";
        QTest::newRow("LSTM") << "mnist-lstm"
                              << ""
                              << "gc200";
        QTest::newRow("LSTM from the last step, all steps") << "mnist-lstm"
                                                            << "backwards"
                                                            << "gc200";
        QTest::newRow("GRU") << "mnist-lstm"
                             << "GRU"
                             << "gc200";
        QTest::newRow("encoders") << "transformer-sort"
                                  << ""
                                  << "gc200";
        QTest::newRow("own loop") << "custom-loop"
                                  << ""
                                  << "gc200";
    }
    void bothHaveTheSameBits()
    {
        QFETCH(QString, name);
        QFETCH(QString, layer);
        QFETCH(QString, target);
        auto p = project::fromTemplate(name.toStdString()).value();
        for (auto const &[path, value] :
             Fields{{"system.target", target.toStdString()}, {"data.limit", "512"}, {"training.steps_per_execution", "1"}})
            p = project::withField(p, path, value, nullptr).value();
        if (layer == "GRU")
            for (auto &each : p.model.layers)
                if (each.className == "LSTM")
                    each = model::makeLayer("GRU", each.name, {{"units", 24}, {"batch_input_shape", {nullptr, 28, 28}}});
        if (layer == "backwards") {
            std::vector<model::Layer> layers;
            for (auto &each : p.model.layers) {
                if (each.className != "LSTM") {
                    layers.push_back(each);
                    continue;
                }
                layers.push_back(model::makeLayer(
                    "LSTM", "first",
                    {{"units", 20}, {"return_sequences", true}, {"go_backwards", true}, {"batch_input_shape", {nullptr, 28, 28}}}));
                layers.push_back(model::makeLayer("LSTM", "second", {{"units", 33}}));
            }
            p.model.layers = layers;
        }
        auto const plain = trained(p, runtime::FusedPath::Plain, 1);
        QVERIFY(!plain.empty());
        for (int threads : {1, 2}) QVERIFY(trained(p, runtime::FusedPath::Fast, threads) == plain);
    }
    void buffersAreTakenAgain()
    {
        runtime::BufferBook book;
        auto const large = book.take(1024), small = book.take(64);
        QVERIFY(large != small);
        book.give(large);
        QVERIFY(book.take(64) != large); // a small value does not hold a large buffer
        QCOMPARE(book.take(512), large);
        book.give(small);
        QCOMPARE(book.take(64), small);
        QCOMPARE(book.total(), Bytes{1024 + 64 + 64});
    }
    void valuesEndWithTheirLastReader()
    {
        auto const text = std::string(R"(graph "g" stages 1
region r0 "main" {
  %0 "x":f32[4]:input, %1 "labels":i32[4]:input = infeed() {queue="infeed"} name "infeed" layer "" pass forward stage 0
  %2 "a":f32[4]:activation = relu(%0) name "a" layer "" pass forward stage 0
  %3 "b":f32[4]:activation = neg(%2) name "b" layer "" pass forward stage 0 inplace [0]
  %4 "c":f32[4]:activation = add(%3, %0) name "c" layer "" pass forward stage 0
  outfeed(%4) {queue="outfeed"} name "outfeed" layer "" pass forward stage 0
}
)");
        auto const graph = parsed(text);
        runtime::ValueLifetimes const lifetimes(graph);
        std::map<std::string, std::size_t> endings;
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            for (auto value : lifetimes.endingWith(graph::NodeId(n))) endings[graph.value(value).name] = n;
        auto const nodeOf = [&](std::string const &name) {
            return static_cast<std::size_t>(std::ranges::find(graph.nodes, name, &graph::Node::name) - graph.nodes.begin());
        };
        // b has the storage of a.
        QCOMPARE(endings,
                 (std::map<std::string, std::size_t>{
                     {"x", nodeOf("c")}, {"labels", nodeOf("infeed")}, {"a", nodeOf("c")}, {"c", nodeOf("outfeed")}}));
    }
    void replicasHaveTheSameBytesBetweenMeetings()
    {
        auto const text = std::string(R"(graph "g" stages 1
region r0 "main" {
  %0 "x":f32[4]:input = infeed() {queue="infeed"} name "infeed" layer "" pass forward stage 0
  %1 "a":f32[4]:activation = relu(%0) name "a" layer "" pass forward stage 0
  %2 "b":f32[4]:activation = relu(%1) name "b" layer "" pass forward stage 0
  %3 "sum":f32[4]:activation = all_reduce(%2) name "sum" layer "" pass forward stage 0
  %4 "c":f32[4]:activation = add(%3, %1) name "c" layer "" pass forward stage 0
  outfeed(%4) {queue="outfeed"} name "outfeed" layer "" pass forward stage 0
}
)");
        auto const graph = parsed(text);
        runtime::ValueLifetimes const lifetimes(graph);
        std::map<std::string, bool> inTurn;
        for (std::size_t v = 0; v < graph.values.size(); ++v)
            inTurn[graph.values[v].name] = lifetimes.endsBeforeReplicasMeet(graph::ValueId(v));
        // a is read after the sum; b is an operand of the sum.
        QCOMPARE(inTurn, (std::map<std::string, bool>{{"x", true}, {"a", false}, {"b", false}, {"sum", false}, {"c", true}}));
    }
    void replicasDoNotMultiplyActivations()
    {
        auto const bytes = [](char const *target) {
            auto const p = project::withField(project::fromTemplate("mnist-cnn").value(), "system.target", target, nullptr).value();
            compiler::CompileRequest request;
            request.useCache = false;
            auto const compiled = compiler::compile(p, request, {}).value();
            Bytes state = 0;
            for (auto const &variable : compiled.entry()->graph.variables) state += runtime::valueBytes(variable.dtype, variable.shape);
            return std::pair(runtime::fusedExecutorBytes(compiled.entry()), state);
        };
        auto const [one, state] = bytes("gc200");
        auto const [four, again] = bytes("gc200:ipus=4");
        QCOMPARE(again, state);
        Bytes const beside = one - state; // activations, gradients, values kept per node
        QVERIFY2(four - 4 * state < 2 * beside, qPrintable(QString("%1 and %2 of %3").arg(one).arg(four).arg(state)));
    }
    void everyPathGivesOptimizersTheSameGradients()
    {
        auto const p = mnist("gc200:tiles=8", smallModel());
        compiler::CompileRequest request;
        request.useCache = false;
        auto const compiled = compiler::compile(p, request, {}).value();
        auto const entry = compiled.entry();
        auto const dataset = runtime::openData(p, {}, {}).value();
        ThreadPool pool(1);
        std::vector<std::vector<std::vector<std::byte>>> gradients;
        for (auto path : {runtime::FusedPath::Fast, runtime::FusedPath::Plain}) {
            auto const executor = runtime::makeFusedExecutor(entry, 7, pool, path).value();
            for (std::size_t w = 0; w < entry->weights.size(); ++w) {
                auto bytes = executor->read(entry->weights[w]);
                std::vector<float> values(bytes.size() / 4);
                for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1f * std::sin(static_cast<float>(i + w));
                executor->write(entry->weights[w], std::as_bytes(std::span(values)));
            }
            runtime::Infeed infeed(dataset.x, dataset.y, static_cast<float>(dataset.scale), entry->infeed, entry->batchSize,
                                   entry.replicas(), 0);
            std::vector<std::uint32_t> order(static_cast<std::size_t>(dataset.x.count()));
            std::iota(order.begin(), order.end(), 0u);
            infeed.begin(order, 0, 1);
            runtime::StreamHandlers streams;
            streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return infeed.next(r, index, to, bytes); };
            streams.fromDevice = [](int, int, std::byte const *, std::size_t) -> Status { return {}; };
            auto &read = gradients.emplace_back();
            executor->onGradient = [&](graph::NodeId, int, std::span<std::byte const> data) {
                read.emplace_back(data.begin(), data.end());
            };
            QVERIFY(executor->runUpdate(streams, {}).ok());
        }
        QCOMPARE(gradients[0].size(), std::size_t{6});
        QVERIFY(gradients[0] == gradients[1]);
    }
};

TW_REGISTER_TEST(TstFusedPaths);
#include "tst_fused_paths.moc"
