#include "engine/graph/expr.h"
#include "engine/kernels/kernel_table.h"
#include "engine/ops/op_def.h"
#include "engine/reference/reference.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::ops;
using graph::Attrs;

namespace {

/// Operations of the executors themselves: state, streams, loops, transfers between replicas and IPUs.
std::set<std::string> const kExecuted{"variable.read", "variable.assign", "ipu_copy", "repeat", "call",    "if",        "while",
                                      "pipeline",      "parameters",      "results",  "infeed", "outfeed", "all_reduce"};
/// Among those, the ones that the reference interpreter handles or leaves to its caller.
std::set<std::string> const kNoReference{"variable.read", "variable.assign", "ipu_copy", "repeat", "call",    "if",        "while",
                                         "pipeline",      "parameters",      "results",  "infeed", "outfeed", "all_reduce"};

struct Operand {
    Shape shape;
    DType dtype = DType::F32;
};

struct Refusal {
    char const *name;
    std::string op;
    Attrs attrs;
    std::vector<Operand> operands;
};

Result<std::vector<graph::Builder::Out>> infer(std::string const &op, Attrs const &attrs, std::vector<Operand> const &operands)
{
    graph::Node node;
    node.op = op;
    node.name = "the node";
    node.attrs = attrs;
    std::vector<graph::Value> values;
    for (auto const &operand : operands) {
        graph::Value value;
        value.shape = operand.shape;
        value.dtype = operand.dtype;
        values.push_back(value);
    }
    std::vector<graph::Value const *> pointers;
    for (auto const &value : values) pointers.push_back(&value);
    return findOp(op)->spec.infer(node, pointers);
}

Attrs pool(std::int64_t window, std::int64_t stride, std::int64_t before)
{
    using List = std::vector<std::int64_t>;
    return {{"window", List{window}}, {"stride", List{stride}}, {"before", List{before}}, {"after", List{0}}};
}

Attrs norm(std::vector<std::int64_t> view) { return {{"view", std::move(view)}, {"epsilon", 1e-3}}; }

std::vector<Refusal> refusals()
{
    using Ints = std::vector<std::int64_t>;
    std::string const map = "2: add a0 a1", update = "t1 | 3: mul a2 a1; sub a0 t0";
    return {
        {"add of shapes that do not broadcast", "add", {}, {{{3, 4}}, {{5}}}},
        {"add of two types", "add", {}, {{{3}}, {{3}, DType::I32}}},
        {"add of one", "add", {}, {{{3}}}},
        {"relu of two", "relu", {}, {{{3}}, {{3}}}},
        {"map without an expression", "map", {}, {{{3}}}},
        {"map of another number of operands", "map", {{"expr", map}}, {{{3}}}},
        {"product of inner dimensions that differ", "matmul", {}, {{{2, 3}}, {{4, 5}}}},
        {"product turned the wrong way", "matmul", {{"transpose_b", true}}, {{{2, 3}}, {{3, 5}}}},
        {"product with a vector", "matmul", {}, {{{2, 3}}, {{3}}}},
        {"product of one", "matmul", {}, {{{2, 3}}}},
        {"product of two types", "matmul", {}, {{{2, 3}}, {{3, 2}, DType::F16}}},
        {"sum over no axes", "reduce_sum", {{"axes", Shape{}}}, {{{2, 3}}}},
        {"sum over a missing axis", "reduce_sum", {{"axes", Shape{2}}}, {{{2, 3}}}},
        {"sum over an axis named twice", "reduce_sum", {{"axes", Shape{0, -2}}}, {{{2, 3}}}},
        {"sum of two", "reduce_sum", {}, {{{2}}, {{2}}}},
        {"mean of whole numbers", "reduce_mean", {}, {{{2}, DType::I32}}},
        {"join along an axis that is not there", "concat", {{"axis", std::int64_t{2}}}, {{{2, 3}}, {{2, 3}}}},
        {"join of shapes that differ elsewhere", "concat", {{"axis", std::int64_t{0}}}, {{{2, 3}}, {{2, 4}}}},
        {"join of ranks that differ", "concat", {{"axis", std::int64_t{0}}}, {{{2, 3}}, {{2}}}},
        {"join of nothing", "concat", {{"axis", std::int64_t{0}}}, {}},
        {"slice past the end", "slice", {{"axis", std::int64_t{0}}, {"start", std::int64_t{2}}, {"size", std::int64_t{2}}}, {{{3}}}},
        {"slice before the start", "slice", {{"axis", std::int64_t{0}}, {"start", std::int64_t{-1}}, {"size", std::int64_t{2}}}, {{{3}}}},
        {"parts that are not equal", "split", {{"axis", std::int64_t{0}}, {"parts", std::int64_t{2}}}, {{{3}}}},
        {"parts along an axis that is not there", "split", {{"axis", std::int64_t{1}}, {"parts", std::int64_t{2}}}, {{{4}}}},
        {"empty slice", "slice", {{"axis", std::int64_t{0}}, {"start", std::int64_t{0}}, {"size", std::int64_t{0}}}, {{{3}}}},
        {"slice of a box outside", "slice", {{"starts", Ints{0, 2}}, {"sizes", Ints{1, 2}}}, {{{3, 3}}}},
        {"slice of a box of another rank", "slice", {{"starts", Ints{0}}, {"sizes", Ints{1}}}, {{{3, 3}}}},
        {"padding by less than nothing", "pad", {{"before", Ints{0, -1}}, {"after", Ints{0, 0}}}, {{{3, 3}}}},
        {"padding of another rank", "pad", {{"before", Ints{1}}, {"after", Ints{1}}}, {{{3, 3}}}},
        {"a permutation that names an axis twice", "transpose", {{"perm", Ints{0, 0}}}, {{{3, 3}}}},
        {"a permutation of another rank", "transpose", {{"perm", Ints{0}}}, {{{3, 3}}}},
        {"look-up in no matrix", "gather", {}, {{{3}}, {{2}, DType::I32}}},
        {"look-up by floating-point numbers", "gather", {}, {{{3, 2}}, {{2}}}},
        {"rows for other numbers", "scatter_add", {{"rows", std::int64_t{3}}}, {{{2, 4}}, {{3}, DType::I32}}},
        {"rows for a table of none", "scatter_add", {}, {{{3, 4}}, {{3}, DType::I32}}},
        {"products of other numbers of matrices", "batch_matmul", {}, {{{2, 3, 4}}, {{3, 4, 5}}}},
        {"products of other inner extents", "batch_matmul", {{"transpose_b", true}}, {{{2, 3, 4}}, {{2, 4, 5}}}},
        {"products with a vector", "batch_matmul", {}, {{{2, 3, 4}}, {{4}}}},
        {"labels that are no whole numbers", "sparse_xent", {}, {{{3, 4}}, {{3}}}},
        {"labels of another batch", "sparse_xent", {}, {{{3, 4}}, {{2}, DType::I32}}},
        {"targets of another shape", "cat_xent", {}, {{{3, 4}}, {{3, 5}}}},
        {"cross-entropy of a scalar", "cat_xent", {}, {{{}}, {{}}}},
        {"dropout of everything", "dropout", {{"rate", 1.0}}, {{{3}}, {{}, DType::I32}}},
        {"dropout of less than nothing", "dropout", {{"rate", -0.5}}, {{{3}}, {{}, DType::I32}}},
        {"dropout without a counter", "dropout", {{"rate", 0.5}}, {{{3}}}},
        {"dropout by a stream that is no number", "dropout", {{"rate", 0.5}}, {{{3}}, {{}, DType::I32}, {{2}, DType::I32}}},
        {"noise by a counter that is no whole number", "random.normal", {{"stddev", 1.0}}, {{{3}}, {{}, DType::F32}}},
        {"pooling without windows", "pool.max", {}, {{{2, 8, 3}}}},
        {"pooling of another rank", "pool.max", pool(2, 2, 0), {{{2, 8, 8, 3}}}},
        {"pooling larger than its axis", "pool.average", pool(9, 1, 0), {{{2, 8, 3}}}},
        {"pooling of padding", "pool.average", pool(2, 1, 2), {{{2, 8, 3}}}},
        {"pooling without a stride", "pool.average", pool(2, 0, 0), {{{2, 8, 3}}}},
        {"pooling of two", "pool.max", pool(2, 2, 0), {{{2, 8, 3}}, {{2, 8, 3}}}},
        {"gradient of a pooling of another shape", "pool.max_grad", pool(2, 2, 0), {{{2, 8, 3}}, {{2, 8, 3}}}},
        {"gradient of a pooling that says not of what", "pool.average_grad", pool(2, 2, 0), {{{2, 4, 3}}}},
        {"norm without a view", "norm.whiten", {}, {{{2, 8}}}},
        {"norm of another size", "norm.whiten", norm({1, 2, 9, 1}), {{{2, 8}}}},
        {"norm of two", "norm.whiten", norm({1, 2, 8, 1}), {{{2, 8}}, {{2, 8}}}},
        {"gradient of a norm without its variances", "norm.whiten_grad", norm({1, 2, 8, 1}), {{{2, 8}}, {{2}}, {{2, 8}}}},
        {"gradient of a norm of another shape", "norm.whiten_grad", norm({1, 2, 8, 1}), {{{2, 8}}, {{8}}, {{8, 2}}}},
        {"noise of less than nothing", "random.normal", {{"stddev", -0.5}}, {{{3}}, {{}, DType::I32}}},
        {"noise without a counter", "random.normal", {{"stddev", 0.5}}, {{{3}}}},
        {"the largest along an axis that is not there", "argmax", {{"axis", std::int64_t{2}}}, {{{3, 4}}}},
        {"the smallest of two", "argmin", {}, {{{3}}, {{3}}}},
        {"running sums along an axis that is not there", "cumsum", {{"axis", std::int64_t{-3}}}, {{{3, 4}}}},
        {"running products of a scalar", "cumprod", {}, {{{}}}},
        {"ones at floating-point numbers", "one_hot", {{"depth", std::int64_t{4}}}, {{{3}}}},
        {"ones in rows of none", "one_hot", {}, {{{3}, DType::I32}}},
        {"ones of a type that is not there", "one_hot", {{"depth", std::int64_t{4}}, {"dtype", std::string("real")}}, {{{3}, DType::I32}}},
        {"a slice that begins at a fraction", "dynamic_slice", {{"axis", std::int64_t{0}}, {"size", std::int64_t{1}}}, {{{3}}, {{}}}},
        {"a slice larger than its axis",
         "dynamic_slice",
         {{"axis", std::int64_t{0}}, {"size", std::int64_t{4}}},
         {{{3}}, {{}, DType::I32}}},
        {"a slice of nothing", "dynamic_slice", {{"axis", std::int64_t{0}}}, {{{3}}, {{}, DType::I32}}},
        {"a part of other columns", "dynamic_update", {{"axis", std::int64_t{0}}}, {{{3, 4}}, {{2, 5}}, {{}, DType::I32}}},
        {"a part larger than the whole", "dynamic_update", {{"axis", std::int64_t{0}}}, {{{3, 4}}, {{4, 4}}, {{}, DType::I32}}},
        {"an update without a gradient", "opt.sgd", {}, {{{3}}, {{}}}},
        {"an update without an expression", "opt.update", {}, {{{3}}, {{3}}, {{}}}},
        {"an update without its scalar", "opt.update", {{"expr", update}}, {{{3}}, {{3}}}},
        {"an update by a scalar of three", "opt.update", {{"expr", update}}, {{{3}}, {{3}}, {{3}}}},
        {"an update by another gradient", "opt.update", {{"expr", update}}, {{{3}}, {{4}}, {{}}}},
        {"an update of a counter", "opt.update", {{"expr", update}}, {{{3}, DType::I32}, {{3}}, {{}}}},
        {"an update that takes another's value", "opt.update", {{"expr", std::string("a1 | 3: mul a2 a1")}}, {{{3}}, {{3}}, {{}}}},
        {"an update of fewer operands than states", "opt.update", {{"expr", std::string("t0 t0 | 2: mul a0 a1")}}, {{{3}}, {{3}}}},
        {"a coefficient of more than t", "opt.coefficient", {{"formula", std::string("1 - b ^ t")}}, {{{}, DType::I32}}},
        {"a coefficient of no counter", "opt.coefficient", {{"formula", std::string("t")}}, {{{}}}},
        {"an update without its slot", "opt.adam", {}, {{{3}}, {{3}}, {{3}}, {{}}}},
    };
}

} // namespace

