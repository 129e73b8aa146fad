// Convolutions on tiles: exchange operands with their halo to the grid of the plan, run one vertex per tile, sum over the tiles that share
// a
// result.
#include "engine/ops/conv_lower.h"

#include "engine/graph/partial_sums.h"
#include "engine/lowering/conv_layouts.h"
#include "engine/ops/lower_helpers.h"
#include "engine/program/codelets/conv_state.h"

namespace tilewright::ops {

using namespace graph;
using namespace program;
using cost::ConvPart;

namespace {

/// One convolution, or its splits.
class ConvSteps {
public:
    ConvSteps(lowering::LowerContext &ctx, NodeId id, lowering::ConvGrid const &grid)
        : m_ctx(ctx), m_b(ctx.b), m_node(ctx.graph.node(id)), m_grid(grid), m_geometry(convGeometry(ctx.graph, id)),
          m_splits(grid.plan.splitsOf(grid.part)), m_split(lowering::oneSplit(grid.plan, m_geometry, grid.part)),
          m_layouts(m_split.plan, m_split.geometry, onTiles(ctx.b.workTiles(ctx.ipu(m_node.stage)), grid.firstTile))
    {
    }

    void run()
    {
        auto const part = m_grid.part;
        auto const &value = m_ctx.graph.value(m_node.outputs[0]);
        std::string const role(graph::toText(value.role));
        bool const deltas = part == ConvPart::InputGradient, update = part == ConvPart::WeightGradient;
        VarId const first = m_b.gather(m_ctx.var(m_node.inputs[0]), m_layouts.first(part), m_node.name + (deltas ? "/deltas" : "/in"));
        std::string const secondName = m_node.name + (update ? "/deltas" : "/weights");
        if (m_splits == 1) {
            VarId const second = m_b.gather(m_ctx.var(m_node.inputs[1]), m_layouts.second(part), secondName);
            m_ctx.bind(m_node.outputs[0], convolve(first, second, value.shape, m_node.name, value.name, role));
            return;
        }
        // Serial splits reuse the same buffers; the results collect on the tiles that sum them.
        auto const &g = m_split.geometry;
        VarId const stored = m_ctx.var(m_node.inputs[1]);
        Shape const shape = update ? g.outShape() : g.kernelShape();
        VarId const second =
            m_b.addVar(secondName, "message", m_b.var(stored).dtype, shape, m_layouts.second(part), Category::ExchangeBuffer);
        VarId result;
        for (std::int64_t split = 0; split < m_splits; ++split) {
            std::string const name = m_node.name + "/split" + std::to_string(split);
            m_b.transfer(slice(stored, second, split), name + "/Slice");
            VarId const sum = convolve(first, second,
                                       deltas       ? g.inShape()
                                           : update ? g.kernelShape()
                                                    : g.outShape(),
                                       name, name + "/sum", "temporary");
            if (split == 0) result = m_b.addVar(value.name, role, value.dtype, value.shape, inSplits(m_b.var(sum).layout, m_splits));
            m_b.execute(name + "/Update",
                        {m_b.family("Copy", {{result, Access::Write, static_cast<std::int32_t>(split)}, {sum, Access::Read}})});
        }
        m_ctx.bind(m_node.outputs[0], result);
    }

private:
    /// The second operand's range of filters, or of channels for the input gradient.
    Transfer slice(VarId stored, VarId buffer, std::int64_t split) const
    {
        std::int64_t const inner =
            m_grid.part == ConvPart::InputGradient ? m_geometry.groups * m_geometry.filters : 1; // elements per channel, per filter
        std::int64_t const run = inner * (m_grid.part == ConvPart::InputGradient ? m_split.geometry.channels : m_split.geometry.filters);
        Transfer t;
        t.src = stored;
        t.dst = buffer;
        t.src0 = split * run;
        t.loops = {{elementCount(m_b.var(buffer).shape) / run, run * m_splits, run}, {run, 1, 1}};
        t.rowMajor = m_b.var(buffer).layout.isGrouped();
        return t;
    }

    /// The vertices and the following sums; `name` is the name of the steps, `out` that of the result.
    VarId convolve(VarId first, VarId second, Shape const &shape, std::string const &name, std::string const &out, std::string const &role)
    {
        m_b.var(second).interleaved = true; // loaded into the AMP with 128 bits per load
        auto const type = m_ctx.graph.value(m_node.outputs[0]).dtype;
        auto const half = halfPartials(m_node);
        Layout const partialLayout = m_layouts.partials(m_grid.part);
        DType const partialType = half > 0 ? DType::F16 : DType::F32;
        bool const sums = partialLayout.has(DimKind::Addend), direct = !sums && partialType == type;
        VarId const partials = m_b.addVar(direct ? out : name + "/partials", direct ? role : "partial", partialType, shape, partialLayout);
        ConvVertexState state;
        state.part = m_grid.part;
        state.spatial = m_geometry.spatial;
        state.grouped = m_layouts.grouped();
        state.halfPartials = half;
        state.axes = m_geometry.axis;
        m_b.execute(name + "/Conv_1/Convolve",
                    {m_b.family(convCodelet(m_grid.plan.of(m_grid.part).vertex),
                                {{partials, Access::Write}, {first, Access::Read}, {second, Access::Read}}, state.scalars())});
        if (direct) return partials;
        if (sums) return m_b.reducePartials(partials, out, shape, role, m_layouts.sums(m_grid.part, type), cost::ReduceOp::Add, type);
        VarId const cast = m_b.addVar(out, role, type, shape, partialLayout);
        m_b.execute(name + "/Conv_1/Cast", {m_b.family("Cast", {{cast, Access::Write}, {partials, Access::Read}})});
        return cast;
    }

    lowering::LowerContext &m_ctx;
    lowering::ProgramBuilder &m_b;
    Node const &m_node;
    lowering::ConvGrid const &m_grid;
    ConvGeometry const m_geometry;
    std::int64_t const m_splits;
    lowering::ConvSplit const m_split;
    lowering::ConvLayouts const m_layouts; ///< of one split
};

} // namespace

Status lowerConv(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const found = ctx.convs.find(id.index);
    TW_CHECK(found != ctx.convs.end(), "convolution " + node.name + " was not planned");
    auto const &grid = found->second;
    auto &op = ctx.b.opRef(ctx.b.op());
    op.plan = grid.json;
    op.estimatedCycles = grid.plan.of(grid.part).total();
    op.idealCycles = lowering::idealConvCycles(convGeometry(ctx.graph, id), ctx.graph.value(node.inputs[0]).dtype, ctx.b.chip());
    ConvSteps(ctx, id, grid).run();
    return {};
}

} // namespace tilewright::ops
