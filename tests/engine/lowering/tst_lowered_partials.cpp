#include "engine/graph/partial_sums.h"
#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/random_conv.h"
#include "tests/support/small_addends.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;
using graph::Builder;
using graph::Graph;
using graph::Role;

namespace {

void mark(Graph &g, std::string_view op)
{
    for (auto &node : g.nodes)
        if (node.op == op) graph::setHalfPartials(node, 16);
}
/// Permitted difference of the modes, which round at different places.
double toleranceOf(Graph const &g, std::string_view op)
{
    for (auto const &node : g.nodes)
        if (node.op == op) return std::max(0x1p-8, 0x1p-10 * std::sqrt(static_cast<double>(graph::partialStores(g, node))));
    return 0;
}

/// The tiles' results for variables with these elements.
double onTiles(Graph const &g, graph::ValueId wanted, std::vector<std::vector<double>> const &variables)
{
    auto const machine = target::parseMachine("gc200:tiles=1").value();
    auto lowered = lowering::lowerGraph(g, machine, 1, 1, {}, ops::loweringLookup(), {}).value();
    lowered.program.variables[lowered.values[wanted.index].index].alwaysLive = true;
    auto const liveness = lowering::analyseLiveness(lowered.program);
    auto const schedule = lowering::makeSchedule(lowered.program, machine, false);
    auto const memory =
        lowering::allocate(lowered.program, liveness, lowering::codeBytes(lowered.program, schedule.exchanges, machine, true), machine);
    emulator::LoadOptions load;
    load.imageBytes = memory.withGaps[0];
    ThreadPool pool(1);
    auto tiles = emulator::TileMachine::load(
                     lowered.program, machine, [&](program::VarId var, int tile) { return memory.addressOf(var, tile); }, load, pool)
                     .value();
    for (std::size_t v = 0; v < g.variables.size(); ++v) {
        reference::RefTensor const tensor{DType::F16, g.variables[v].shape, variables[v]};
        std::vector<std::byte> bytes(tensor.v.size() * 2);
        reference::toBytes(tensor, bytes.data());
        tiles->upload(lowered.variables[0][v], bytes);
    }
    if (auto const status = tiles->run(lowered.program.main, {}, {}); !status.ok()) qFatal("%s", toText(status.error()).c_str());
    return reference::fromBytes(DType::F16, {1}, tiles->download(lowered.values[wanted.index]).data()).v[0];
}

} // namespace

/// Partial sums of float16 on tiles against the oracle, which rounds in the order of the inputs.
class TstLoweredPartials : public QObject {
    Q_OBJECT
private slots:
    void convolutionsGiveTheNumbersOfTheReference()
    {
        int sums = 0;
        for (std::uint64_t seed = 0; seed < 90; ++seed) {
            RandomStream random(deriveSeed(41, seed));
            auto const conv = randomConv(random);
            static char const *const kOps[] = {"conv", "conv_input_grad", "conv_weight_grad"};
            std::string const op = kOps[seed % 3];
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const [first, second] = conv.operands(op);
            auto const x = input(b, "a", first, DType::F16), w = input(b, "b", second, DType::F16, Role::Weight);
            auto const y = addOp(b, op, {x, w}, conv.of(op), "Conv");
            mark(g, op);
            static char const *const kTargets[] = {"gc200:tiles=1", "gc200:tiles=4", "gc200:tiles=61", "gc200"};
            std::string const target = kTargets[random.below(4)];
            auto const run = lowerAndRun(g, {y}, target, {}, seed, toleranceOf(g, op));
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + op + " on " + target);
            bool half = false;
            for (auto const &v : run.lowered.program.variables) {
                half |= v.dtype == DType::F16 && (v.name == "Conv" || v.name == "Conv/partials");
                sums += v.layout.has(program::DimKind::Addend);
                QVERIFY2(v.dtype == DType::F16 || v.name.find("partials") == std::string::npos, v.name.c_str());
            }
            QVERIFY(half);
        }
        QVERIFY(sums > 10);
    }

    /// Sums along axes stay in float32 unless the graph requests otherwise.
    void reductionsGiveTheNumbersOfTheReference()
    {
        int wide = 0, narrow = 0;
        for (std::uint64_t seed = 0; seed < 90; ++seed) {
            RandomStream random(deriveSeed(42, seed));
            static Shape const kAxes[] = {{0}, {1}, {0, 1}};
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            // Sums of squares, so that they are as large as their addends, and few enough that no addend is lost.
            std::uint64_t const largest = seed % 3 == 2 ? 24 : 400;
            auto const rows = 1 + static_cast<std::int64_t>(random.below(largest)),
                       cols = 1 + static_cast<std::int64_t>(random.below(largest));
            auto const x = input(b, "x", {rows, cols}, DType::F16);
            auto const y = addOp(b, "reduce_sum", {addOp(b, "square", {x}, {}, "Square")}, {{"axes", kAxes[seed % 3]}}, "Sum");
            bool const half = random.below(2);
            if (half) mark(g, "reduce_sum");
            auto const target = targetOf(random);
            // Without rounding on the way one store is all: half a unit in the last place.
            auto const run = lowerAndRun(g, {y}, target, {}, seed, half ? toleranceOf(g, "reduce_sum") : 0x1p-10);
            RUN_CASE(run, "seed " + std::to_string(seed) + " on " + target);
            for (auto const &v : run.lowered.program.variables) {
                if (v.name.find("/partials") == std::string::npos) continue;
                QCOMPARE(v.dtype, half ? DType::F16 : DType::F32);
                (half ? narrow : wide) += 1;
            }
        }
        QVERIFY(wide > 5 && narrow > 5);
    }
    void sumsOverSeveralAxesAreRoundedOnce()
    {
        Graph g = emptyGraph();
        Builder b(g, graph::RegionId(0));
        auto const x = input(b, "x", {40, 6, 50}, DType::F16);
        auto const y = b.one("reduce_to", {x}, {1, 6, 1}, DType::F16);
        auto const run = lowerAndRun(g, {y}, "gc200:tiles=8", {}, 5, 0x1p-10);
        RUN_CASE(run, std::string("reduce_to"));
        int wide = 0;
        for (auto const &v : run.lowered.program.variables) wide += v.dtype == DType::F32;
        QVERIFY(wide > 0);
    }

    /// On one tile the order is the oracle's.
    void smallAddendsAreLost_data()
    {
        QTest::addColumn<QString>("op");
        for (auto const &sum : sumsOfMany()) QTest::newRow(sum.op.c_str()) << QString::fromStdString(sum.op);
    }
    void smallAddendsAreLost()
    {
        QFETCH(QString, op);
        auto const &wanted = sumOfMany(op.toStdString());
        for (bool half : {true, false}) {
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            std::vector<graph::ValueId> operands{input(b, "a", wanted.first, DType::F16)};
            if (!wanted.second.empty()) operands.push_back(input(b, "b", wanted.second, DType::F16, Role::Weight));
            auto const y = addOp(b, wanted.op, operands, wanted.attrs, "Sum");
            if (half) mark(g, wanted.op);
            QCOMPARE(onTiles(g, y, {smallAddends(), std::vector<double>(kManyInputs, 1.0)}), half ? 2048.0 : 2088.0);
        }
    }
};

TW_REGISTER_TEST(TstLoweredPartials);
#include "tst_lowered_partials.moc"
