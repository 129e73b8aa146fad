#include "engine/lowering/condition.h"

#include "engine/graph/control.h"
#include "engine/lowering/bodies.h"

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;
using graph::RegionId;
using graph::ValueId;

namespace {

/// A copy of a scalar on every tile, made where the builder stands: it is looked at right behind.
VarId onEveryTile(LowerContext &ctx, ValueId scalar, int ipu, std::string const &name)
{
    auto &b = ctx.b;
    VarId const from = ctx.var(scalar);
    auto const source = b.var(from);
    Layout const everywhere = b.broadcastLayout(graph::Broadcast::Scalar, singleTile(1, 1, b.everyTile(ipu), 0));
    VarId const to = b.addVar(name + "/predicate", "other", source.dtype, {}, everywhere, Category::ExchangeBuffer);
    copyAll(b, {from}, {to}, name + "/Decide");
    return to;
}

Status checkPlace(LowerContext const &ctx, graph::Node const &node)
{
    if (staysOnOneIpu(ctx, node)) return {};
    return makeError(ErrorKind::Invalid, "lowering.condition", node.name, Message::of("the condition controls work on several IPUs."),
                     Message::of("Put all of it into one pipeline stage."));
}

/// A variable for a value that bodies leave: where `like` lies, if a value can lie so.
VarId variableFor(LowerContext &ctx, ValueId id, VarId like, int ipu)
{
    auto &b = ctx.b;
    auto const &value = ctx.graph.value(id);
    auto const rc = graph::rowsCols(value.shape);
    auto const &given = b.var(like).layout;
    Layout const layout = isStorage(given, ipu) ? given : b.linear(rc.rows, rc.cols, value.dtype, ipu);
    return b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, layout);
}

std::vector<VarId> variablesOf(LowerContext const &ctx, std::vector<ValueId> const &values)
{
    std::vector<VarId> all;
    for (auto value : values) all.push_back(ctx.var(value));
    return all;
}

} // namespace

Status lowerIf(LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    TW_TRY(checkPlace(ctx, node));
    auto &b = ctx.b;
    int const ipu = ctx.ipu(node.stage), op = b.op();
    VarId const predicate = onEveryTile(ctx, node.inputs[0], ipu, node.name);
    StepId const branch = b.beginBlock(StepKind::If, node.name);
    b.step(branch).predicate = predicate;
    std::vector<VarId> outputs;
    for (auto region : node.regions) {
        b.beginBlock(StepKind::Sequence, ctx.graph.region(region).label);
        TW_TRY(ctx.lowerRegion(region));
        b.setOp(op);
        auto const results = variablesOf(ctx, graph::resultsOf(ctx.graph, region));
        if (region == node.regions[0])
            for (std::size_t i = 0; i < results.size(); ++i) outputs.push_back(variableFor(ctx, node.outputs[i], results[i], ipu));
        copyAll(b, results, outputs, node.name + "/Results");
        b.endBlock();
    }
    b.endBlock();
    for (std::size_t i = 0; i < outputs.size(); ++i) ctx.bind(node.outputs[i], outputs[i]);
    return {};
}

Status lowerWhile(LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    TW_TRY(checkPlace(ctx, node));
    auto &b = ctx.b;
    int const ipu = ctx.ipu(node.stage), op = b.op();
    auto const first = variablesOf(ctx, node.inputs);
    std::vector<VarId> carried;
    for (std::size_t i = 0; i < first.size(); ++i) carried.push_back(variableFor(ctx, node.outputs[i], first[i], ipu));
    copyAll(b, first, carried, node.name + "/Begin");
    StepId const loop = b.beginBlock(StepKind::While, node.name, graph::limitOf(node));
    for (auto region : node.regions) {
        auto const parameters = graph::parametersOf(ctx.graph, region), results = graph::resultsOf(ctx.graph, region);
        for (std::size_t i = 0; i < parameters.size(); ++i) ctx.bind(parameters[i], carried[i]);
        b.beginBlock(StepKind::Sequence, ctx.graph.region(region).label);
        TW_TRY(ctx.lowerRegion(region));
        b.setOp(op);
        if (region == node.regions[0]) {
            VarId const predicate = onEveryTile(ctx, results[0], ipu, node.name);
            b.step(loop).predicate = predicate;
        } else {
            carryOver(b, variablesOf(ctx, results), carried, node.name);
        }
        b.endBlock();
    }
    b.endBlock();
    for (std::size_t i = 0; i < carried.size(); ++i) ctx.bind(node.outputs[i], carried[i]);
    return {};
}

} // namespace tilewright::lowering
