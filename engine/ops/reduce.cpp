// Sums and maxima over axes; the gradient-side inverse of a general broadcast.
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

std::vector<ValueId> sumGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto d = outputGradients[0];
    if (!d.valid()) return {ValueId()};
    auto const shape = b.graph().value(node.inputs[0]).shape;
    auto const type = b.graph().value(node.inputs[0]).dtype;
    auto const reduced = reducedAxes(node, shape).value();
    // A gradient without the leading axes broadcasts as it is; others get extent 1 back.
    auto const firstKept = std::ranges::find(reduced, false);
    if (!node.attrs.flag("keepdims") && std::find(firstKept, reduced.end(), true) != reduced.end() && firstKept != reduced.end()) {
        Shape kept = shape;
        for (std::size_t i = 0; i < kept.size(); ++i)
            if (reduced[i]) kept[i] = 1;
        d = b.one("reshape", {d}, kept, type);
    }
    return {b.one("broadcast", {d}, shape, type)};
}

std::int64_t flops(Graph const &graph, Node const &node) { return elementCount(graph.value(node.inputs[0]).shape); }

enum class Reduced { Rows, Cols, All };

/// Reduces a variable of rows x columns; the result lies where its partials did unless `want` says more.
VarId reduceVar(lowering::LowerContext &ctx, Node const &node, VarId in, Reduced axes, bool maximum, std::string const &name,
                Shape const &shape, std::string const &role)
{
    auto const source = ctx.b.var(in);
    Layout const &l = source.layout;
    Layout p;
    p.on = l.on;
    p.first = l.first;
    auto const addends = [&](std::int64_t count, std::int64_t stride) {
        if (count > 1) p.add(cut(count, 1, stride, DimKind::Addend));
    };
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
        codelet = maximum ? "RowMax" : "RowSum";
    } else if (axes == Reduced::Rows) {
        addends(blocks(0, last), l.strideOver(0, last).value());
        p.add(cut(1, 1, 0));
        p.add(l.col());
        codelet = maximum ? "ColumnMax" : "ColumnSum";
    } else {
        addends(blocks(0, l.rank), l.strideOver(0, l.rank).value());
        p.add(cut(1, 1, 0));
        p.add(cut(1, 1, 0));
        codelet = maximum ? "AllMax" : "AllSum";
    }
    bool const final = !p.has(DimKind::Addend);
    auto const half = halfPartials(node);
    bool const wide = source.dtype == DType::F16 && !maximum && half == 0;
    VarId const partials =
        ctx.b.addVar(final ? name : name + "/partials", final ? role : "partial", wide && !final ? DType::F32 : source.dtype, shape, p);
    std::vector<double> scalars;
    if (half > 0) scalars.push_back(static_cast<double>(half));
    ctx.b.execute(node.name + "/ReduceOnTile/" + codelet,
                  {ctx.b.family(codelet, {{partials, Access::Write}, {in, Access::Read}}, std::move(scalars))});
    return final ? partials : ctx.b.reducePartials(partials, name, shape, role, {}, maximum, source.dtype);
}

/// The operand as rows and columns, of which one or both are reduced.
struct ReduceView {
    Reduced axes = Reduced::All;
    RowsCols extent;
    bool inOrder = true; ///< the tensor's order; otherwise its kept axes are rows and its reduced axes columns
};

ReduceView viewOf(Shape const &shape, std::vector<bool> const &reduced)
{
    auto const runs = axisRuns(shape, reduced);
    RowsCols extent;
    for (auto const &run : runs) (run.marked ? extent.cols : extent.rows) *= run.extent;
    bool const keeps = std::ranges::any_of(runs, [](AxisRun const &run) { return !run.marked; });
    if (!keeps) return {Reduced::All, rowsCols(shape)};
    if (runs.size() == 2 && runs[0].marked) return {Reduced::Rows, {extent.cols, extent.rows}};
    return {Reduced::Cols, extent, runs.size() <= 2};
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

Status lowerReduce(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &x = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    TW_ASSIGN(auto const reduced, reducedAxes(node, x.shape));
    auto const [axes, extent, inOrder] = viewOf(x.shape, reduced);
    int const ipu = ctx.ipu(node.stage);
    VarId in = inOrder ? rowsOperand(ctx, node.inputs[0], extent, ipu, node.name + "/in")
                       : turned(ctx, node.inputs[0], reducedLast(x.shape, reduced), {extent.rows, extent.cols},
                                ctx.b.linear(extent.rows, extent.cols, x.dtype, ipu), node.name + "/in", node.name + "/Rows");
    // Partial sums over several dimensions are one dimension of addends, which has one stride.
    auto const l = ctx.b.var(in).layout;
    if (axes != Reduced::Cols && !l.strideOver(0, axes == Reduced::All ? l.rank : l.rank - 1))
        in = ctx.b.gather(in, ctx.b.linear(l.rows(), l.cols(), out.dtype, ipu), node.name + "/in");
    ctx.bind(node.outputs[0],
             reduceVar(ctx, node, in, axes, node.op == "reduce_max", out.name, out.shape, std::string(graph::toText(out.role))));
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
    OpDef max = sum;
    max.name = "reduce_max";
    max.spec.gradient = nullptr;
    max.spec.attributes = {axes, keep};
    max.help = "maximum over some axes, or all";
    all.push_back(max);
    OpDef to;
    to.name = "reduce_to";
    to.spec = {.gradient = toGradient, .flops = flops, .operands = 1, .work = Work::Reduction, .addsRows = sumsRows};
    to.lowering.lower = lowerReduceTo;
    to.help = "sum down to a shape that broadcasts to the operand's";
    all.push_back(to);
}

} // namespace tilewright::ops
