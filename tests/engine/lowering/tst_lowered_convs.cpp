#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/random_conv.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::tests;
using graph::Builder;
using graph::Graph;
using graph::Role;

/// Convolutions on tile memories against the oracle: whatever the plan, the halo and the sums over tiles.
class TstLoweredConvs : public QObject {
    Q_OBJECT

    static std::string describe(std::uint64_t seed, graph::ConvGeometry const &g, std::string const &target)
    {
        return "seed " + std::to_string(seed) + " x " + toText(g.inShape()) + " w " + toText(g.kernelShape()) + " groups "
            + std::to_string(g.groups) + " on " + target;
    }
    static std::string targetOf(RandomStream &random)
    {
        static char const *const kTargets[] = {"gc200:tiles=4", "gc200:tiles=8", "gc200:tiles=61", "gc200"};
        return kTargets[random.below(4)];
    }

private slots:
    void eachOfTheThreeGivesTheNumbersOfTheReference()
    {
        std::set<std::string> vertices;
        int sums = 0, halos = 0, kernels = 0;
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            RandomStream random(deriveSeed(21, seed));
            auto const conv = randomConv(random);
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            static char const *const kOps[] = {"conv", "conv_input_grad", "conv_weight_grad"};
            std::string const op = kOps[seed % 3];
            Graph g;
            g.name = "test";
            graph::addRegion(g, "main");
            Builder b(g, graph::RegionId(0));
            auto const [first, second] = conv.operands(op);
            auto const x = input(b, "a", first, type), w = input(b, "b", second, type, Role::Weight);
            auto const y = addOp(b, op, {x, w}, conv.of(op), "Conv");
            auto const target = targetOf(random);
            lowering::Options options;
            if (random.below(4) == 0) options.availableMemoryProportion = 0.002;
            auto const run = lowerAndRun(g, {y}, target, options, seed, type == DType::F32 ? 1e-5 : 2e-3);
            auto const text = describe(seed, conv.geometry, target) + " " + op + ": " + run.failure;
            QVERIFY2(run.failure.empty(), qPrintable(QString::fromStdString(text)));
            for (auto const &o : run.lowered.program.ops)
                kernels += !o.plan.empty() && o.plan.substr(0, o.plan.find("alternatives")).find("\"kernel\":1}") == std::string::npos;
            for (auto const &codelet : run.lowered.program.codelets)
                if (codelet.starts_with("Conv")) vertices.insert(codelet);
            for (auto const &v : run.lowered.program.variables) {
                sums += v.layout.has(program::DimKind::Addend);
                for (int d = 0; d < v.layout.rank; ++d) halos += v.layout.dim(d).overlaps();
            }
        }
        QVERIFY2(vertices.size() >= 4, qPrintable(QString::number(vertices.size())));
        QVERIFY(sums > 20);
        QVERIFY(halos > 50);
        QVERIFY2(kernels > 3, qPrintable(QString::number(kernels))); // elements of the kernel dealt to neighbours
    }

    /// All three on the joint grid, with the surrounding parts of a layer: bias, activation, gradient of the bias.
    void aLayerStaysOnItsTiles()
    {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            RandomStream random(deriveSeed(22, seed));
            auto const conv = randomConv(random);
            auto const &c = conv.geometry;
            Graph g;
            g.name = "test";
            graph::addRegion(g, "main");
            Builder b(g, graph::RegionId(0));
            b.layer = "conv";
            auto const x = input(b, "x", c.inShape()), w = input(b, "w", c.kernelShape(), DType::F32, Role::Weight);
            auto const bias = input(b, "bias", {c.groups * c.filters}, DType::F32, Role::Weight), d = input(b, "d", c.outShape());
            auto const y = addOp(b, "conv", {x, w}, conv.of("conv"), "Conv");
            auto const z = addOp(b, "relu", {addOp(b, "add", {y, bias}, {}, "BiasAdd")}, {}, "Relu");
            b.pass = graph::Pass::Backward;
            auto const dz = addOp(b, "relu_grad", {z, d}, {}, "ReluGrad");
            auto const db = addOp(b, "reduce_sum", {dz}, {{"axes", Shape{0, 1, 2}}}, "BiasGrad");
            auto const dw = addOp(b, "conv_weight_grad", {x, dz}, conv.of("conv_weight_grad"), "Update");
            auto const dx = addOp(b, "conv_input_grad", {dz, w}, conv.of("conv_input_grad"), "Backward");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {z, db, dw, dx}, target, {}, seed, 1e-5);
            auto const text = describe(seed, c, target) + ": " + run.failure;
            QVERIFY2(run.failure.empty(), qPrintable(QString::fromStdString(text)));
            if (c.groups > 1) continue;
            // Without groups nothing moves between the convolution and its activation but the bias.
            for (auto const &exchange : run.lowered.program.exchanges)
                for (auto const &t : exchange.transfers)
                    QVERIFY2(run.lowered.program.var(t.src).name != g.value(y).name,
                             qPrintable(QString::fromStdString(text + exchange.name)));
        }
    }

    void plansStateTheirChoiceAndReason()
    {
        lowering::ConvProblem problem;
        auto &c = problem.geometry;
        c.batch = 32;
        c.channels = 32;
        c.filters = 64;
        for (std::size_t i : {std::size_t{1}, std::size_t{2}}) c.axis[i] = {26, 3, 24, 1, 1, 0};
        problem.inputGradient = problem.weightGradient = true;
        auto const chip = target::parseMachine("gc200").value().chip;
        auto const plans = lowering::planConv(problem, chip, {});
        QVERIFY(plans.best.size() == 5 && plans.considered > 100);
        for (std::size_t i = 1; i < plans.best.size(); ++i) QVERIFY(plans.best[i - 1].total() <= plans.best[i].total());
        auto const &best = plans.best.front();
        QVERIFY(best.tiles() > chip.tiles / 3 && best.tiles() <= chip.tiles);
        // More than half of the machine's peak would be another machine, a hundredth another planner.
        auto const ideal = 3 * lowering::idealConvCycles(c, DType::F32, chip);
        QVERIFY2(best.total() > ideal && best.total() < 20 * ideal, qPrintable(QString("%1 of %2").arg(best.total()).arg(ideal)));
        // Less memory, other plans; never so little that there is no plan.
        lowering::ConvOptions tight;
        tight.availableMemoryProportion = 0.95 * static_cast<double>(best.temporaryBytes) / static_cast<double>(chip.bytesPerTile);
        auto const small = lowering::planConv(problem, chip, tight);
        QVERIFY(small.best.front().temporaryBytes < best.temporaryBytes);
        tight.availableMemoryProportion = 1e-6;
        QVERIFY(!lowering::planConv(problem, chip, tight).best.front().withinMemoryBound);
        auto const json = lowering::planJson(problem, plans);
        QVERIFY(json.find("\"vertex\":\"nx1\"") != std::string::npos && json.find("\"alternatives\"") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstLoweredConvs);
#include "tst_lowered_convs.moc"
