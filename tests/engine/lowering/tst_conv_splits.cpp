#include "engine/lowering/conv_layouts.h"
#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/random_conv.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::tests;
using cost::ConvPart;
using graph::Builder;
using graph::Graph;
using graph::Role;

/// Convolutions in serial splits: less memory at once, the same numbers.
class TstConvSplits : public QObject {
    Q_OBJECT

    /// A convolution with filters and channels for several splits of the AMP.
    static RandomConv wideConv(RandomStream &random)
    {
        auto conv = randomConv(random, 6);
        auto &g = conv.geometry;
        auto const one = [&](std::int64_t &n) { n = 16 * (1 + static_cast<std::int64_t>(random.below(4))); };
        one(g.channels);
        one(g.filters);
        if (g.groups > 1) g.groups = 2;
        conv.attrs.set("groups", g.groups);
        return conv;
    }
    static double proportionBelow(lowering::ConvPlan const &plan, target::Chip const &chip, double factor)
    {
        return factor * static_cast<double>(plan.temporaryBytes) / static_cast<double>(chip.bytesPerTile);
    }
    static std::string describe(std::uint64_t seed, graph::ConvGeometry const &g)
    {
        return "seed " + std::to_string(seed) + " x " + toText(g.inShape()) + " w " + toText(g.kernelShape()) + " groups "
            + std::to_string(g.groups);
    }
    static bool hasStep(lowering::Lowered const &lowered, std::string const &name)
    {
        return std::ranges::any_of(lowered.program.computeSets, [&](auto const &set) { return set.name.find(name) != std::string::npos; });
    }

private slots:
    void passesGiveTheNumbersOfTheReference()
    {
        std::array<int, 3> inSplits{};
        static char const *const kOps[] = {"conv", "conv_input_grad", "conv_weight_grad"};
        auto const chip = target::parseMachine("gc200:tiles=4").value().chip;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomStream random(deriveSeed(31, seed));
            auto const conv = wideConv(random);
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            auto const part = seed % 3;
            std::string const op = kOps[part];
            lowering::ConvProblem problem;
            problem.geometry = conv.geometry;
            problem.in = type;
            problem.output = part == 0;
            problem.inputGradient = part == 1;
            problem.weightGradient = part == 2;
            lowering::Options options;
            options.convMemoryProportion = proportionBelow(lowering::planConv(problem, chip, {}).best.front(), chip, 0.75);
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const [first, second] = conv.operands(op);
            auto const x = input(b, "a", first, type), w = input(b, "b", second, type, Role::Weight);
            auto const y = addOp(b, op, {x, w}, conv.of(op), "Conv");
            auto const run = lowerAndRun(g, {y}, "gc200:tiles=4", options, seed, type == DType::F32 ? 1e-5 : 2e-3);
            RUN_CASE(run, describe(seed, conv.geometry) + " " + op);
            inSplits[part] += hasStep(run.lowered, "/split1/");
        }
        for (std::size_t const part : {std::size_t{1}, std::size_t{2}})
            QVERIFY2(inSplits[part] > 3, qPrintable(QString::number(inSplits[part])));
        QCOMPARE(inSplits[0], 0); // the operation after the output would need another layout
    }

    /// A layer's three convolutions with their neighbours; the update of the weights moves nothing, whatever the splits.
    void layersInPassesAreUpdatedInPlace()
    {
        int updates = 0;
        auto const chip = target::parseMachine("gc200:tiles=8").value().chip;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            RandomStream random(deriveSeed(32, seed));
            auto const conv = wideConv(random);
            auto const &c = conv.geometry;
            lowering::ConvProblem problem;
            problem.geometry = c;
            problem.inputGradient = problem.weightGradient = true;
            lowering::Options options;
            options.convMemoryProportion = proportionBelow(lowering::planConv(problem, chip, {}).best.front(), chip, 0.85);
            auto const plan = lowering::planConv(problem, chip, {options.convMemoryProportion, DType::F32}).best.front();
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            b.layer = "conv";
            auto const x = input(b, "x", c.inShape()), w = input(b, "w", c.kernelShape(), DType::F32, Role::Weight);
            auto const d = input(b, "d", c.outShape()), bias = input(b, "bias", {c.groups * c.filters}, DType::F32, Role::Weight);
            auto const z = addOp(b, "add", {addOp(b, "conv", {x, w}, conv.of("conv"), "Conv"), bias}, {}, "BiasAdd");
            auto const y = addOp(b, "relu", {z}, {}, "Relu");
            b.pass = graph::Pass::Backward;
            auto const dz = addOp(b, "relu_grad", {y, d}, {}, "ReluGrad");
            auto const dw = addOp(b, "conv_weight_grad", {x, dz}, conv.of("conv_weight_grad"), "Update");
            auto const dx = addOp(b, "conv_input_grad", {dz, w}, conv.of("conv_input_grad"), "Backward");
            auto const next = addOp(b, "sub", {w, dw}, {}, "Step");
            auto const run = lowerAndRun(g, {y, dx, next}, "gc200:tiles=8", options, seed, 1e-5);
            auto const text = describe(seed, c);
            RUN_CASE(run, text);
            if (plan.splitsOf(ConvPart::WeightGradient) == 1) continue;
            ++updates;
            for (auto const &exchange : run.lowered.program.exchanges)
                QVERIFY2(exchange.name.find("Step") == std::string::npos, qPrintable(QString::fromStdString(text + " " + exchange.name)));
        }
        QVERIFY2(updates > 3, qPrintable(QString::number(updates)));
    }

    void passesAreUsedOnlyForLackOfMemory()
    {
        lowering::ConvProblem problem;
        auto &c = problem.geometry;
        c.batch = 4;
        c.channels = c.filters = 256;
        for (std::size_t i : {std::size_t{1}, std::size_t{2}}) c.axis[i] = {14, 3, 14, 1, 1, 1};
        problem.inputGradient = problem.weightGradient = true;
        auto const chip = target::parseMachine("gc200:tiles=16").value().chip;
        auto const large = lowering::planConv(problem, chip, {});
        auto const tiny = [&](double proportion) { return lowering::planConv(problem, chip, {proportion, DType::F32}); };
        std::int64_t most = 1;
        Cycles before = 0;
        for (double const factor : {1.0, 0.95, 0.9, 0.8}) {
            double const proportion = proportionBelow(large.best.front(), chip, factor);
            auto const plans = tiny(proportion);
            auto const &best = plans.best.front();
            for (auto const n : best.splits) most = std::max(most, n);
            if (!best.withinMemoryBound) break;
            QVERIFY2(static_cast<double>(best.temporaryBytes) <= proportion * static_cast<double>(chip.bytesPerTile),
                     qPrintable(QString::number(proportion)));
            QVERIFY(best.total() >= before); // less memory is never faster
            before = best.total();
        }
        QVERIFY2(most > 1, "no plan has splits");
        // If none meets the limit, the one with the least memory.
        auto const least = tiny(1e-6).best;
        QVERIFY(!least.front().withinMemoryBound);
        for (std::size_t i = 1; i < least.size(); ++i) QVERIFY(least[i - 1].temporaryBytes <= least[i].temporaryBytes);
        for (double const proportion : {0.6, 0.2, 0.1, 0.05})
            for (auto const &plan : tiny(proportion).best) QVERIFY(plan.temporaryBytes >= least.front().temporaryBytes);
        // On many tiles nothing is too large.
        auto const whole = target::parseMachine("gc200").value().chip;
        auto const roomy = lowering::planConv(problem, whole, {});
        QCOMPARE(roomy.best.front().splits, (std::array<std::int64_t, 3>{1, 1, 1}));
        // The report contains them.
        QVERIFY(lowering::planJson(problem, large).find("\"serial\":[") != std::string::npos);
    }

    void aPassIsASmallerConvolutionOnTheSameTiles()
    {
        lowering::ConvPlan plan;
        plan.filterBlock = 32;
        plan.channelBlock = 16;
        plan.splits = {4, 2, 1};
        graph::ConvGeometry g;
        g.channels = 32;
        g.filters = 64;
        auto const output = lowering::oneSplit(plan, g, ConvPart::Output), input = lowering::oneSplit(plan, g, ConvPart::InputGradient);
        QCOMPARE(output.plan.filterBlock, std::int64_t{8});
        QCOMPARE(output.geometry.filters, std::int64_t{16});
        QCOMPARE(output.geometry.channels, std::int64_t{32});
        QCOMPARE(input.plan.channelBlock, std::int64_t{8});
        QCOMPARE(input.geometry.channels, std::int64_t{16});
        QCOMPARE(input.geometry.filters, std::int64_t{64});
        QCOMPARE(lowering::oneSplit(plan, g, ConvPart::WeightGradient).geometry, g);
    }
};

TW_REGISTER_TEST(TstConvSplits);
#include "tst_conv_splits.moc"
