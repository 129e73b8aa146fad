// Operations along one axis: where the largest or smallest element is, running sums and products. On the tiles each run of
// elements along the axis is whole on one tile.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> inferArg(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1) return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("%1 takes one operand.", node.op));
    auto const &shape = inputs[0]->shape;
    if (shape.empty()) return std::vector<Builder::Out>{{shape, DType::I32}};
    TW_TRY(axisViewOf(node, shape));
    Shape out = shape;
    out.erase(out.begin() + axisOf(node, shape));
    return std::vector<Builder::Out>{{out, DType::I32}};
}

Result<std::vector<Builder::Out>> inferCumulative(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1) return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("%1 takes one operand.", node.op));
    TW_TRY(axisViewOf(node, inputs[0]->shape));
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

std::int64_t flops(Graph const &graph, Node const &node) { return elementCount(graph.value(node.inputs[0]).shape); }

/// Attributes of a running sum that goes the other way.
Attrs backwards(Node const &node, Shape const &shape)
{
    return {{"axis", axisOf(node, shape)}, {"exclusive", node.attrs.flag("exclusive")}, {"reverse", !node.attrs.flag("reverse")}};
}

std::vector<ValueId> sumGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    auto const &x = b.graph().value(node.inputs[0]);
    if (!d[0].valid() || !isFloating(x.dtype)) return {ValueId()};
    return {appendOp(b, "cumsum", {d[0]}, backwards(node, x.shape))};
}

/// As TensorFlow has it: each product is differentiated as itself over its factor, so a factor of 0 gives no number.
std::vector<ValueId> productGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    auto const &x = b.graph().value(node.inputs[0]);
    if (!d[0].valid() || !isFloating(x.dtype)) return {ValueId()};
    auto const attrs = backwards(node, x.shape);
    auto const sum = appendOp(b, "cumsum", {appendOp(b, "mul", {d[0], node.outputs[0]})}, attrs);
    return {appendOp(b, "div", {sum, node.inputs[0]})};
}

bool isLast(AxisView const &v, Shape const &shape) { return v.inner == 1 && v.n == (shape.empty() ? 1 : shape.back()); }

/// The operand as rows along the axis, [outer inner, n], each whole on a tile.
VarId rowsAlong(lowering::LowerContext &ctx, Node const &node, AxisView const &v, int ipu)
{
    auto const &x = ctx.graph.value(node.inputs[0]);
    if (isLast(v, x.shape)) return rowOperand(ctx, node.inputs[0], ipu, node.name + "/in");
    return turned(ctx, node.inputs[0], runsAlong(v), {v.rows(), v.n}, ctx.b.wholeRows(v.rows(), v.n, ipu), node.name + "/in",
                  node.name + "/Rows");
}

Result<AxisView> viewOf(lowering::LowerContext &ctx, Node const &node)
{
    auto const &shape = ctx.graph.value(node.inputs[0]).shape;
    return shape.empty() ? AxisView() : axisViewOf(node, shape);
}

Status lowerArg(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    TW_ASSIGN(auto const view, viewOf(ctx, node));
    char const *const codelet = node.op == "argmin" ? "ArgMin" : "ArgMax";
    VarId const x = rowsAlong(ctx, node, view, ctx.ipu(node.stage));
    VarId const out = outputVar(ctx, node, 0, perRowLayout(ctx.b.var(x).layout));
    ctx.b.execute(node.name + "/" + codelet, {ctx.b.family(codelet, {{out, Access::Write}, {x, Access::Read}})});
    ctx.bind(node.outputs[0], out);
    return {};
}

Status lowerCumulative(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &out = ctx.graph.value(node.outputs[0]);
    int const ipu = ctx.ipu(node.stage);
    TW_ASSIGN(auto const view, viewOf(ctx, node));
    char const *const codelet = node.op == "cumprod" ? "CumProd" : "CumSum";
    VarId const x = rowsAlong(ctx, node, view, ipu);
    bool const back = !isLast(view, out.shape);
    VarId const rows = back ? ctx.b.addVar(node.name + "/rows", "temporary", out.dtype, {view.rows(), view.n}, ctx.b.var(x).layout)
                            : outputVar(ctx, node, 0, ctx.b.var(x).layout);
    ctx.b.execute(node.name + "/" + codelet,
                  {ctx.b.family(codelet, {{rows, Access::Write}, {x, Access::Read}},
                                {node.attrs.flag("exclusive") ? 1.0 : 0.0, node.attrs.flag("reverse") ? 1.0 : 0.0})});
    if (back) bindTurnedBack(ctx, node, rows, runsAlong(view), ipu);
    else ctx.bind(node.outputs[0], rows);
    return {};
}

} // namespace

void addAlongAxis(std::vector<OpDef> &all)
{
    auto const axis = optionalAttr("axis", AttrType::Integer, "from the end if negative; the last without it");
    for (auto const *name : {"argmax", "argmin"}) {
        OpDef arg;
        arg.name = name;
        arg.spec = {.infer = inferArg, .flops = flops, .attributes = {axis}};
        arg.lowering.lower = lowerArg;
        arg.help = std::string("index of the first ") + (arg.name == "argmax" ? "maximum" : "minimum") + " along an axis";
        all.push_back(arg);
    }
    for (auto const *name : {"cumsum", "cumprod"}) {
        OpDef def;
        def.name = name;
        bool const product = def.name == "cumprod";
        def.spec = {.infer = inferCumulative,
                    .gradient = product ? productGradient : sumGradient,
                    .flops = flops,
                    .attributes = {axis, optionalAttr("exclusive", AttrType::Flag, "without the element itself"),
                                   optionalAttr("reverse", AttrType::Flag, "from the end of the axis")}};
        def.lowering.lower = lowerCumulative;
        def.help = std::string("running ") + (product ? "product" : "sum") + " along an axis";
        all.push_back(def);
    }
}

} // namespace tilewright::ops
