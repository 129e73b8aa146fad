#include "engine/graph/partial_sums.h"
#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <bit>

using namespace tilewright;
using namespace tilewright::tests;
using graph::Attrs;
using graph::Builder;
using graph::Graph;
using graph::Role;
using graph::ValueId;

namespace {

std::int64_t size(RandomStream &random, std::int64_t largest)
{
    // Small sizes and odd ones as likely as large ones.
    auto const range = std::int64_t{1} << random.below(static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(largest))));
    return std::min(largest, range + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(range))));
}

struct Plans {
    int serial = 0, inner = 0, swapped = 0, stages = 0;
};

void note(Plans &plans, LoweredRun const &run)
{
    bool serial = false, inner = false, swapped = false;
    for (auto const &op : run.lowered.program.ops) {
        serial = serial || op.plan.find("\"serial\":1}") == std::string::npos;
        inner = inner || op.plan.find("\"inner\":1,") == std::string::npos;
        swapped = swapped || op.plan.find("\"swapped\":true") < op.plan.find("\"alternatives\"");
        if (op.plan.empty()) serial = inner = swapped = false;
        plans.serial += serial;
        plans.inner += inner;
        plans.swapped += swapped;
    }
    for (auto const &v : run.lowered.program.variables) plans.stages += v.name.find("intermediate") != std::string::npos;
}

} // namespace

class TstLoweredOps : public QObject {
    Q_OBJECT
private slots:
    /// A broadcast of one element is no other name of its operand: an operation in place on it leaves the operand as it is.
    void broadcastsOfOneElementAreApart()
    {
        Graph g = emptyGraph();
        Builder b(g, graph::RegionId(0));
        auto const x = input(b, "x", {});
        auto const y = b.one("broadcast", {x}, {1}, DType::F32, {}, "Broadcast");
        auto const z = addOp(b, "mul_scalar", {y}, {{"p0", 0.5}}, "Half");
        g.node(g.value(z).producer).inPlace = {0};
        auto const run = lowerAndRun(g, {x, z}, "gc200:tiles=8", {}, 3, 0);
        RUN_CASE(run, std::string("one element"));
    }