class TstOpRegistry : public QObject {
    Q_OBJECT
private slots:
    void everyOpIsCompleteInAllTables()
    {
        std::set<std::string> names;
        for (auto const &op : builtinOps()) {
            auto const name = op.name.c_str();
            QVERIFY2(names.insert(op.name).second, name);
            QVERIFY2(findOp(op.name) == &op, name);
            QVERIFY2(!op.help.empty(), name);
            QVERIFY2(op.lowering.lower != nullptr, name);
            QVERIFY2((op.lowering.plan != nullptr) == (op.lowering.traits != nullptr), name);
            QVERIFY2((op.kernel != nullptr) != kExecuted.contains(op.name), name);
            bool const reference = graph::isElementwise(op.name) || reference::hasReference(op.name);
            QVERIFY2(reference != kNoReference.contains(op.name), name);
            for (auto const &[output, input] : op.spec.inPlaceCandidates) QVERIFY2(output >= 0 && input >= 0, name);
            QVERIFY2(opLookup()(op.name) == &op.spec && loweringLookup()(op.name) == &op.lowering, name);
        }
        for (auto const &prim : graph::primitives()) QVERIFY2(names.contains(std::string(prim.name)), std::string(prim.name).c_str());
        QVERIFY(!findOp("no_such_op"));
    }
    void operandsThatDoNotFitAreRefused_data()
    {
        QTest::addColumn<int>("index");
        auto const all = refusals();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) QTest::newRow(all[static_cast<std::size_t>(i)].name) << i;
    }
    void operandsThatDoNotFitAreRefused()
    {
        QFETCH(int, index);
        auto const r = refusals()[static_cast<std::size_t>(index)];
        auto const outs = infer(r.op, r.attrs, r.operands);
        QVERIFY(!outs.ok());
        QVERIFY(!outs.error().code.empty());
    }
    void shapesFollowTheirDefinition()
    {
        auto const shapeOf = [](std::string const &op, Attrs const &attrs, std::vector<Operand> const &operands) {
            auto const outs = infer(op, attrs, operands);
            if (!outs.ok()) qFatal("%s", toText(outs.error()).c_str());
            return outs->at(0).shape;
        };
        QCOMPARE(shapeOf("add", {}, {{{4}}, {{3, 4}}}), (Shape{3, 4}));
        QCOMPARE(shapeOf("mul", {}, {{{2, 3, 4}}, {{}}}), (Shape{2, 3, 4}));
        QCOMPARE(shapeOf("matmul", {}, {{{2, 3}}, {{3, 5}}}), (Shape{2, 5}));
        QCOMPARE(shapeOf("matmul", {{"transpose_a", true}, {"transpose_b", true}}, {{{3, 2}}, {{5, 3}}}), (Shape{2, 5}));
        QCOMPARE(shapeOf("matmul", {}, {{{7, 2, 3}}, {{3, 5}}}), (Shape{14, 5}));
        QCOMPARE(shapeOf("reduce_sum", {{"axes", Shape{0, 1}}}, {{{2, 3, 4}}}), (Shape{4}));
        QCOMPARE(shapeOf("reduce_sum", {{"axes", Shape{-1}}}, {{{2, 3, 4}}}), (Shape{2, 3}));
        QCOMPARE(shapeOf("reduce_max", {}, {{{2, 3, 4}}}), Shape{});
        QCOMPARE(shapeOf("reduce_prod", {{"axes", Shape{1}}, {"keepdims", true}}, {{{2, 3, 4}}}), (Shape{2, 1, 4}));
        QCOMPARE(shapeOf("concat", {{"axis", std::int64_t{1}}}, {{{2, 3}}, {{2, 4}}}), (Shape{2, 7}));
        QCOMPARE(shapeOf("slice", {{"axis", std::int64_t{0}}, {"start", std::int64_t{1}}, {"size", std::int64_t{2}}}, {{{5, 3}}}),
                 (Shape{2, 3}));
        using Ints = std::vector<std::int64_t>;
        QCOMPARE(shapeOf("slice", {{"starts", Ints{1, 0}}, {"sizes", Ints{2, 3}}}, {{{5, 3}}}), (Shape{2, 3}));
        QCOMPARE(shapeOf("pad", {{"before", Ints{1, 0}}, {"after", Ints{2, 3}}}, {{{5, 3}}}), (Shape{8, 6}));
        QCOMPARE(shapeOf("transpose", {{"perm", Ints{2, 0, 1}}}, {{{2, 3, 4}}}), (Shape{4, 2, 3}));
        QCOMPARE(shapeOf("gather", {}, {{{7, 3}}, {{2, 5}, DType::I32}}), (Shape{2, 5, 3}));
        QCOMPARE(shapeOf("scatter_add", {{"rows", std::int64_t{9}}}, {{{2, 5, 3}}, {{2, 5}, DType::I32}}), (Shape{9, 3}));
        QCOMPARE(shapeOf("batch_matmul", {{"transpose_a", true}, {"transpose_b", true}}, {{{6, 3, 2}}, {{6, 5, 3}}}), (Shape{6, 2, 5}));
        QCOMPARE(shapeOf("batch_matmul", {}, {{{2, 1, 3, 4}}, {{6, 4, 5}}}), (Shape{2, 6, 3, 5}));
        QCOMPARE(shapeOf("batch_matmul", {}, {{{3, 4}}, {{6, 4, 5}}}), (Shape{6, 3, 5}));
        QCOMPARE(shapeOf("argmax", {}, {{{2, 3, 4}}}), (Shape{2, 3}));
        QCOMPARE(shapeOf("argmin", {{"axis", std::int64_t{1}}}, {{{2, 3, 4}}}), (Shape{2, 4}));
        QCOMPARE(shapeOf("cumsum", {{"axis", std::int64_t{0}}}, {{{2, 3, 4}}}), (Shape{2, 3, 4}));
        QCOMPARE(shapeOf("one_hot", {{"depth", std::int64_t{7}}}, {{{2, 3}, DType::I32}}), (Shape{2, 3, 7}));
        QCOMPARE(shapeOf("dynamic_slice", {{"axis", std::int64_t{1}}, {"size", std::int64_t{2}}}, {{{5, 6, 7}}, {{}, DType::I32}}),
                 (Shape{5, 2, 7}));
        QCOMPARE(shapeOf("dynamic_update", {{"axis", std::int64_t{0}}}, {{{5, 6}}, {{2, 6}}, {{1}, DType::I32}}), (Shape{5, 6}));
        QCOMPARE(shapeOf("select", {}, {{{2, 1}}, {{2, 3}}, {{}}}), (Shape{2, 3}));
        QCOMPARE(shapeOf("sparse_xent", {}, {{{6, 4}}, {{6}, DType::I32}}), (Shape{6}));
        auto const xent = infer("sparse_xent", {}, {{{6, 4}}, {{6}, DType::I32}});
        QCOMPARE(xent->at(1).shape, (Shape{6, 4}));
    }
    void arithmeticIsCounted()
    {
        graph::Graph g;
        graph::addRegion(g, "main");
        graph::Builder b(g, graph::RegionId(0));
        auto const x = b.one("infeed", {}, {2, 3}, DType::F32), w = b.one("infeed", {}, {3, 5}, DType::F32);
        auto const y = graph::addInferred(b, opLookup(), "matmul", {x, w})[0];
        auto const z = graph::addInferred(b, opLookup(), "relu", {y})[0];
        (void)z;
        QCOMPARE(findOp("matmul")->spec.flops(g, g.node(g.value(y).producer)), 2 * 2 * 3 * 5);
        QCOMPARE(findOp("relu")->spec.flops(g, g.nodes.back()), 10);
    }
};

TW_REGISTER_TEST(TstOpRegistry);
#include "tst_op_registry.moc"
