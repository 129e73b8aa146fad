// Sums, means, extremes and products over axes; the gradient-side inverse of a general broadcast.
#include "engine/graph/axes.h"
#include "engine/graph/partial_sums.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include <algorithm>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1) return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("a reduction takes one operand."));
    TW_ASSIGN(auto const reduced, reducedAxes(node, inputs[0]->shape));
    return std::vector<Builder::Out>{{reducedShape(node, inputs[0]->shape, reduced), inputs[0]->dtype}};
}

Result<std::vector<Builder::Out>> inferMean(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() == 1 && !isFloating(inputs[0]->dtype))
        return makeError(ErrorKind::Invalid, "graph.shape", node.name,
                         Message::of("a mean takes f32 or f16, not %1.", toText(inputs[0]->dtype)));
    return infer(node, inputs);
}

/// A value with the shape of the node's result, repeated along the reduced axes.
ValueId spread(Builder &b, Node const &node, ValueId value)
{
    auto const shape = b.graph().value(node.inputs[0]).shape;
    auto const type = b.graph().value(value).dtype;
    auto const reduced = reducedAxes(node, shape).value();
    // A value without the leading axes broadcasts as it is; others get extent 1 back.
    auto const firstKept = std::ranges::find(reduced, false);
    if (!node.attrs.flag("keepdims") && std::find(firstKept, reduced.end(), true) != reduced.end() && firstKept != reduced.end()) {
        Shape kept = shape;
        for (std::size_t i = 0; i < kept.size(); ++i)
            if (reduced[i]) kept[i] = 1;
        value = b.one("reshape", {value}, kept, type);
    }
    return b.one("broadcast", {value}, shape, type);
}

std::vector<ValueId> sumGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    return {d.valid() ? spread(b, node, d) : ValueId()};
}

/// Elements of the operand for each of the result.
std::int64_t reducedElements(Graph const &graph, Node const &node)
{
    return elementCount(graph.value(node.inputs[0]).shape) / std::max<std::int64_t>(1, elementCount(graph.value(node.outputs[0]).shape));
}

std::vector<ValueId> meanGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    if (!d.valid()) return {ValueId()};
    double const share = 1.0 / static_cast<double>(std::max<std::int64_t>(1, reducedElements(b.graph(), node)));
    return {spread(b, node, appendOp(b, "mul_scalar", {d}, {{"p0", share}}))};
}

/// As TensorFlow has it: all elements that are equal to the extreme share its gradient.
std::vector<ValueId> extremeGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto d = outputGradients[0];
    auto const x = node.inputs[0];
    auto const type = b.graph().value(x).dtype;
    if (!d.valid() || !isFloating(type)) return {ValueId()};
    auto const as = [&](ValueId value, DType wanted) {
        return type == DType::F32 ? value : b.one("cast", {value}, b.graph().value(value).shape, wanted);
    };
    auto const chosen = as(appendOp(b, "equal", {x, spread(b, node, node.outputs[0])}), DType::F32); // counts exceed float16
    Attrs axes{{"keepdims", node.attrs.flag("keepdims")}};
    if (node.attrs.has("axes")) axes.set("axes", node.attrs.integers("axes"));
    auto const count = appendOp(b, "reduce_sum", {chosen}, std::move(axes));
    auto const part = appendOp(b, "div", {as(d, DType::F32), count});
    return {as(appendOp(b, "mul", {chosen, spread(b, node, part)}), type)};
}

/// The product of all other elements, from running products of both directions: an element of 0 has a gradient too, as in TensorFlow.
std::vector<ValueId> productGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    auto const x = node.inputs[0];
    auto const type = b.graph().value(x).dtype;
    if (!d.valid() || !isFloating(type)) return {ValueId()};
    Shape const shape = b.graph().value(x).shape;
    auto const reduced = reducedAxes(node, shape).value();
    std::vector<std::int64_t> perm, back(shape.size());
    for (bool const last : {false, true})
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (reduced[i] == last) perm.push_back(static_cast<std::int64_t>(i));
    Shape moved;
    for (std::size_t i = 0; i < perm.size(); ++i) {
        back[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
        moved.push_back(shape[static_cast<std::size_t>(perm[i])]);
    }
    bool const inOrder = std::ranges::is_sorted(perm);
    auto const n = reducedElements(b.graph(), node);
    auto runs = inOrder ? x : b.one("transpose", {x}, moved, type, {{"perm", perm}});
    runs = b.one("reshape", {runs}, {elementCount(shape) / std::max<std::int64_t>(1, n), n}, type);
    auto const others = [&](bool reverse) {
        return appendOp(b, "cumprod", {runs}, {{"axis", std::int64_t{1}}, {"exclusive", true}, {"reverse", reverse}});
    };
    auto product = b.one("reshape", {appendOp(b, "mul", {others(false), others(true)})}, moved, type);
    if (!inOrder) product = b.one("transpose", {product}, shape, type, {{"perm", back}});
    return {appendOp(b, "mul", {product, spread(b, node, d)})};
}

