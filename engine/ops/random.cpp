// Dropout and noise. The mask of a dropout is never stored: forward and backward draw the same bits from the counter.
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

Result<std::vector<Builder::Out>> inferNormal(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 2 || inputs[1]->dtype != DType::I32 || !isFloating(inputs[0]->dtype))
        return makeError(ErrorKind::Invalid, "graph.random", node.name, "noise has an operand to be like, and a counter.");
    if (!(node.attrs.real("stddev") >= 0)) return makeError(ErrorKind::Invalid, "graph.random", node.name, "stddev must be at least 0.");
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

/// Lies as what it is like, so that nothing moves to meet it.
Status lowerNormal(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &value = ctx.graph.value(node.outputs[0]);
    int const ipu = ctx.ipu(node.stage);
    Layout layout = ctx.b.var(ctx.var(node.inputs[0])).layout;
    bool known = layout.on.ipu == ipu && layout.isRowMajor();
    for (int d = 0; d < layout.rank; ++d) known = known && layout.dim(d).kind == DimKind::Index && !layout.dim(d).overlaps();
    if (!known) {
        auto const rc = rowsCols(value.shape);
        layout = ctx.b.linear(rc.rows, rc.cols, value.dtype, ipu);
    }
    VarId const counter = ctx.b.gather(ctx.var(node.inputs[1]), ctx.b.broadcastLayout(Broadcast::Scalar, layout), node.name + "/counter");
    VarId const out = outputVar(ctx, node, 0, layout);
    ctx.b.execute(node.name + "/Normal",
                  {ctx.b.family("Normal", {{out, Access::Write}, {counter, Access::Read}},
                                {node.attrs.real("mean"), node.attrs.real("stddev"), static_cast<double>(node.attrs.integer("node_seed"))})});
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addRandom(std::vector<OpDef> &all)
{
    OpDef def;
    def.name = "dropout";
    AttrSpec const seed{"node_seed", AttrType::Integer, "by which it draws, with the run's seed and the counter"};
    def.spec = {.infer = infer,
                .gradient = gradient,
                .flops = flops,
                .operands = 2,
                .attributes = {{"rate", AttrType::Real, "share that becomes zero"}, seed}};
    def.lowering.lower = lower;
    def.help = "zeroes a share of the elements, scales the rest by 1/(1-rate)";
    all.push_back(std::move(def));
    OpDef normal;
    normal.name = "random.normal";
    normal.spec = {.infer = inferNormal,
                   .flops = flops,
                   .attributes = {optionalAttr("mean", AttrType::Real, "of the noise"), {"stddev", AttrType::Real, "its standard deviation"}, seed}};
    normal.lowering.lower = lowerNormal;
    normal.help = "normal noise of the operand's shape, by a counter";
    all.push_back(std::move(normal));
}

} // namespace tilewright::ops
