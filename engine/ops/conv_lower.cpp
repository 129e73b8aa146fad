// Convolutions on the tiles: operands with their halo to the grid of the plan, one vertex on each tile, sums over the tiles
// that split what is summed.
#include "engine/ops/conv_lower.h"

#include "engine/graph/partial_sums.h"
#include "engine/ops/lower_helpers.h"
#include "engine/program/codelets/conv_state.h"

namespace tilewright::ops {

using namespace graph;
using namespace program;
using cost::ConvPart;

Status lowerConv(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const geometry = convGeometry(ctx.graph, id);
    auto const found = ctx.convs.find(id.index);
    TW_CHECK(found != ctx.convs.end(), "convolution " + node.name + " was not planned");
    auto const &grid = found->second;
    auto &b = ctx.b;
    auto &op = b.opRef(b.op());
    auto const type = ctx.graph.value(node.inputs[0]).dtype;
    op.plan = grid.json;
    op.estimatedCycles = grid.plan.of(grid.part).total();
    op.idealCycles = lowering::idealConvCycles(geometry, type, b.chip());

    lowering::ConvLayouts const layouts(grid.plan, geometry, onIpu(b.chip().tiles, ctx.ipu(node.stage), grid.firstTile));
    bool const output = grid.part == ConvPart::Output, inputGradient = grid.part == ConvPart::InputGradient;
    VarId const first = b.gather(ctx.var(node.inputs[0]),
                                 inputGradient ? layouts.outputOfReaders() : output ? layouts.inputOfWindows() : layouts.inputForWeights(),
                                 node.name + (inputGradient ? "/deltas" : "/in"));
    VarId const second = b.gather(ctx.var(node.inputs[1]), output || inputGradient ? layouts.weightsRead() : layouts.outputForWeights(),
                                  node.name + (output || inputGradient ? "/weights" : "/deltas"));
    b.var(second).interleaved = true; // loaded into the AMP 128 bits at a time

    Layout const partialLayout = output ? layouts.outputPartials() : inputGradient ? layouts.inputPartials() : layouts.weightPartials();
    auto const &value = ctx.graph.value(node.outputs[0]);
    std::string const role(graph::toText(value.role));
    DType const partialType = halfPartials(node) > 0 ? DType::F16 : DType::F32;
    bool const sums = partialLayout.has(DimKind::Addend), direct = !sums && partialType == value.dtype;
    VarId const partials = b.addVar(direct ? value.name : node.name + "/partials", direct ? role : "partial", partialType, value.shape, partialLayout);
    ConvVertexState state;
    state.part = grid.part;
    state.spatial = geometry.spatial;
    state.grouped = layouts.grouped();
    state.halfPartials = halfPartials(node);
    state.axes = geometry.axis;
    b.execute(node.name + "/Conv_1/Convolve",
              {b.family(convCodelet(grid.plan.of(grid.part).vertex), {{partials, Access::Write}, {first, Access::Read}, {second, Access::Read}},
                        state.scalars())});
    if (direct) {
        ctx.bind(node.outputs[0], partials);
    } else if (sums) {
        auto const layout = output || inputGradient ? layouts.summed(partialLayout) : layouts.weightsHome(value.dtype);
        ctx.bind(node.outputs[0], b.reducePartials(partials, value.name, value.shape, role, layout, false, value.dtype));
    } else {
        VarId const cast = b.addVar(value.name, role, value.dtype, value.shape, partialLayout);
        b.execute(node.name + "/Conv_1/Cast", {b.family("Cast", {{cast, Access::Write}, {partials, Access::Read}})});
        ctx.bind(node.outputs[0], cast);
    }
    return {};
}

} // namespace tilewright::ops