std::int64_t flops(Graph const &graph, Node const &node) { return elementCount(graph.value(node.inputs[0]).shape); }

/// Groups: `group` neighbouring rows at a time.
enum class Reduced { Rows, Cols, All, Groups };

/// Reduces a variable of rows x columns; the result lies where its partials did unless `want` says more.
VarId reduceVar(lowering::LowerContext &ctx, Node const &node, VarId in, Reduced axes, std::int64_t group, cost::ReduceOp op,
                std::string const &name, Shape const &shape, std::string const &role, DType outType)
{
    auto const source = ctx.b.var(in);
    Layout const &l = source.layout;
    Layout p;
    p.on = l.on;
    p.first = l.first;
    auto const addends = [&](std::int64_t count, std::int64_t stride) {
        if (count > 1) p.add(cut(count, 1, stride, DimKind::Addend));
    };
    std::string const word(cost::titleOf(op));
    std::string codelet;
    int const last = l.rank - 1;
    auto const blocks = [&](int begin, int end) {
        std::int64_t n = 1;
        for (int d = begin; d < end; ++d) n *= l.dim(d).count;
        return n;
    };
    if (axes == Reduced::Cols) {
        addends(l.col().count, l.col().stride);
        for (int d = 0; d < last; ++d) p.add(l.dim(d));
        p.add(cut(1, 1, 0));
        codelet = "Row" + word;
    } else if (axes == Reduced::Rows) {
        addends(blocks(0, last), l.strideOver(0, last).value());
        p.add(cut(1, 1, 0));
        p.add(l.col());
        codelet = "Column" + word;
    } else if (axes == Reduced::Groups) {
        std::int64_t const each = group / l.row().block;
        addends(each, l.row().stride);
        p.add(cut(l.rows() / group, 1, each * l.row().stride));
        p.add(l.col());
        codelet = "Column" + word;
    } else {
        addends(blocks(0, l.rank), l.strideOver(0, l.rank).value());
        p.add(cut(1, 1, 0));
        p.add(cut(1, 1, 0));
        codelet = "All" + word;
    }
    bool const final = !p.has(DimKind::Addend);
    auto const half = halfPartials(node);
    bool const rounds = op == cost::ReduceOp::Add || op == cost::ReduceOp::Mul;
    bool const wide = source.dtype == DType::F16 && rounds && half == 0;
    VarId const partials = ctx.b.addVar(final ? name : name + "/partials", final ? role : "partial",
                                        final      ? outType
                                            : wide ? DType::F32
                                                   : source.dtype,
                                        shape, p);
    std::vector<double> scalars;
    if (half > 0) scalars.push_back(static_cast<double>(half));
    ctx.b.execute(node.name + "/ReduceOnTile/" + codelet,
                  {ctx.b.family(codelet, {{partials, Access::Write}, {in, Access::Read}}, std::move(scalars))});
    return final ? partials : ctx.b.reducePartials(partials, name, shape, role, {}, op, outType);
}

/// The operand as rows and columns, of which one or both are reduced.
struct ReduceView {
    Reduced axes = Reduced::All;
    RowsCols extent;
    bool inOrder = true;    ///< the tensor's order; otherwise its kept axes are rows and its reduced axes columns
    std::int64_t group = 1; ///< rows that are reduced together (Groups)
};

/// Groups of fewer columns are turned instead: their vectors would be half empty. So are more groups than tiles: a tile holds one block.
constexpr std::int64_t kGroupColumns = 8;

ReduceView viewOf(Shape const &shape, std::vector<bool> const &reduced, std::int64_t tiles)
{
    auto const runs = axisRuns(shape, reduced);
    RowsCols extent;
    for (auto const &run : runs) (run.marked ? extent.cols : extent.rows) *= run.extent;
    bool const keeps = std::ranges::any_of(runs, [](AxisRun const &run) { return !run.marked; });
    if (!keeps) return {Reduced::All, rowsCols(shape)};
    if (runs.size() == 2 && runs[0].marked) return {Reduced::Rows, {extent.cols, extent.rows}};
    if (runs.size() == 3 && runs[1].marked && runs[2].extent >= kGroupColumns && runs[0].extent <= tiles)
        return {Reduced::Groups, {runs[0].extent * runs[1].extent, runs[2].extent}, true, runs[1].extent};
    return {Reduced::Cols, extent, runs.size() <= 2};
}

