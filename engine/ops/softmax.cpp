// Softmax over the last dimension, as row reductions and maps on whole rows, like popnn.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> inferSame(Node const &, std::span<Value const *const> inputs)
{
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

std::int64_t flops(Graph const &graph, Node const &node) { return 5 * elementCount(graph.value(node.inputs[0]).shape); }

VarId perRow(lowering::LowerContext &ctx, std::string name, DType type, Layout const &rows)
{
    return ctx.b.addVar(std::move(name), "temporary", type, {rows.rows()}, perRowLayout(rows));
}

void rowReduce(lowering::LowerContext &ctx, std::string const &set, char const *codelet, VarId out, VarId in)
{
    ctx.b.execute(set, {ctx.b.family(codelet, {{out, Access::Write}, {in, Access::Read}})});
}

Status lowerSoftmax(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const x = rowOperand(ctx, node.inputs[0], ctx.ipu(node.stage), node.name + "/in");
    auto const layout = ctx.b.var(x).layout;
    auto const type = ctx.b.var(x).dtype;
    VarId const max = perRow(ctx, node.name + "/max", type, layout);
    VarId const sum = rowSum(ctx, node.name + "/sum", layout);
    VarId const out = outputVar(ctx, node, 0, layout);
    rowReduce(ctx, node.name + "/MaxReduce", "RowMax", max, x);
    if (node.op == "log_softmax") {
        VarId const e = ctx.b.addVar(node.name + "/exp", "temporary", type, ctx.b.var(x).shape, layout);
        executeMap(ctx, node.name + "/SubExp", e, {x, max}, "2: sub a0 a1; exp t0");
        rowReduce(ctx, node.name + "/SumReduce", "RowSum", sum, e);
        executeMap(ctx, node.name + "/SubLog", out, {x, max, sum}, "3: sub a0 a1; log a2; sub t0 t1");
    } else {
        executeMap(ctx, node.name + "/SubExp", out, {x, max}, "2: sub a0 a1; exp t0");
        rowReduce(ctx, node.name + "/SumReduce", "RowSum", sum, out);
        divideRows(ctx, node.name, out, sum);
    }
    ctx.bind(node.outputs[0], out);
    return {};
}

Status lowerGrad(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const y = rowOperand(ctx, node.inputs[0], ctx.ipu(node.stage), node.name + "/y");
    auto const layout = ctx.b.var(y).layout;
    auto const type = ctx.b.var(y).dtype;
    VarId const d = ctx.b.gather(ctx.var(node.inputs[1]), layout, node.name + "/dy");
    VarId const sum = perRow(ctx, node.name + "/sum", type, layout);
    VarId const out = outputVar(ctx, node, 0, layout);
    if (node.op == "softmax_grad") {
        executeMap(ctx, node.name + "/Multiply", out, {y, d}, "2: mul a0 a1");
        rowReduce(ctx, node.name + "/SumReduce", "RowSum", sum, out);
        executeMap(ctx, node.name + "/SubMultiply", out, {y, d, sum}, "3: sub a1 a2; mul a0 t0");
    } else {
        rowReduce(ctx, node.name + "/SumReduce", "RowSum", sum, d);
        executeMap(ctx, node.name + "/ExpMultiplySub", out, {y, d, sum}, "3: exp a0; mul t0 a2; sub a1 t1");
    }
    ctx.bind(node.outputs[0], out);
    return {};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    if (!outputGradients[0].valid()) return {ValueId()};
    return {appendOp(b, node.op + "_grad", {node.outputs[0], outputGradients[0]})};
}

} // namespace

void addSoftmax(std::vector<OpDef> &all)
{
    for (auto const *name : {"softmax", "log_softmax"}) {
        OpDef def;
        def.name = name;
        def.spec = {.infer = inferSame, .gradient = gradient, .flops = flops, .operands = 1};
        def.lowering.lower = lowerSoftmax;
        def.help = "over the last dimension, with the maximum subtracted";
        all.push_back(def);
        def.name = std::string(name) + "_grad";
        def.spec.gradient = nullptr;
        def.spec.operands = 2;
        def.lowering.lower = lowerGrad;
        def.help = "gradient from result and upstream gradient";
        all.push_back(def);
    }
}

} // namespace tilewright::ops
