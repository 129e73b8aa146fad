// What a number of the running program decides: rows with a one at it, the part of an axis that begins there, and that part
// replaced.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Diagnostic shapeError(Node const &node, Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); }

Result<std::vector<Builder::Out>> inferOneHot(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1 || inputs[0]->dtype != DType::I32) return shapeError(node, Message::of("one-hot positions must be integers."));
    if (node.attrs.integer("depth") < 1) return shapeError(node, Message::of("a row needs an element: depth is below 1."));
    auto const type = parseDType(node.attrs.text("dtype", "float32"));
    if (!type) return shapeError(node, Message::of("there is no type '%1'.", node.attrs.text("dtype")));
    Shape out = inputs[0]->shape;
    out.push_back(node.attrs.integer("depth"));
    return std::vector<Builder::Out>{{out, *type}};
}

Status lowerOneHot(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const rc = rowsCols(out.shape);
    VarId const rows = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ctx.ipu(node.stage)));
    VarId const ids =
        ctx.b.gather(ctx.var(node.inputs[0]), ctx.b.broadcastLayout(Broadcast::Column, ctx.b.var(rows).layout), node.name + "/ids");
    ctx.b.execute(node.name + "/EncodeOneHot", {ctx.b.family("EncodeOneHot", {{rows, Access::Write}, {ids, Access::Read}})});
    ctx.bind(node.outputs[0], rows);
    return {};
}

bool isNumber(Value const &value) { return value.dtype == DType::I32 && elementCount(value.shape) == 1; }

Result<std::vector<Builder::Out>> inferSlice(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 2 || !isNumber(*inputs[1]))
        return shapeError(node, Message::of("a slice takes a tensor and the integer where it begins."));
    TW_ASSIGN(auto const view, axisViewOf(node, inputs[0]->shape));
    auto const size = node.attrs.integer("size");
    if (size < 1 || size > view.n) return shapeError(node, Message::of("size %1 is not within %2.", size, toText(inputs[0]->shape)));
    Shape out = inputs[0]->shape;
    out[static_cast<std::size_t>(axisOf(node, out))] = size;
    return std::vector<Builder::Out>{{out, inputs[0]->dtype}};
}

Result<std::vector<Builder::Out>> inferUpdate(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 3 || !isNumber(*inputs[2]))
        return shapeError(node, Message::of("an update takes a tensor, the part to write and the integer where the part begins."));
    TW_ASSIGN(auto const whole, axisViewOf(node, inputs[0]->shape));
    auto const part = axisViewOf(node, inputs[1]->shape);
    if (!part.ok() || part->outer != whole.outer || part->inner != whole.inner || part->n > whole.n || inputs[0]->dtype != inputs[1]->dtype)
        return shapeError(node, Message::of("%1 is not a part of %2 along the axis.", toText(inputs[1]->shape), toText(inputs[0]->shape)));
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

std::vector<ValueId> sliceGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    auto const x = b.graph().value(node.inputs[0]);
    if (!d[0].valid() || !isFloating(x.dtype)) return {ValueId(), ValueId()};
    auto const zeros = b.constant(0.0, x.shape, x.dtype);
    return {appendOp(b, "dynamic_update", {zeros, d[0], node.inputs[1]}, {{"axis", axisOf(node, x.shape)}}), ValueId()};
}

std::vector<ValueId> updateGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    auto const part = b.graph().value(node.inputs[1]);
    if (!d[0].valid() || !isFloating(part.dtype)) return {ValueId(), ValueId(), ValueId()};
    Attrs attrs{{"axis", axisOf(node, part.shape)}};
    auto const zeros = b.constant(0.0, part.shape, part.dtype);
    auto const whole = appendOp(b, "dynamic_update", {d[0], zeros, node.inputs[2]}, attrs);
    attrs.set("size", part.shape[static_cast<std::size_t>(attrs.integer("axis"))]);
    return {whole, appendOp(b, "dynamic_slice", {d[0], node.inputs[2]}, attrs), ValueId()};
}

std::int64_t noFlops(Graph const &, Node const &) { return 0; }