/// Blocks of rows that stay within a group of `group` rows: the fewest elements on a tile, counting its share of the partial results twice.
Layout groupedRows(lowering::LowerContext &ctx, RowsCols extent, std::int64_t group, DType type, int ipu)
{
    std::int64_t const tiles = ctx.b.workTiles(ipu).count, vector = std::max<std::int64_t>(1, 8 / sizeOf(type));
    std::int64_t best = 0, rowsOfBest = group, colsOfBest = extent.cols;
    for (std::int64_t rows = 1; rows <= group; ++rows) {
        if (group % rows != 0) continue;
        std::int64_t const down = extent.rows / rows, across = std::max<std::int64_t>(1, tiles / down);
        std::int64_t const cols = std::min(extent.cols, roundUp(ceilDiv(extent.cols, across), vector));
        std::int64_t const turns = ceilDiv(down * ceilDiv(extent.cols, cols), tiles); // blocks of a tile
        std::int64_t const work = turns * rows * cols + (rows < group ? 2 * ceilDiv(down * extent.cols, tiles) : 0);
        if (turns > 1 && rows < group) continue;
        if (best != 0 && work >= best) continue;
        best = work;
        rowsOfBest = rows;
        colsOfBest = cols;
    }
    return ctx.b.blocked(extent.rows, rowsOfBest, extent.cols, colsOfBest, ipu);
}

/// Whether each block of rows lies within a group of `group` rows.
bool isWithinGroups(Layout const &layout, RowsCols extent, std::int64_t group, int ipu)
{
    return layout.isMatrix() && layout.on.ipu == ipu && layout.rows() == extent.rows && layout.cols() == extent.cols
        && group % layout.row().block == 0;
}

/// Numbering of the elements with kept axes in front of reduced ones.
AxisOrder reducedLast(Shape const &shape, std::vector<bool> const &reduced)
{
    AxisOrder order;
    Shape const strides = rowMajorStrides(shape);
    for (bool const last : {false, true})
        for (std::size_t i = 0; i < shape.size(); ++i) {
            if (reduced[i] != last) continue;
            order.extents.push_back(shape[i]);
            order.tensor.push_back(strides[i]);
        }
    order.turned = rowMajorStrides(order.extents);
    return order;
}

cost::ReduceOp combining(std::string_view op)
{
    return op == "reduce_max" ? cost::ReduceOp::Max
        : op == "reduce_min"  ? cost::ReduceOp::Min
        : op == "reduce_prod" ? cost::ReduceOp::Mul
                              : cost::ReduceOp::Add;
}

Status lowerReduce(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &x = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    TW_ASSIGN(auto const reduced, reducedAxes(node, x.shape));
    auto const [axes, extent, inOrder, group] = viewOf(x.shape, reduced, ctx.b.workTiles(ctx.ipu(node.stage)).count);
    int const ipu = ctx.ipu(node.stage);
    bool const moves = axes == Reduced::Groups && !isWithinGroups(ctx.b.var(ctx.var(node.inputs[0])).layout, extent, group, ipu);
    VarId in = moves ? ctx.b.gather(ctx.var(node.inputs[0]), groupedRows(ctx, extent, group, x.dtype, ipu), node.name + "/in")
        : inOrder    ? rowsOperand(ctx, node.inputs[0], extent, ipu, node.name + "/in")
                     : turned(ctx, node.inputs[0], reducedLast(x.shape, reduced), {extent.rows, extent.cols},
                              ctx.b.linear(extent.rows, extent.cols, x.dtype, ipu), node.name + "/in", node.name + "/Rows");
    // Partial sums over several dimensions are one dimension of addends, which has one stride.
    auto const l = ctx.b.var(in).layout;
    if ((axes == Reduced::Rows || axes == Reduced::All) && !l.strideOver(0, axes == Reduced::All ? l.rank : l.rank - 1))
        in = ctx.b.gather(in, ctx.b.linear(l.rows(), l.cols(), out.dtype, ipu), node.name + "/in");
    std::string const role(graph::toText(out.role));
    if (node.op != "reduce_mean") {
        ctx.bind(node.outputs[0], reduceVar(ctx, node, in, axes, group, combining(node.op), out.name, out.shape, role, out.dtype));
        return {};
    }
    // A float16 sum would overflow where the mean does not.
    VarId const sum = reduceVar(ctx, node, in, axes, group, cost::ReduceOp::Add, node.name + "/sum", out.shape, "temporary", DType::F32);
    VarId const mean = outputVar(ctx, node, 0, ctx.b.var(sum).layout);
    double const share = 1.0 / static_cast<double>(std::max<std::int64_t>(1, reducedElements(ctx.graph, node)));
    executeMap(ctx, node.name + "/Scale", mean, {sum}, toText(Expr{1, {{Prim::MulScalar, {0, -1, -1}, share, 0}}}));
    ctx.bind(node.outputs[0], mean);
    return {};
}

