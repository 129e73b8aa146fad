#include "engine/lowering/call.h"

#include "engine/graph/control.h"

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;

namespace {

Result<CalledBody const *> bodyOf(LowerContext &ctx, graph::Node const &node)
{
    auto const region = node.regions[0];
    auto const known = ctx.called.find(region.index);
    if (known != ctx.called.end()) return known->second.get();
    auto &b = ctx.b;
    int const op = b.op();
    auto body = std::make_shared<CalledBody>();
    auto const parameters = graph::parametersOf(ctx.graph, region);
    for (auto parameter : parameters) {
        auto const &value = ctx.graph.value(parameter);
        auto const rc = graph::rowsCols(value.shape);
        body->parameters.push_back(b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape,
                                            b.linear(rc.rows, rc.cols, value.dtype, ctx.ipu(node.stage))));
        ctx.bind(parameter, body->parameters.back());
    }
    body->block = b.beginDetached(StepKind::Sequence, ctx.graph.region(region).label);
    TW_TRY(ctx.lowerRegion(region));
    b.endBlock();
    b.setOp(op);
    for (auto result : graph::resultsOf(ctx.graph, region)) body->results.push_back(ctx.var(result));
    return (ctx.called[region.index] = body).get();
}

void copyAll(ProgramBuilder &b, std::vector<VarId> const &from, std::vector<VarId> const &to, std::string const &name)
{
    std::vector<VertexFamily> copies;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (b.var(from[i]).layout == b.var(to[i]).layout) copies.push_back(b.family("Copy", {{to[i], Access::Write}, {from[i], Access::Read}}));
        else b.transfer(b.whole(from[i], to[i]), name);
    }
    if (!copies.empty()) b.execute(name, std::move(copies));
    b.flush();
}

} // namespace

Status lowerCall(LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    for (auto inner : ctx.graph.region(node.regions[0]).nodes)
        if (ctx.ipu(ctx.graph.node(inner).stage) != ctx.ipu(node.stage))
            return makeError(ErrorKind::Invalid, "lowering.call", node.name, "a body is called on two IPUs.",
                             "Give each pipeline stage a body of its own.");
    TW_ASSIGN(auto const *body, bodyOf(ctx, node));
    std::vector<VarId> operands, outputs;
    for (auto input : node.inputs) operands.push_back(ctx.var(input));
    copyAll(ctx.b, operands, body->parameters, node.name + "/Arguments");
    ctx.b.call(body->block, node.name);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        auto const &value = ctx.graph.value(node.outputs[i]);
        outputs.push_back(ctx.b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape,
                                       ctx.b.var(body->results[i]).layout));
        ctx.bind(node.outputs[i], outputs.back());
    }
    copyAll(ctx.b, body->results, outputs, node.name + "/Results");
    return {};
}

} // namespace tilewright::lowering