/// All slices of the same elements on the same tiles: [n][outer inner], the axis whole.
Layout slicesLayout(Layout const &slice, std::int64_t n)
{
    Layout layout = slice;
    layout.row() = cut(n, n, 0);
    return layout;
}

/// A tensor's slices on their tiles, a copy of its own.
VarId slicesOf(lowering::LowerContext &ctx, ValueId value, AxisView const &view, Layout const &slice, std::string const &name)
{
    return turned(ctx, value, slicesAcross(view), {view.n, view.rows()}, slicesLayout(slice, view.n), name, name);
}

/// Slices go back to the order of the node's result, where that is another one.
void bindSlices(lowering::LowerContext &ctx, Node const &node, VarId slices, AxisView const &view, int ipu)
{
    if (view.outer == 1) ctx.bind(node.outputs[0], slices);
    else bindTurnedBack(ctx, node, slices, slicesAcross(view), ipu);
}

Status lowerDynamic(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    bool const update = node.op == "dynamic_update";
    int const ipu = ctx.ipu(node.stage);
    auto const &out = ctx.graph.value(node.outputs[0]);
    TW_ASSIGN(auto const whole, axisViewOf(node, ctx.graph.value(node.inputs[0]).shape));
    TW_ASSIGN(auto const part, axisViewOf(node, update ? ctx.graph.value(node.inputs[1]).shape : out.shape));
    Layout const slice = ctx.b.linear(1, whole.rows(), out.dtype, ipu);
    VarId const stack = slicesOf(ctx, node.inputs[0], whole, slice, node.name + "/whole");
    VarId const start = ctx.b.gather(ctx.var(node.inputs.back()), ctx.b.broadcastLayout(Broadcast::Scalar, slice), node.name + "/start");
    std::vector<double> const scalars{0.0, static_cast<double>(whole.n)};
    if (update) {
        VarId const slices = slicesOf(ctx, node.inputs[1], part, slice, node.name + "/part");
        ctx.b.execute(
            node.name + "/DynamicUpdateSlice",
            {ctx.b.family("DynamicUpdateSlice1D", {{stack, Access::Update}, {slices, Access::Read}, {start, Access::Read}}, scalars)});
        bindSlices(ctx, node, stack, whole, ipu);
        return {};
    }
    VarId const slices = outputVar(ctx, node, 0, slicesLayout(slice, part.n));
    ctx.b.execute(node.name + "/DynamicSlice",
                  {ctx.b.family("DynamicSlice1D", {{slices, Access::Write}, {stack, Access::Read}, {start, Access::Read}}, scalars)});
    bindSlices(ctx, node, slices, part, ipu);
    return {};
}

} // namespace

void addIndexing(std::vector<OpDef> &all)
{
    OpDef oneHot;
    oneHot.name = "one_hot";
    oneHot.spec = {.infer = inferOneHot,
                   .flops = noFlops,
                   .attributes = {{"depth", AttrType::Integer, "elements of a row"},
                                  optionalAttr("dtype", AttrType::Text, "type of the result, float32 without it")}};
    oneHot.lowering.lower = lowerOneHot;
    oneHot.help = "rows of `depth` elements with a one at each number; a number outside them gives zeros";
    all.push_back(std::move(oneHot));
    OpDef slice;
    slice.name = "dynamic_slice";
    auto const axis = optionalAttr("axis", AttrType::Integer, "from the end if negative; the last without it");
    slice.spec = {.infer = inferSlice,
                  .gradient = sliceGradient,
                  .flops = noFlops,
                  .attributes = {axis, {"size", AttrType::Integer, "indices of the axis"}}};
    slice.lowering.lower = lowerDynamic;
    slice.help = "`size` indices of an axis from a number on, moved so far that they are within the tensor";
    all.push_back(slice);
    slice.name = "dynamic_update";
    slice.spec = {.infer = inferUpdate, .gradient = updateGradient, .flops = noFlops, .attributes = {axis}};
    slice.help = "a tensor with its part from a number on replaced, moved so far that it is within the tensor";
    all.push_back(std::move(slice));
}

} // namespace tilewright::ops