// reduce_to: sums a tensor down to a shape that broadcasts to it, one axis at a time.
std::vector<ValueId> toGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    if (!outputGradients[0].valid()) return {ValueId()};
    auto const &x = b.graph().value(node.inputs[0]);
    return {b.one("broadcast", {outputGradients[0]}, x.shape, x.dtype)};
}

Status lowerReduceTo(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &in = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    int const ipu = ctx.ipu(node.stage);
    Shape shape = in.shape;
    Shape target = out.shape;
    target.insert(target.begin(), shape.size() - target.size(), 1);
    VarId current = ctx.var(node.inputs[0]);
    std::size_t last = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        if (target[axis] != shape[axis]) last = axis;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (target[axis] == shape[axis]) continue;
        auto const type = ctx.b.var(current).dtype;
        std::int64_t outer = 1, inner = 1;
        for (std::size_t i = 0; i < axis; ++i) outer *= shape[i];
        for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
        std::int64_t const n = shape[axis];
        shape[axis] = 1;
        // Slice j of the axis becomes partial j; each tile receives all slices of its elements and sums them.
        Layout sums = ctx.b.linear(outer, inner, type, ipu);
        Layout slices = sums;
        slices.addOuter(cut(n, n, 0, DimKind::Addend));
        VarId const gathered =
            ctx.b.addVar(node.name + "/slices" + std::to_string(axis), "message", type, shape, slices, Category::ExchangeBuffer);
        for (std::int64_t j = 0; j < n; ++j) {
            Transfer t;
            t.src = current;
            t.dst = gathered;
            t.src0 = j * inner;
            t.loops = {{outer, n * inner, inner}, {inner, 1, 1}};
            t.dstPart = static_cast<std::int32_t>(j);
            ctx.b.transfer(t, node.name + "/Exchange");
        }
        // Sums of float16 are float32 until the last axis is summed.
        bool const wide = in.dtype == DType::F16 && axis != last;
        VarId const sum = ctx.b.addVar(out.name + "/axis" + std::to_string(axis), std::string(graph::toText(out.role)),
                                       wide ? DType::F32 : in.dtype, shape, sums);
        ctx.b.execute(node.name + "/ReduceAdd", {ctx.b.family("ReduceAdd", {{sum, Access::Write}, {gathered, Access::Read}})});
        current = sum;
    }
    ctx.bind(node.outputs[0], current);
    return {};
}

} // namespace

namespace {

/// Rows are summed to one.
bool sumsRows(Graph const &graph, Node const &node)
{
    auto const &from = graph.value(node.inputs[0]).shape, &to = graph.value(node.outputs[0]).shape;
    return to.size() == 1 && !from.empty() && from.back() == to[0];
}

} // namespace

void addReductions(std::vector<OpDef> &all)
{
    OpDef sum;
    sum.name = "reduce_sum";
    AttrSpec const axes = optionalAttr("axes", AttrType::Integers, "axes to reduce, from the end if negative; all without it");
    AttrSpec const keep = optionalAttr("keepdims", AttrType::Flag, "reduced axes stay, with extent 1");
    sum.spec = {.infer = infer,
                .gradient = sumGradient,
                .flops = flops,
                .attributes = {axes, keep, halfPartialsAttribute()},
                .work = Work::Reduction};
    sum.lowering.lower = lowerReduce;
    sum.help = "sum over some axes, or all";
    all.push_back(sum);
    struct Other {
        char const *name, *help;
        decltype(&sumGradient) gradient;
    };
    for (auto const &other : {Other{"reduce_mean", "mean over some axes, or all", meanGradient},
                              {"reduce_max", "maximum over some axes, or all", extremeGradient},
                              {"reduce_min", "minimum over some axes, or all", extremeGradient},
                              {"reduce_prod", "product over some axes, or all", productGradient}}) {
        OpDef def = sum;
        def.name = other.name;
        if (def.name == "reduce_mean") def.spec.infer = inferMean;
        def.spec.gradient = other.gradient;
        def.spec.attributes = {axes, keep};
        def.help = other.help;
        all.push_back(std::move(def));
    }
    OpDef to;
    to.name = "reduce_to";
    to.spec = {.gradient = toGradient, .flops = flops, .operands = 1, .work = Work::Reduction, .addsRows = sumsRows};
    to.lowering.lower = lowerReduceTo;
    to.help = "sum down to a shape that broadcasts to the operand's";
    all.push_back(to);
}

} // namespace tilewright::ops
