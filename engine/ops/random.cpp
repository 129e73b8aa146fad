// Dropout. The mask is never stored: forward and backward draw the same bits from the counter.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    double const rate = node.attrs.real("rate");
    if (rate < 0 || rate >= 1)
        return makeError(ErrorKind::Invalid, "graph.dropout", node.name, "rate must be at least 0 and below 1.");
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId(), ValueId()};
    return {appendOp(b, "dropout", {d[0], node.inputs[1]}, node.attrs, "DropoutGrad"), ValueId()};
}

std::int64_t flops(Graph const &graph, Node const &node) { return elementCount(graph.value(node.inputs[0]).shape); }

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const x = plainOperand(ctx, node.inputs[0], ctx.ipu(node.stage), node.name + "/in");
    auto const layout = ctx.b.var(x).layout;
    VarId const counter = ctx.b.gather(ctx.var(node.inputs[1]), ctx.b.broadcastLayout(Broadcast::Scalar, layout),
                                       node.name + "/counter");
    VarId const out = outputVar(ctx, node, 0, layout);
    ctx.b.execute(node.name + "/Dropout",
                  {ctx.b.family("Dropout", {{out, Access::Write}, {x, Access::Read}, {counter, Access::Read}},
                                {node.attrs.real("rate"), static_cast<double>(node.attrs.integer("node_seed")),
                                 static_cast<double>(layout.cols())})});
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addRandom(std::vector<OpDef> &all)
{
    OpDef def;
    def.name = "dropout";
    def.spec = {infer, gradient, flops, {}, false, false};
    def.lowering.lower = lower;
    def.help = "zeroes a share of the elements, scales the rest by 1/(1-rate)";
    all.push_back(std::move(def));
}

} // namespace tilewright::ops
