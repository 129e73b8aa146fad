#include "engine/compiler/compile.h"
#include "engine/lowering/matmul_plan.h"
#include "engine/project/project.h"
#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::tests;
using graph::Builder;
using graph::Graph;
using graph::Role;

/// Products of joint plans and of batches in splits: less memory at once, the same numbers.
class TstProductSplits : public QObject {
    Q_OBJECT

    using Over = lowering::ProductSplits::Over;
    using Counts = std::map<std::string, int>;

    static double proportionBelow(lowering::MatmulPlan const &plan, target::Chip const &chip, double factor)
    {
        return factor * static_cast<double>(plan.temporaryBytes) / static_cast<double>(chip.bytesPerTile);
    }
    static void count(lowering::MatmulPlan const &plan, Counts &counts)
    {
        constexpr std::array kRoles{"forward ", "backward ", "update "};
        for (std::size_t i = 0; i < plan.splits.size(); ++i)
            if (plan.splits[i].count > 1) ++counts[kRoles[i] + std::string(toText(plan.splits[i].over))];
    }
    static std::int64_t times(RandomStream &random, std::int64_t grain, std::uint64_t most)
    {
        return grain * (1 + static_cast<std::int64_t>(random.below(most)));
    }
    static std::string splitsOf(lowering::MatmulPlan const &plan)
    {
        std::string text;
        for (auto const &splits : plan.splits) text += std::to_string(splits.count) + " " + std::string(toText(splits.over)) + " ";
        return text;
    }

private slots:
    /// A layer's three products with their neighbours; the update of the weights moves nothing, whatever the splits.
    void aLayerInPassesGivesTheNumbersOfTheReference()
    {
        Counts counts;
        int inHalf = 0;
        auto const chip = target::parseMachine("gc200:tiles=8").value().chip;
        for (std::uint64_t seed = 0; seed < 90; ++seed) {
            RandomStream random(deriveSeed(41, seed));
            lowering::MatmulProblem problem;
            problem.m = times(random, random.below(3) == 0 ? 3 : 16, 6);
            problem.k = times(random, random.below(3) == 0 ? 8 : 32, 6);
            problem.n = times(random, 16, 6);
            problem.resident = problem.update = true;
            problem.backward = random.below(4) > 0;
            problem.in = random.below(4) == 0 ? DType::F16 : DType::F32;
            lowering::Options options;
            options.productsTogether = true;
            options.availableMemoryProportion = proportionBelow(lowering::planMatmul(problem, chip, {}).best.front(), chip,
                                                                std::array{0.9, 0.6, 0.35, 0.2}[random.below(4)]);
            auto const plan = lowering::planMatmul(problem, chip, {options.availableMemoryProportion, DType::F32}).best.front();
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            b.layer = "dense";
            auto const x = input(b, "x", {problem.m, problem.k}, problem.in),
                       w = input(b, "w", {problem.k, problem.n}, problem.in, Role::Weight);
            auto const d = input(b, "d", {problem.m, problem.n}, problem.in),
                       bias = input(b, "bias", {problem.n}, problem.in, Role::Weight);
            auto const y = addOp(b, "relu", {addOp(b, "add", {addOp(b, "matmul", {x, w}, {}, "MatMul"), bias}, {}, "BiasAdd")}, {}, "Relu");
            b.pass = graph::Pass::Backward;
            auto const dz = addOp(b, "relu_grad", {y, d}, {}, "ReluGrad");
            auto const next = addOp(b, "sub", {w, addOp(b, "matmul", {x, dz}, {{"transpose_a", true}}, "Update")}, {}, "Step");
            std::vector<graph::ValueId> wanted{y, next};
            if (problem.backward) wanted.push_back(addOp(b, "matmul", {dz, w}, {{"transpose_b", true}}, "Backward"));
            auto const run = lowerAndRun(g, wanted, "gc200:tiles=8", options, 3 * seed + 1, problem.in == DType::F32 ? 2e-5 : 6e-3);
            auto const text = "seed " + std::to_string(seed) + " " + std::to_string(problem.m) + " x " + std::to_string(problem.k) + " x "
                + std::to_string(problem.n) + " splits " + splitsOf(plan);
            RUN_CASE(run, text);
            count(plan, counts);
            if (plan.splits == std::array<lowering::ProductSplits, 3>()) continue;
            inHalf += problem.in == DType::F16;
            for (auto const &exchange : run.lowered.program.exchanges)
                QVERIFY2(plan.pm > 1 || exchange.name.find("Step") == std::string::npos,
                         qPrintable(QString::fromStdString(text + " " + exchange.name)));
        }
        for (char const *what : {"forward rows", "backward rows", "backward columns", "update rows", "update columns"})
            QVERIFY2(counts[what] > 2, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(what)).arg(counts[what])));
        QVERIFY(inHalf > 3);
    }
    void batchesInPassesGiveTheNumbersOfTheReference()
    {
        Counts counts;
        auto const chip = target::parseMachine("gc200:tiles=4").value().chip;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomStream random(deriveSeed(42, seed));
            lowering::MatmulProblem problem;
            problem.batch = times(random, random.below(2) ? 2 : 4, 8);
            problem.m = times(random, 8, 4);
            problem.k = times(random, 8, 4);
            problem.n = times(random, 8, 4);
            problem.transposeA = random.below(3) == 0;
            problem.transposeB = random.below(2) == 0;
            problem.in = random.below(4) == 0 ? DType::F16 : DType::F32;
            lowering::Options options;
            options.availableMemoryProportion =
                proportionBelow(lowering::planMatmul(problem, chip, {}).best.front(), chip, std::array{0.7, 0.3, 0.1}[random.below(3)]);
            auto const plan = lowering::planMatmul(problem, chip, {options.availableMemoryProportion, DType::F32}).best.front();
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const &p = problem;
            auto const x = input(b, "a", p.transposeA ? Shape{2, p.batch / 2, p.k, p.m} : Shape{2, p.batch / 2, p.m, p.k}, p.in);
            auto const w = input(b, "b", p.transposeB ? Shape{2, p.batch / 2, p.n, p.k} : Shape{2, p.batch / 2, p.k, p.n}, p.in);
            auto const y = addOp(b, "batch_matmul", {x, w}, {{"transpose_a", p.transposeA}, {"transpose_b", p.transposeB}}, "BatchMatMul");
            auto const z = addOp(b, "softmax", {addOp(b, "mul_scalar", {y}, {{"p0", 0.25}}, "Scale")}, {}, "Softmax");
            auto const run = lowerAndRun(g, {y, z}, "gc200:tiles=4", options, 3 * seed + 1, p.in == DType::F32 ? 2e-5 : 4e-3);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " batch " + std::to_string(p.batch) + " " + std::to_string(p.m) + " x "
                         + std::to_string(p.k) + " x " + std::to_string(p.n) + " splits " + splitsOf(plan));
            count(plan, counts);
        }
        for (char const *what : {"forward rows", "forward columns", "forward products"})
            QVERIFY2(counts[what] > 0, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(what)).arg(counts[what])));
    }
    /// Planned as a product alone: with the operands' roles swapped, or in ranges of columns that lie beside each other.
    void aBatchOfOneGivesTheNumbersOfTheReference()
    {
        Counts counts;
        auto const chip = target::parseMachine("gc200:tiles=4").value().chip;
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            RandomStream random(deriveSeed(43, seed));
            lowering::MatmulProblem problem;
            auto const extent = [&] { return random.below(2) ? times(random, 16, 8) : 1 + static_cast<std::int64_t>(random.below(12)); };
            problem.m = extent();
            problem.k = extent();
            problem.n = extent();
            problem.transposeA = random.below(3) == 0;
            problem.transposeB = random.below(2) == 0;
            problem.in = random.below(3) == 0 ? DType::F16 : DType::F32;
            lowering::Options options;
            options.availableMemoryProportion =
                proportionBelow(lowering::planMatmul(problem, chip, {}).best.front(), chip, std::array{1.0, 0.5, 0.2}[random.below(3)]);
            auto const plan = lowering::planMatmul(problem, chip, {options.availableMemoryProportion, DType::F32}).best.front();
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const &p = problem;
            auto const x = input(b, "a", p.transposeA ? Shape{1, p.k, p.m} : Shape{1, p.m, p.k}, p.in);
            auto const w = input(b, "b", p.transposeB ? Shape{1, 1, p.n, p.k} : Shape{1, 1, p.k, p.n}, p.in);
            auto const four = b.one("reshape", {x}, p.transposeA ? Shape{1, 1, p.k, p.m} : Shape{1, 1, p.m, p.k}, p.in);
            auto const y =
                addOp(b, "batch_matmul", {four, w}, {{"transpose_a", p.transposeA}, {"transpose_b", p.transposeB}}, "BatchMatMul");
            auto const z = addOp(b, "softmax", {addOp(b, "mul_scalar", {y}, {{"p0", 0.25}}, "Scale")}, {}, "Softmax");
            // The result is an operand of the next product, as it lies.
            auto const square = addOp(b, "batch_matmul", {y, y}, {{"transpose_a", true}}, "Square");
            auto const run = lowerAndRun(g, {y, z, square}, "gc200:tiles=4", options, 3 * seed + 1, p.in == DType::F32 ? 2e-5 : 4e-3);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " " + std::to_string(p.m) + " x " + std::to_string(p.k) + " x " + std::to_string(p.n)
                         + (plan.swapped ? " swapped" : "") + " serial " + std::to_string(plan.serial));
            counts["swapped"] += plan.swapped;
            counts["swapped, transposed"] += plan.swapped && p.transposeB;
            counts["serial"] += plan.serial > 1;
        }
        for (char const *what : {"swapped", "swapped, transposed", "serial"})
            QVERIFY2(counts[what] > 2, qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(what)).arg(counts[what])));
    }
    void passesAreTakenOnlyWhereTheMemoryWantsThem()
    {
        auto const chip = target::parseMachine("gc200:tiles=16").value().chip;
        lowering::MatmulProblem problem;
        problem.m = 64;
        problem.k = problem.n = 512;
        problem.resident = problem.backward = problem.update = true;
        auto const planned = [&](double proportion, target::Chip const &on) {
            return lowering::planMatmul(problem, on, {proportion, DType::F32});
        };
        auto const large = planned(0.6, chip);
        QCOMPARE(large.best.front().splits, (std::array<lowering::ProductSplits, 3>()));
        std::int64_t most = 1;
        Cycles before = 0;
        for (double const factor : {1.0, 0.9, 0.7, 0.5}) {
            double const proportion = proportionBelow(large.best.front(), chip, factor);
            auto const plans = planned(proportion, chip);
            auto const &best = plans.best.front();
            QVERIFY(best.withinMemoryBound);
            QVERIFY2(static_cast<double>(best.temporaryBytes) <= proportion * static_cast<double>(chip.bytesPerTile),
                     qPrintable(QString::number(proportion)));
            QVERIFY(best.cost.total() >= before); // less memory is never faster
            before = best.cost.total();
            std::int64_t splits = 1;
            for (auto const &each : best.splits) splits = std::max(splits, each.count);
            QCOMPARE(splits > 1, static_cast<double>(best.bytesAtOnce) > proportion * static_cast<double>(chip.bytesPerTile));
            // The report says them.
            QCOMPARE(splits > 1, nlohmann::json::parse(planJson(problem, plans))["chosen"].contains("splits"));
            most = std::max(most, splits);
        }
        QVERIFY2(most > 1, "no plan has splits");
        // Where none keeps the bound, the one that takes least.
        auto const least = planned(1e-6, chip).best;
        QVERIFY(!least.front().withinMemoryBound);
        for (std::size_t i = 1; i < least.size(); ++i) QVERIFY(least[i - 1].temporaryBytes <= least[i].temporaryBytes);
        for (double const proportion : {0.6, 0.2, 0.1, 0.05})
            for (auto const &plan : planned(proportion, chip).best) QVERIFY(plan.temporaryBytes >= least.front().temporaryBytes);
    }
    /// A training step that did not fit on the tiles does with a smaller share, and takes longer.
    void theShareActsInTraining()
    {
        int inSplits = 0;
        auto const made = [&](char const *share) {
            auto p = project::fromTemplate("mnist-mlp").value();
            for (auto const &[path, value] : std::initializer_list<std::pair<char const *, char const *>>{
                     {"system.target", "gc200:tiles=8"},
                     {"training.batch_size", "256"},
                     {"ipu_config.matmuls.poplar_options.availableMemoryProportion", share}})
                p = project::withField(p, path, value, nullptr).value();
            compiler::CompileRequest request;
            request.useCache = false;
            auto const outcome = compiler::compile(p, request, {}).value();
            inSplits = 0;
            for (auto const &op : outcome.executable->program.ops) inSplits += op.plan.find("\"splits\"") != std::string::npos;
            return outcome.executable;
        };
        auto const large = made("0.6");
        QVERIFY(!large->memory.fits && inSplits == 0);
        auto const small = made("0.2");
        QVERIFY(small->memory.fits && inSplits > 2);
        QVERIFY(small->memory.ipus.front().worstBytes < large->memory.ipus.front().worstBytes
                && small->entry(0)->cyclesPerStep() > large->entry(0)->cyclesPerStep());
    }
};

TW_REGISTER_TEST(TstProductSplits);
#include "tst_product_splits.moc"
