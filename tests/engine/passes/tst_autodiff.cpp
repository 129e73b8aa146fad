// Gradients of every operation against central differences of the reference in double.
#include "engine/passes/autodiff.h"
#include "engine/graph/expr.h"
#include "tests/engine/passes/graph_runner.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::tests;

namespace {

struct Operand {
    Shape shape;
    double lo = -2, hi = 2;
    int classes = 0; ///< above 0: whole numbers below it
};

struct Case {
    std::string name, op;
    graph::Attrs attrs;
    std::vector<Operand> operands;
    std::vector<graph::Builder::Out> outputs = {}; ///< empty: inferred
    std::set<std::size_t> without = {};            ///< operands that have no gradient
};

graph::Attrs parameters(graph::PrimInfo const &info)
{
    graph::Attrs attrs;
    double p0 = 0.3, p1 = 0.7;
    if (info.name.starts_with("clip")) p0 = -0.5, p1 = 0.5;
    if (info.parameters > 0) attrs.set("p0", p0);
    if (info.parameters > 1) attrs.set("p1", p1);
    return attrs;
}

bool isDifferentiable(graph::PrimInfo const &prim)
{
    for (int operand = 0; operand < prim.arity; ++operand)
        if (graph::gradientExpr(prim.prim, operand, 0, 0)) return true;
    return false;
}

/// Where the function is defined; all else is everything.
Operand operandOf(std::string_view prim, std::size_t index, Shape shape)
{
    if (prim == "log" || prim == "sqrt" || prim == "rsqrt" || prim == "reciprocal") return {std::move(shape), 0.5, 3};
    if (prim == "log1p") return {std::move(shape), -0.5, 3};
    if (prim == "asin") return {std::move(shape), -0.9, 0.9};
    if (prim == "pow" && index == 0) return {std::move(shape), 0.5, 3};
    if ((prim == "div" || prim == "remainder") && index == 1) return {std::move(shape), 0.5, 3};
    return {std::move(shape)};
}

std::vector<Case> cases()
{
    std::vector<Case> all;
    for (auto const &prim : graph::primitives()) {
        if (!isDifferentiable(prim) || prim.arity > 2) continue;
        std::string const name(prim.name);
        auto const add = [&](std::string what, std::vector<Shape> const &shapes) {
            Case c{name + " " + what, name, parameters(prim), {}};
            for (std::size_t i = 0; i < shapes.size(); ++i) c.operands.push_back(operandOf(name, i, shapes[i]));
            all.push_back(std::move(c));
        };
        if (prim.arity == 1) {
            add("matrix", {{3, 4}});
            add("scalar", {{}});
            continue;
        }
        add("equal shapes", {{3, 4}, {3, 4}});
        add("row right", {{3, 4}, {4}});
        add("row left", {{4}, {3, 4}});
        add("column", {{3, 4}, {3, 1}});
        add("scalar", {{3, 4}, {}});
        add("rank 3 with a row", {{2, 3, 4}, {4}});
        add("rank 3 with a column", {{2, 3, 4}, {2, 3, 1}});
        add("column and row", {{3, 1}, {1, 4}});
        add("square column and vector", {{4, 1}, {4}});
        add("repeated in the middle", {{2, 3, 4}, {2, 1, 4}});
        add("each along one axis", {{2, 1, 4}, {3, 1}});
        add("repeated outside", {{1, 3, 1}, {2, 3, 4}});
    }
    auto const f32 = [](Shape shape) { return graph::Builder::Out{std::move(shape), DType::F32}; };
    all.push_back({"matmul", "matmul", {}, {{{3, 4}}, {{4, 2}}}});
    all.push_back({"matmul of rank 3", "matmul", {}, {{{2, 3, 4}}, {{4, 2}}}});
    all.push_back({"reshape", "reshape", {}, {{{3, 4}}}, {f32({2, 6})}});
    all.push_back({"broadcast row", "broadcast", {}, {{{4}}}, {f32({3, 4})}});
    all.push_back({"broadcast column", "broadcast", {}, {{{3, 1}}}, {f32({3, 4})}});
    all.push_back({"broadcast scalar", "broadcast", {}, {{{}}}, {f32({3, 4})}});
    all.push_back({"broadcast inside", "broadcast", {}, {{{2, 1, 3}}}, {f32({2, 4, 3})}});
    all.push_back({"reduce_to", "reduce_to", {}, {{{2, 4, 3}}}, {f32({4, 1})}});
    all.push_back({"reduce_sum", "reduce_sum", {}, {{{2, 3, 4}}}});
    for (auto const &axes : {Shape{0}, Shape{1}, Shape{-1}, Shape{0, 1}, Shape{0, 2}, Shape{2, 1}, Shape{0, 1, 2}})
        for (bool keep : {false, true})
            all.push_back({"reduce_sum over " + toText(axes) + (keep ? " kept" : ""),
                           "reduce_sum",
                           {{"axes", axes}, {"keepdims", keep}},
                           {{{2, 3, 4}}}});
    for (auto const *op : {"reduce_mean", "reduce_max", "reduce_min", "reduce_prod"}) {
        all.push_back({op, op, {}, {{{2, 3, 2}}}});
        for (auto const &axes : {Shape{0}, Shape{-1}, Shape{0, 2}, Shape{2, 1}})
            for (bool keep : {false, true})
                all.push_back(
                    {op + (" over " + toText(axes)) + (keep ? " kept" : ""), op, {{"axes", axes}, {"keepdims", keep}}, {{{2, 3, 2}}}});
    }
    for (auto const *op : {"softmax", "log_softmax"}) {
        all.push_back({op, op, {}, {{{3, 4}}}});
        all.push_back({std::string(op) + " rank 3", op, {}, {{{2, 3, 4}}}});
    }
    all.push_back({"sparse_xent", "sparse_xent", {}, {{{3, 4}}, {{3}, 0, 0, 4}}, {}, {1}});
    all.push_back({"sparse_xent rank 3", "sparse_xent", {}, {{{2, 3, 4}}, {{2, 3}, 0, 0, 4}}, {}, {1}});
    all.push_back({"cat_xent", "cat_xent", {}, {{{3, 4}}, {{3, 4}, 0, 1}}, {}, {1}});
    all.push_back({"concat rows", "concat", {{"axis", std::int64_t{0}}}, {{{2, 3}}, {{1, 3}}, {{3, 3}}}});
    all.push_back({"concat columns", "concat", {{"axis", std::int64_t{1}}}, {{{2, 3}}, {{2, 1}}}});
    all.push_back({"concat inside", "concat", {{"axis", std::int64_t{1}}}, {{{2, 3, 2}}, {{2, 1, 2}}}});
    all.push_back({"split", "split", {{"axis", std::int64_t{1}}, {"parts", std::int64_t{2}}}, {{{2, 4, 3}}}});
    all.push_back({"slice", "slice", {{"axis", std::int64_t{1}}, {"start", std::int64_t{1}}, {"size", std::int64_t{2}}}, {{{2, 4, 3}}}});
    all.push_back(
        {"slice at the start", "slice", {{"axis", std::int64_t{0}}, {"start", std::int64_t{0}}, {"size", std::int64_t{1}}}, {{{2, 3}}}});
    using Ints = std::vector<std::int64_t>;
    all.push_back({"slice of a box", "slice", {{"starts", Ints{0, 1, 1}}, {"sizes", Ints{2, 2, 1}}}, {{{2, 4, 3}}}});
    all.push_back({"pad", "pad", {{"before", Ints{0, 2}}, {"after", Ints{1, 0}}}, {{{2, 3}}}});
    all.push_back({"transpose", "transpose", {{"perm", Ints{2, 0, 1}}}, {{{2, 3, 4}}}});
    graph::Attrs const pool{{"window", Ints{2}}, {"stride", Ints{2}}, {"before", Ints{0}}, {"after", Ints{1}}};
    all.push_back({"pool.max", "pool.max", pool, {{{2, 5, 3}}}});
    all.push_back({"pool.average", "pool.average", pool, {{{2, 5, 3}}}});
    // Strides, dilation, padding on one side, two groups: x [1,5,4,4], w [2,2,2,4], y [1,3,3,4].
    graph::Attrs const conv{{"strides", Ints{2, 1}},
                            {"dilations", Ints{1, 2}},
                            {"pad_before", Ints{0, 1}},
                            {"pad_after", Ints{1, 0}},
                            {"groups", std::int64_t{2}}};
    all.push_back({"conv", "conv", conv, {{{1, 5, 4, 4}}, {{2, 2, 2, 4}}}});
    graph::Attrs spread = conv;
    spread.set("input", Ints{5, 4});
    all.push_back({"conv_input_grad", "conv_input_grad", spread, {{{1, 3, 3, 4}}, {{2, 2, 2, 4}}}});
    all.push_back({"gather", "gather", {}, {{{5, 3}}, {{2, 4}, 0, 0, 5}}, {}, {1}});
    all.push_back({"scatter_add", "scatter_add", {{"rows", std::int64_t{4}}}, {{{2, 3, 2}}, {{2, 3}, 0, 0, 4}}, {}, {1}});
    for (auto const *op : {"cumsum", "cumprod"})
        for (std::int64_t axis : {0, 1, 2})
            for (bool exclusive : {false, true})
                for (bool reverse : {false, true})
                    all.push_back({std::string(op) + " along axis " + std::to_string(axis) + (exclusive ? " exclusive" : "")
                                       + (reverse ? " reverse" : ""),
                                   op,
                                   {{"axis", axis}, {"exclusive", exclusive}, {"reverse", reverse}},
                                   {{{2, 4, 3}, 0.5, 2}}});
    all.push_back(
        {"dynamic_slice", "dynamic_slice", {{"axis", std::int64_t{1}}, {"size", std::int64_t{2}}}, {{{2, 4, 3}}, {{}, 0, 0, 4}}, {}, {1}});
    all.push_back({"dynamic_update", "dynamic_update", {{"axis", std::int64_t{0}}}, {{{5, 3}}, {{2, 3}}, {{}, 0, 0, 5}}, {}, {2}});
    all.push_back({"select", "select", {}, {{{3, 4}}, {{3, 4}}, {{3, 4}}}, {}, {0}});
    all.push_back({"select by column from a scalar", "select", {}, {{{3, 1}}, {{3, 4}}, {{}}}, {}, {0}});
    for (bool ta : {false, true})
        for (bool tb : {false, true})
            all.push_back({std::string("batch_matmul") + (ta ? " ta" : "") + (tb ? " tb" : ""),
                           "batch_matmul",
                           {{"transpose_a", ta}, {"transpose_b", tb}},
                           {{ta ? Shape{2, 4, 3} : Shape{2, 3, 4}}, {tb ? Shape{2, 2, 4} : Shape{2, 4, 2}}}});
    all.push_back({"batch_matmul that repeats both", "batch_matmul", {}, {{{2, 1, 2, 3}}, {{3, 3, 2}}}});
    all.push_back({"batch_matmul of one and several", "batch_matmul", {{"transpose_b", true}}, {{{2, 3}}, {{2, 4, 3}}}});
    all.push_back({"copy", "copy", {}, {{{3}}}});
    all.push_back({"cast", "cast", {}, {{{3}}}, {{{3}, DType::F16}}});
    all.push_back({"dropout", "dropout", {{"rate", 0.5}, {"node_seed", std::int64_t{3}}}, {{{5, 4}}, {{}, 0, 0, 100}}, {}, {1}});
    all.push_back({"ipu_copy", "ipu_copy", {{"from", std::int64_t{0}}, {"to", std::int64_t{1}}}, {{{3}}}});
    return all;
}

/// The operation between feeds, with its gradients; outfeed: result, then a gradient per operand that has one.
struct Built {
    graph::Graph graph;
    std::vector<std::size_t> differentiated; ///< operands
    bool ok = true;
};

Built build(Case const &c)
{
    Built built;
    auto const ops = ops::opLookup();
    addRegion(built.graph, "main");
    graph::Builder b(built.graph, graph::RegionId(0));
    std::vector<graph::Builder::Out> feeds;
    for (auto const &operand : c.operands) feeds.push_back({operand.shape, operand.classes ? DType::I32 : DType::F32});
    auto const operands = b.add("infeed", {}, feeds);
    auto const results =
        c.outputs.empty() ? graph::addInferred(b, ops, c.op, operands, c.attrs) : b.add(c.op, operands, c.outputs, c.attrs);
    auto const type = built.graph.value(results[0]);
    auto const cotangent = b.add("infeed", {}, {{type.shape, type.dtype}})[0];
    passes::GradientSeed const seed{results[0], cotangent};
    auto const gradients = passes::appendGradients(b, ops, {{&seed, 1}, {}, operands, true});
    std::vector<graph::ValueId> out{results[0]};
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (gradients->values[i].valid()) {
            out.push_back(gradients->values[i]);
            built.differentiated.push_back(i);
        }
    b.add("outfeed", out, {});
    built.ok = graph::verify(built.graph, ops).ok();
    return built;
}

std::vector<RefTensor> runBuilt(graph::Graph const &graph, std::vector<RefTensor> const &operands, RefTensor const &cotangent)
{
    GraphRunner runner{graph};
    runner.context.precision = reference::Precision::Double;
    runner.infeed = [&](graph::Node const &node) { return node.outputs[0].index == 0 ? operands : std::vector<RefTensor>{cotangent}; };
    if (!runner.run()) {
        qWarning("%s", runner.error.c_str());
        return {};
    }
    return runner.outfed[0];
}

double product(RefTensor const &a, RefTensor const &b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.v.size(); ++i) sum += a.v[i] * b.v[i];
    return sum;
}

} // namespace

