// Cross-entropy from logits, with the probabilities as a second result for gradient and accuracy.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> inferXent(Node const &node, std::span<Value const *const> inputs)
{
    auto const &logits = inputs[0]->shape;
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (logits.empty()) return fail(Message::of("cross-entropy needs a class dimension."));
    Shape const rows(logits.begin(), logits.end() - 1);
    if (node.op == "sparse_xent") {
        if (inputs[1]->dtype != DType::I32) return fail(Message::of("labels must be whole numbers."));
        if (elementCount(inputs[1]->shape) != elementCount(rows))
            return fail(Message::of("labels %1 do not match predictions %2.", toText(inputs[1]->shape), toText(logits)));
    } else if (inputs[1]->shape != logits) {
        return fail(Message::of("targets %1 do not match predictions %2.", toText(inputs[1]->shape), toText(logits)));
    }
    return std::vector<Builder::Out>{{rows, inputs[0]->dtype}, {logits, inputs[0]->dtype}};
}

Result<std::vector<Builder::Out>> inferGrad(Node const &, std::span<Value const *const> inputs)
{
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    // Only the loss is differentiated; the probabilities are for metrics.
    if (!outputGradients[0].valid()) return {ValueId(), ValueId()};
    return {appendOp(b, node.op + "_grad", {node.outputs[1], node.inputs[1], outputGradients[0]}), ValueId()};
}

std::int64_t flops(Graph const &graph, Node const &node) { return 6 * elementCount(graph.value(node.inputs[0]).shape); }

Status lowerXent(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    bool const sparse = node.op == "sparse_xent";
    VarId const x = rowOperand(ctx, node.inputs[0], ctx.ipu(node.stage), node.name + "/logits");
    auto const layout = ctx.b.var(x).layout;
    auto const type = ctx.b.var(x).dtype;
    auto const rowLayoutOne = perRowLayout(layout);
    VarId const t = sparse ? ctx.b.gather(ctx.var(node.inputs[1]), rowLayoutOne, node.name + "/labels")
                           : ctx.b.gather(ctx.var(node.inputs[1]), layout, node.name + "/targets");
    VarId const max = ctx.b.addVar(node.name + "/max", "temporary", type, {layout.rows()}, rowLayoutOne);
    VarId const sum = rowSum(ctx, node.name + "/sum", layout);
    VarId const probs = outputVar(ctx, node, 1, layout);
    VarId const loss = outputVar(ctx, node, 0, rowLayoutOne);
    ctx.b.execute(node.name + "/MaxReduce", {ctx.b.family("RowMax", {{max, Access::Write}, {x, Access::Read}})});
    executeMap(ctx, node.name + "/SubExp", probs, {x, max}, "2: sub a0 a1; exp t0");
    ctx.b.execute(node.name + "/SumReduce", {ctx.b.family("RowSum", {{sum, Access::Write}, {probs, Access::Read}})});
    divideRows(ctx, node.name, probs, sum);
    ctx.b.execute(node.name + "/LossCrossEntropyTransform",
                  {ctx.b.family(sparse ? "SparseCrossEntropy" : "CategoricalCrossEntropy",
                                {{loss, Access::Write}, {x, Access::Read}, {max, Access::Read}, {sum, Access::Read}, {t, Access::Read}})});
    ctx.bind(node.outputs[0], loss);
    ctx.bind(node.outputs[1], probs);
    return {};
}

Status lowerXentGrad(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    bool const sparse = node.op == "sparse_xent_grad";
    VarId const p = rowOperand(ctx, node.inputs[0], ctx.ipu(node.stage), node.name + "/probs");
    auto const layout = ctx.b.var(p).layout;
    VarId const t = ctx.b.gather(ctx.var(node.inputs[1]), sparse ? perRowLayout(layout) : layout, node.name + "/labels");
    bool const scalar = elementCount(ctx.graph.value(node.inputs[2]).shape) == 1;
    VarId const d = ctx.b.gather(ctx.var(node.inputs[2]), scalar ? ctx.b.broadcastLayout(Broadcast::Scalar, layout) : perRowLayout(layout),
                                 node.name + "/dloss");
    VarId const out = outputVar(ctx, node, 0, layout);
    ctx.b.execute(node.name + "/Gradient",
                  {ctx.b.family(sparse ? "SparseCrossEntropyGrad" : "CategoricalCrossEntropyGrad",
                                {{out, Access::Write}, {p, Access::Read}, {t, Access::Read}, {d, Access::Read}})});
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addLosses(std::vector<OpDef> &all)
{
    for (auto const *name : {"sparse_xent", "cat_xent"}) {
        OpDef def;
        def.name = name;
        def.spec = {.infer = inferXent, .gradient = gradient, .flops = flops, .operands = 2};
        def.lowering.lower = lowerXent;
        def.help = "softmax cross-entropy of logits: loss per row and probabilities";
        all.push_back(def);
        def.name = std::string(name) + "_grad";
        def.spec = {.infer = inferGrad, .flops = flops, .operands = 3, .scalarOperand = 2};
        def.lowering.lower = lowerXentGrad;
        def.help = "gradient of softmax cross-entropy";
        all.push_back(def);
    }
}

} // namespace tilewright::ops