    void productsGiveTheNumbersOfTheReference()
    {
        Plans plans;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            RandomStream random(deriveSeed(11, seed));
            auto const m = size(random, 160), k = size(random, seed % 4 == 0 ? 3000 : 300), n = size(random, 200);
            bool const ta = random.below(3) == 0, tb = random.below(3) == 0;
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const role = random.below(2) ? Role::Weight : Role::Input;
            auto const x = input(b, "a", ta ? Shape{k, m} : Shape{m, k}, type);
            auto const w = input(b, "b", tb ? Shape{n, k} : Shape{k, n}, type, role);
            auto const y = addOp(b, "matmul", {x, w}, {{"transpose_a", ta}, {"transpose_b", tb}}, "MatMul");
            bool const halfSums = type == DType::F16 && random.below(2);
            auto &product = g.node(g.value(y).producer);
            if (halfSums) graph::setHalfPartials(product, 16);
            auto const target = targetOf(random);
            double const halfTolerance = 0x1p-10 * std::sqrt(static_cast<double>(graph::partialStores(g, product)));
            auto const run = lowerAndRun(g, {y}, target, {}, seed,
                                         type == DType::F32 ? 1e-5
                                             : halfSums     ? std::max(0x1p-8, halfTolerance)
                                                            : 2e-3);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " m " + std::to_string(m) + " k " + std::to_string(k) + " n " + std::to_string(n)
                         + " ta " + std::to_string(ta) + " tb " + std::to_string(tb) + " on " + target);
            note(plans, run);
        }
        QVERIFY2(plans.inner > 0, "no case split the inner dimension");
        QVERIFY2(plans.swapped > 0, "no case used the transposed problem");
        QVERIFY2(plans.stages > 0, "no case reduced in stages");
    }

    void productsInPassesGiveTheNumbersOfTheReference()
    {
        // Little memory for temporaries forces passes over column groups.
        Plans plans;
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            RandomStream random(deriveSeed(12, seed));
            auto const m = 16 + size(random, 100), k = 64 + size(random, 200), n = 128 * (1 + static_cast<std::int64_t>(random.below(6)));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const x = input(b, "a", {m, k});
            bool const tb = seed % 4 == 1;
            auto const w = input(b, "b", tb ? Shape{n, k} : Shape{k, n}, DType::F32, seed % 3 == 0 ? Role::Weight : Role::Input);
            auto const product = addOp(b, "matmul", {x, w}, {{"transpose_b", tb}}, "MatMul");
            // Later operations must accept columns in groups.
            auto const bias = input(b, "bias", {n}, DType::F32, Role::Weight);
            auto const y = seed % 2 ? product : addOp(b, "add", {addOp(b, "relu", {product}, {}, "Relu"), bias}, {}, "BiasAdd");
            lowering::Options options;
            options.availableMemoryProportion = 0.02 + 0.03 * random.uniform();
            auto const run = lowerAndRun(g, {y}, "gc200:tiles=8", options, seed, 1e-5);
            RUN_CASE(run, "seed " + std::to_string(seed));
            note(plans, run);
        }
        QVERIFY2(plans.serial > 0, "no case was serial");
    }

    void jointPlansGiveForwardBackwardAndUpdate()
    {
        for (std::uint64_t seed = 0; seed < 40; ++seed) {
            RandomStream random(deriveSeed(13, seed));
            auto const m = size(random, seed % 5 == 0 ? 1500 : 120), k = size(random, 300), n = size(random, 120);
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            b.layer = "dense";
            auto const x = input(b, "x", {m, k});
            auto const d = input(b, "d", {m, n});
            auto const w = input(b, "w", {k, n}, DType::F32, Role::Weight);
            auto const y = addOp(b, "matmul", {x, w}, {}, "MatMul");
            b.pass = graph::Pass::Backward;
            auto const dw = addOp(b, "matmul", {x, d}, {{"transpose_a", true}}, "Update");
            auto const dx = addOp(b, "matmul", {d, w}, {{"transpose_b", true}}, "Backward");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y, dw, dx}, target, {}, seed, 1e-5);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " m " + std::to_string(m) + " k " + std::to_string(k) + " n " + std::to_string(n)
                         + " on " + target);
        }
    }

    void elementwiseGivesTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            RandomStream random(deriveSeed(14, seed));
            auto const rows = size(random, 70), cols = size(random, 500);
            static char const *const kBinary[] = {"add", "sub", "mul", "max", "min", "greater"};
            auto const type = random.below(4) == 0 ? DType::F16 : DType::F32;
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const x = input(b, "x", {rows, cols}, type);
            Shape const others[] = {{rows, cols}, {cols}, {rows, 1}, {}};
            auto const y = input(b, "y", others[random.below(4)], type);
            auto const op = std::string(kBinary[random.below(6)]);
            bool const first = random.below(2) == 0;
            auto const z = addOp(b, op, first ? std::vector<ValueId>{x, y} : std::vector<ValueId>{y, x}, {}, "Binary");
            auto const r = addOp(b, random.below(2) ? "relu" : "tanh", {z}, {}, "Unary");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {z, r}, target, {}, seed, type == DType::F32 ? 1e-5 : 2e-3);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " " + op + " " + std::to_string(rows) + "x" + std::to_string(cols) + " on " + target);
        }
    }

    void everyPrimitiveLowers()
    {
        for (auto const &prim : graph::primitives()) {
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            std::vector<ValueId> inputs;
            for (int i = 0; i < prim.arity; ++i) inputs.push_back(input(b, "x" + std::to_string(i), {13, 37}));
            // Positive operands, so that logarithms, roots and powers exist; small ones for arc sines.
            if (prim.prim == graph::Prim::Asin) inputs[0] = addOp(b, "mul_scalar", {inputs[0]}, {{"p0", 0.3}}, "Scale");
            else if (prim.arity == 1 || prim.prim == graph::Prim::Pow)
                inputs[0] = addOp(b, "add_scalar", {inputs[0]}, {{"p0", 1.5}}, "Shift");
            Attrs attrs;
            if (prim.parameters > 0) attrs.set("p0", 0.3);
            if (prim.parameters > 1) attrs.set("p1", 0.9);
            auto const y = addOp(b, std::string(prim.name), inputs, attrs, "Op");
            auto const run = lowerAndRun(g, {y}, "gc200:tiles=8", {}, 5, 1e-4);
            RUN_CASE(run, std::string(prim.name));
        }
    }

    void repeatedOperandsGiveTheNumbersOfTheReference()
    {
        int larger = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomStream random(deriveSeed(18, seed));
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            Shape shape;
            for (auto rank = 2 + random.below(3); rank > 0; --rank) shape.push_back(1 + size(random, rank == 1 ? 60 : 12));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            // Axes are missing in front, or have extent 1.
            auto const operand = [&](std::string name) {
                auto const missing = random.below(3) == 0 ? random.below(shape.size() + 1) : 0;
                Shape own(shape.begin() + static_cast<std::ptrdiff_t>(missing), shape.end());
                for (auto &extent : own)
                    if (random.below(2)) extent = 1;
                return input(b, std::move(name), own, type);
            };
            auto const x = operand("x"), y = operand("y"), z = operand("z");
            auto const sum = addOp(b, "add", {x, y}, {}, "Add");
            auto const product = addOp(b, "mul", {addOp(b, "tanh", {sum}, {}, "Tanh"), z}, {}, "Mul");
            larger += g.value(sum).shape != g.value(x).shape && g.value(sum).shape != g.value(y).shape;
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {sum, product}, target, {}, seed, type == DType::F32 ? 1e-5 : 2e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + toText(shape) + " on " + target);
        }
        QVERIFY2(larger > 5, "hardly a result was larger than each operand");
    }

    void reductionsGiveTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomStream random(deriveSeed(15, seed));
            Shape shape{size(random, 300), size(random, 600)};
            if (random.below(2)) shape = {size(random, 20), size(random, 30), size(random, 9), size(random, 20)};
            Shape axes;
            for (std::size_t axis = 0; axis < shape.size(); ++axis)
                if (random.below(2)) axes.push_back(static_cast<std::int64_t>(axis));
            Attrs attrs{{"keepdims", random.below(2) == 1}};
            if (!axes.empty()) attrs.set("axes", axes);
            static constexpr char const *kOps[] = {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "reduce_prod"};
            std::string const op = kOps[random.below(std::size(kOps))];
            auto const type = op != "reduce_sum" && random.below(3) == 0 ? DType::F16 : DType::F32;
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto x = input(b, "x", shape, type);
            if (op == "reduce_prod") // of numbers near 1
                x = addOp(b, "add_scalar", {addOp(b, "mul_scalar", {x}, {{"p0", 1e-3}}, "Small")}, {{"p0", 1.0}}, "NearOne");
            auto const y = addOp(b, op, {x}, attrs, "Reduce");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y}, target, {}, seed, type == DType::F32 ? 2e-5 : 2e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + op + " " + toText(axes) + " of " + toText(shape) + " on " + target);
        }
    }

    void reductionsOfProductsGiveTheNumbersOfTheReference()
    {
        // The product leaves its result where its sums were made, not in a linear layout.
        for (std::uint64_t seed = 0; seed < 24; ++seed) {
            RandomStream random(deriveSeed(16, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const x = input(b, "x", {size(random, 100), 90});
            auto const w = input(b, "w", {90, size(random, 100)}, DType::F32, Role::Weight);
            auto const y = addOp(b, "matmul", {x, w}, {}, "MatMul");
            std::vector<ValueId> wanted;
            for (auto const &axes : {Shape{0}, Shape{1}, Shape{0, 1}})
                wanted.push_back(addOp(b, "reduce_sum", {y}, {{"axes", axes}}, "Sum" + std::to_string(wanted.size())));
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, wanted, target, {}, seed, 5e-5);
            RUN_CASE(run, "seed " + std::to_string(seed) + " on " + target);
        }
    }

    void softmaxGivesTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            RandomStream random(deriveSeed(17, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const x = input(b, "x", {size(random, 200), size(random, 120)});
            auto const y = addOp(b, seed % 2 ? "softmax" : "log_softmax", {x}, {}, "Softmax");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y}, target, {}, seed, 1e-5);
            RUN_CASE(run, "seed " + std::to_string(seed) + " on " + target);
        }
    }

    void softmaxDividesOncePerRow()
    {
        for (auto const type : {DType::F32, DType::F16}) {
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const y = addOp(b, "softmax", {input(b, "x", {48, 100}, type)}, {}, "Softmax");
            auto const run = lowerAndRun(g, {y}, "gc200:tiles=8", {}, 3, type == DType::F32 ? 1e-5 : 2e-3);
            RUN_CASE(run, std::string(toText(type)));
            int products = 0;
            for (auto const &set : run.lowered.program.computeSets)
                for (auto const &family : set.families) {
                    QVERIFY2(family.expr.find("div") == std::string::npos, family.expr.c_str());
                    products += family.expr == "2: mul a0 a1";
                    if (family.expr == "1: reciprocal a0") QCOMPARE(run.lowered.program.var(family.fields[0].var).dtype, DType::F32);
                }
            QCOMPARE(products, 1);
        }
    }

    void partsAndTransposesGiveTheNumbersOfTheReference()
    {
        using Ints = std::vector<std::int64_t>;
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            RandomStream random(deriveSeed(21, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            static constexpr DType kTypes[] = {DType::F32, DType::F16, DType::I32};
            auto const type = kTypes[random.below(3)];
            Shape shape;
            for (auto rank = 1 + random.below(4); rank > 0; --rank) shape.push_back(size(random, rank == 1 ? 60 : 9));
            std::size_t const rank = shape.size();
            auto const x = input(b, "x", shape, type);
            Ints perm, starts, sizes, before, after;
            for (std::size_t i = 0; i < rank; ++i) {
                perm.insert(perm.begin() + static_cast<std::ptrdiff_t>(random.below(i + 1)), static_cast<std::int64_t>(i));
                sizes.push_back(1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape[i]))));
                starts.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape[i] - sizes[i] + 1))));
                before.push_back(static_cast<std::int64_t>(random.below(4)));
                after.push_back(static_cast<std::int64_t>(random.below(4)));
            }
            auto const turned = addOp(b, "transpose", {x}, {{"perm", perm}}, "Transpose");
            auto const part = addOp(b, "slice", {x}, {{"starts", starts}, {"sizes", sizes}}, "Slice");
            auto const padded = addOp(b, "pad", {x}, {{"before", before}, {"after", after}}, "Pad");
            auto const axis = static_cast<std::int64_t>(random.below(rank));
            Shape other = shape;
            other[static_cast<std::size_t>(axis)] = size(random, 20);
            auto const joined = addOp(b, "concat", {x, input(b, "y", other, type)}, {{"axis", axis}}, "Concat");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {turned, part, padded, joined}, target, {}, seed, 0);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + toText(shape) + " on " + target);
        }
    }

    void operationsAlongAnAxisGiveTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            RandomStream random(deriveSeed(24, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            Shape shape;
            for (auto rank = 1 + random.below(4); rank > 0; --rank) shape.push_back(size(random, rank == 1 ? 60 : 9));
            auto const at = static_cast<std::size_t>(random.below(shape.size()));
            auto const axis = static_cast<std::int64_t>(at);
            auto const part = 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(shape[at])));
            auto const x = input(b, "x", shape, type);
            auto const start = input(b, "start", {}, DType::I32); // 0 to 6: some are moved back into the tensor
            Shape partShape = shape;
            partShape[at] = part;
            graph::Attrs const running{{"axis", axis}, {"exclusive", random.below(2) == 1}, {"reverse", random.below(2) == 1}};
            auto const target = targetOf(random);
            auto const run = lowerAndRun(
                g,
                {addOp(b, "argmax", {x}, {{"axis", axis}}, "ArgMax"), addOp(b, "argmin", {x}, {{"axis", axis}}, "ArgMin"),
                 addOp(b, "cumsum", {x}, running, "CumSum"), addOp(b, "cumprod", {x}, running, "CumProd"),
                 addOp(b, "dynamic_slice", {x, start}, {{"axis", axis}, {"size", part}}, "Slice"),
                 addOp(b, "dynamic_update", {x, input(b, "part", partShape, type), start}, {{"axis", axis}}, "Update"),
                 addOp(b, "one_hot", {input(b, "ids", shape, DType::I32)}, {{"depth", size(random, 9)}}, "OneHot"),
                 addOp(b, "select", {addOp(b, "step", {x}, {{"p0", 0.1}}, "Step"), x, input(b, "other", shape, type)}, {}, "Select")},
                target, {}, seed, type == DType::F32 ? 1e-5 : 5e-3);
            RUN_CASE(run, "seed " + std::to_string(seed) + " " + toText(shape) + " axis " + std::to_string(axis) + " on " + target);
        }
    }

    void lookUpsGiveTheNumbersOfTheReference()
    {
        int splitRows = 0, splitIds = 0;
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            RandomStream random(deriveSeed(22, seed));
            auto const rows = size(random, 400), cols = size(random, 60), n = size(random, 300);
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            b.layer = "embedding";
            auto const table = input(b, "table", {rows, cols}, type, random.below(2) ? Role::Weight : Role::Input);
            auto const ids = input(b, "ids", {n}, DType::I32); // 0 to 6: several for one row, some for no row of a small table
            auto const y = addOp(b, "gather", {table, ids}, {}, "Gather");
            auto const d = input(b, "d", {n, cols}, type);
            auto const gradient = addOp(b, "scatter_add", {d, ids}, {{"rows", random.below(4) ? rows : rows + 3}}, "ScatterAdd");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y, gradient}, target, {}, seed, type == DType::F32 ? 1e-5 : 5e-3);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " rows " + std::to_string(rows) + " cols " + std::to_string(cols) + " ids "
                         + std::to_string(n) + " on " + target);
            for (auto const &v : run.lowered.program.variables) {
                splitRows += v.name == "embedding/Gather/partials" || v.name == "Gather/partials";
                splitIds += v.name == "embedding/ScatterAdd/partials" || v.name == "ScatterAdd/partials";
            }
        }
        QVERIFY2(splitRows > 0, "no case split the table");
        QVERIFY2(splitIds > 0, "no case split the numbers");
    }

    void batchedProductsGiveTheNumbersOfTheReference()
    {
        int several = 0, inner = 0, uneven = 0, repeats = 0;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            RandomStream random(deriveSeed(23, seed));
            auto const m = size(random, 40), k = size(random, seed % 5 == 0 ? 900 : 60), n = size(random, 50), batch = size(random, 40);
            bool const ta = random.below(3) == 0, tb = random.below(2) == 0;
            auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            // One operand may lack the axes in front or have extent 1 there.
            auto const stack = [&](bool whole, std::int64_t rows, std::int64_t cols) {
                auto const form = whole ? 3 : random.below(6);
                Shape shape = form == 0 ? Shape{} : form == 1 ? Shape{2} : form == 2 ? Shape{batch, 1} : Shape{batch, 2};
                repeats += form < 3;
                shape.insert(shape.end(), {rows, cols});
                return shape;
            };
            bool const firstWhole = random.below(2);
            auto const x = input(b, "a", ta ? stack(firstWhole, k, m) : stack(firstWhole, m, k), type);
            auto const w = input(b, "b", tb ? stack(!firstWhole, n, k) : stack(!firstWhole, k, n), type);
            auto const y = addOp(b, "batch_matmul", {x, w}, {{"transpose_a", ta}, {"transpose_b", tb}}, "BatchMatMul");
            // Later operations must accept the placement of the products.
            auto const z = addOp(b, "softmax", {addOp(b, "mul_scalar", {y}, {{"p0", 0.25}}, "Scale")}, {}, "Softmax");
            bool const halfSums = type == DType::F16 && random.below(2);
            if (halfSums) graph::setHalfPartials(g.node(g.value(y).producer), 16);
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y, z}, target, {}, seed, type == DType::F32 ? 2e-5 : halfSums ? 2e-2 : 4e-3);
            RUN_CASE(run,
                     "seed " + std::to_string(seed) + " batch " + std::to_string(batch) + " m " + std::to_string(m) + " k "
                         + std::to_string(k) + " n " + std::to_string(n) + " ta " + std::to_string(ta) + " tb " + std::to_string(tb)
                         + " on " + target);
            for (auto const &v : run.lowered.program.variables) {
                if (v.name != "a" && v.layout.rank >= 3 && v.name.find("BatchMatMul/lhs") == 0) {
                    for (int i = 0; i < v.layout.rank; ++i) {
                        auto const &dim = v.layout.dim(i);
                        if (dim.kind != program::DimKind::Index || dim.extent != 2 * batch) continue;
                        several += dim.block > 1;
                        uneven += dim.extent % dim.block != 0;
                    }
                }
                inner += v.name == "BatchMatMul/partials" && v.layout.has(program::DimKind::Addend);
            }
        }
        QVERIFY2(repeats > 10, "hardly a matrix was used by several products");
        QVERIFY2(several > 0, "no tile had several products");
        QVERIFY2(uneven > 0, "no tile had fewer products than the others");
        QVERIFY2(inner > 0, "no case split the inner dimension");
    }

    void denseLayersInSequenceGiveTheNumbersOfTheReference()
    {
        for (std::uint64_t seed = 0; seed < 16; ++seed) {
            RandomStream random(deriveSeed(18, seed));
            Graph g = emptyGraph();
            Builder b(g, graph::RegionId(0));
            std::int64_t const batch = size(random, 64);
            std::int64_t width = size(random, 800);
            auto x = input(b, "x", {batch, width});
            for (int layer = 0; layer < 3; ++layer) {
                b.layer = "dense" + std::to_string(layer);
                auto const next = size(random, 200);
                auto const w = input(b, b.layer + "/kernel", {width, next}, DType::F32, Role::Weight);
                auto const bias = input(b, b.layer + "/bias", {next}, DType::F32, Role::Weight);
                x = addOp(b, "matmul", {x, w}, {}, "MatMul");
                x = addOp(b, "add", {x, bias}, {}, "BiasAdd");
                x = addOp(b, "relu", {x}, {}, "Relu");
                width = next;
            }
            auto const y = addOp(b, "softmax", {x}, {}, "Softmax");
            auto const target = targetOf(random);
            auto const run = lowerAndRun(g, {y}, target, {}, seed, 1e-4);
            RUN_CASE(run, "seed " + std::to_string(seed) + " on " + target);
        }
    }
};

TW_REGISTER_TEST(TstLoweredOps);
#include "tst_lowered_ops.moc"