class TstAutodiff : public QObject {
    Q_OBJECT
private slots:
    void agreesWithDifferences_data()
    {
        QTest::addColumn<int>("index");
        auto const all = cases();
        for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
    }
    void agreesWithDifferences()
    {
        QFETCH(int, index);
        auto const c = cases()[static_cast<std::size_t>(index)];
        auto const built = build(c);
        QVERIFY(built.ok);
        for (std::size_t i = 0; i < c.operands.size(); ++i) {
            bool const has = std::ranges::find(built.differentiated, i) != built.differentiated.end();
            QCOMPARE(has, !c.without.contains(i));
        }
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            std::vector<RefTensor> operands;
            for (std::size_t i = 0; i < c.operands.size(); ++i) {
                auto const &o = c.operands[i];
                auto const own = deriveSeed(seed * 1000 + static_cast<std::uint64_t>(index), i);
                operands.push_back(o.classes ? randomIntegers(o.shape, own, static_cast<std::uint64_t>(o.classes))
                                             : randomTensor(o.shape, own, o.lo, o.hi));
            }
            auto const &out = built.graph.value(built.graph.nodes[1].outputs[0]);
            auto cotangent = randomTensor(out.shape, deriveSeed(seed, 99));
            cotangent.dtype = out.dtype;
            auto const exact = runBuilt(built.graph, operands, cotangent);
            QVERIFY(!exact.empty());
            for (std::size_t k = 0; k < built.differentiated.size(); ++k) {
                auto const at = built.differentiated[k];
                for (std::size_t e = 0; e < operands[at].v.size(); ++e) {
                    double const h = 1e-5;
                    auto up = operands, down = operands;
                    up[at].v[e] += h;
                    down[at].v[e] -= h;
                    double const measured = (product(runBuilt(built.graph, up, cotangent)[0], cotangent)
                                             - product(runBuilt(built.graph, down, cotangent)[0], cotangent))
                        / (2 * h);
                    double const stated = exact[k + 1].v[e];
                    QVERIFY2(std::abs(measured - stated) <= 2e-6 * std::max(1.0, std::abs(measured)),
                             qPrintable(QString("seed %1 operand %2 element %3: %4, differences say %5")
                                            .arg(seed)
                                            .arg(at)
                                            .arg(e)
                                            .arg(stated, 0, 'g', 12)
                                            .arg(measured, 0, 'g', 12)));
                }
            }
        }
    }
    void everyDifferentiableOperationIsChecked()
    {
        // Ops created by fusion, after differentiation; ops with several results, tested by tst_layer_gradients; sums over replicas, tested
        // by tst_distributed_norms.
        std::set<std::string> checked{"map", "norm.whiten", "all_reduce"};
        for (auto const &c : cases()) checked.insert(c.op);
        for (auto const &op : ops::builtinOps()) {
            auto const *prim = graph::findPrimitive(op.name);
            bool const secondOrder = op.name.ends_with("_grad");
            if (!op.spec.gradient || secondOrder || (prim && !isDifferentiable(*prim))) continue;
            QVERIFY2(checked.contains(op.name), op.name.c_str());
        }
    }
    void gradientsOfSeveralUsesAreAdded()
    {
        auto graph = tiny(R"(
            var f32 [3]
            %0:f32[3] = variable.read() var %v0 layer "dense"
            %1:f32[3] = tanh(%0)
            %2:f32[3] = exp(%0)
            %3:f32[3] = variable.read() var %v0
            %4:f32[3] = mul(%1, %2)
            %5:f32[3] = mul(%4, %3)
            %6:f32[] = reduce_sum(%5))");
        graph::Builder b(graph, graph::RegionId(0));
        auto const ops = ops::opLookup();
        graph::VariableId const w(0);
        auto const gradients = passes::appendGradients(b, ops, graph::ValueId(6), {&w, 1});
        QVERIFY(gradients.ok());
        b.add("outfeed", {gradients->at(w)}, {});
        QVERIFY(graph::verify(graph, ops).ok());
        GraphRunner runner{graph};
        runner.context.precision = reference::Precision::Double;
        RefTensor const at{DType::F32, {3}, {0.25, -0.5, 1.5}};
        runner.variables[w] = at;
        QVERIFY2(runner.run(), runner.error.c_str());
        for (std::size_t i = 0; i < 3; ++i) {
            double const x = at.v[i], t = std::tanh(x), e = std::exp(x);
            double const wanted = ((1 - t * t) * e + t * e) * x + t * e;
            QVERIFY(std::abs(runner.outfed[0][0].v[i] - wanted) < 1e-12);
        }
    }
    void gradientsAreStampedAsTheNodeTheyComeFrom()
    {
        auto graph = tiny(R"(
            var f32 [3]
            %0:f32[3] = variable.read() var %v0
            %1:f32[3] = tanh(%0) layer "dense" stage 1
            %2:f32[] = reduce_sum(%1) stage 1)",
                          2);
        graph::Builder b(graph, graph::RegionId(0));
        b.layer = "mine";
        graph::VariableId const w(0);
        auto const ops = ops::opLookup();
        auto const gradients = passes::appendGradients(b, ops, graph::ValueId(2), {&w, 1});
        QVERIFY(gradients.ok());
        auto const &value = graph.value(gradients->at(w));
        auto const &node = graph.node(value.producer);
        QCOMPARE(node.op, std::string("tanh_grad"));
        QCOMPARE(node.layer, std::string("dense"));
        QCOMPARE(node.stage, 1);
        QCOMPARE(node.pass, graph::Pass::Backward);
        QCOMPARE(value.role, graph::Role::Gradient);
        QCOMPARE(b.layer, std::string("mine"));
    }
    void aVariableWithoutGradientIsNamed()
    {
        auto graph = tiny(R"(
            var f32 [3]
            var f32 [3]
            %0:f32[3] = variable.read() var %v0
            %1:f32[3] = variable.read() var %v1
            %2:f32[3] = sign(%1)
            %3:f32[3] = mul(%0, %2)
            %4:f32[] = reduce_sum(%3))");
        graph::Builder b(graph, graph::RegionId(0));
        std::vector<graph::VariableId> const both{graph::VariableId(0), graph::VariableId(1)};
        auto const ops = ops::opLookup();
        auto const gradients = passes::appendGradients(b, ops, graph::ValueId(4), both);
        QVERIFY(!gradients.ok());
        QCOMPARE(gradients.error().code, std::string("autodiff.no-gradient"));
        QCOMPARE(gradients.error().subject, std::string("w1"));
    }
};

TW_REGISTER_TEST(TstAutodiff);
#include "tst_autodiff.moc"
