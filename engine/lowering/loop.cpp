#include "engine/lowering/loop.h"

#include "engine/graph/control.h"
#include "engine/lowering/bodies.h"
#include "engine/lowering/overlapped_loop.h"

#include <algorithm>
#include <optional>

namespace tilewright::lowering {

using namespace program;
using graph::NodeId;
using graph::ValueId;

namespace {

/// Stacks may take this share of a tile before further ones go to other tiles.
constexpr double kStackShare = 0.25;

/// A tensor whose first dimension is whole on each of its tiles: a slice for each step of a loop.
bool isStack(Layout const &layout)
{
    auto const &steps = layout.dim(0);
    return layout.rank >= 3 && steps.kind == DimKind::Index && steps.extent > 1 && steps.count == 1;
}

class LoopLowering {
public:
    LoopLowering(LowerContext &ctx, graph::Node const &node)
        : m_ctx(ctx), b(ctx.b), m_node(node), m_form(graph::repeatForm(node)), m_ipu(ctx.ipu(node.stage)), m_name(node.name)
    {
    }

    /// What is carried lies as the body leaves it, so that nothing moves at the end of a step. How that is shows when the
    /// body is lowered: if not as it was assumed, it is lowered again from the beginning.
    Status run()
    {
        auto const before = b;
        auto const called = m_ctx.called;
        TW_TRY(lower());
        std::vector<std::optional<Layout>> wanted(m_form.carried);
        bool again = false;
        for (std::size_t i = 0; i < m_form.carried; ++i) {
            if (!isStackable(m_left[i]) || m_left[i] == b.var(m_carried[i]).layout) continue;
            wanted[i] = m_left[i];
            again = true;
        }
        if (!again) return {};
        b = before;
        m_ctx.called = called;
        m_carried.clear();
        m_stacks.clear();
        m_left.clear();
        m_wanted = std::move(wanted);
        return lower();
    }

private:
    Status lower()
    {
        int const op = b.op();
        auto const body = m_node.regions[0];
        auto const parameters = graph::parametersOf(m_ctx.graph, body);
        auto const results = graph::resultsOf(m_ctx.graph, body);
        std::size_t const first = m_form.index ? 1 : 0;
        if (m_form.index || m_form.stackedIn + m_form.stackedOut > 0) {
            Layout const everywhere = b.broadcastLayout(graph::Broadcast::Scalar, singleTile(1, 1, b.workTiles(m_ipu), 0));
            m_counter = b.addVar(m_name + "/counter", "other", DType::I32, {}, everywhere);
            if (m_form.index) m_ctx.bind(parameters[0], m_counter);
        }
        for (std::size_t i = 0; i < m_form.carried; ++i) {
            auto const &value = m_ctx.graph.value(parameters[first + i]);
            Layout const assumed = plain(value); // both times: it moves on to other tiles
            m_carried.push_back(b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape,
                                         i < m_wanted.size() ? m_wanted[i].value_or(assumed) : assumed));
            m_ctx.bind(parameters[first + i], m_carried.back());
        }
        std::vector<VertexFamily> slices;
        for (std::size_t i = 0; i < m_form.stackedIn; ++i) slices.push_back(sliceOf(i, parameters[first + m_form.carried + i]));
        b.flush();

        StepId const loop = b.beginDetached(StepKind::Repeat, m_name);
        b.step(loop).count = m_form.count;
        if (!slices.empty()) b.execute(m_name + "/DynamicSlice", std::move(slices));
        TW_TRY(m_ctx.lowerRegion(body));
        b.setOp(op);
        updateStacks(results);
        carryOn(results);
        b.endBlock();

        begin();
        b.append(loop);
        for (std::size_t i = 0; i < m_form.carried; ++i) m_ctx.bind(m_node.outputs[i], m_carried[i]);
        for (std::size_t i = 0; i < m_stacks.size(); ++i) m_ctx.bind(m_node.outputs[m_form.carried + i], m_stacks[i]);
        return {};
    }

    Layout plain(graph::Value const &value)
    {
        auto const rc = graph::rowsCols(value.shape);
        return b.linear(rc.rows, rc.cols, value.dtype, m_ipu);
    }

    /// Blocks of which each element lies in one, in row-major order: a stack of them is one more dimension.
    bool isStackable(Layout const &layout) const
    {
        if (layout.on.ipu != m_ipu || !layout.isRowMajor() || layout.isGrouped() || layout.rank == kMaxDims) return false;
        for (int d = 0; d < layout.rank; ++d)
            if (layout.dim(d).kind != DimKind::Index || layout.dim(d).overlaps()) return false;
        return true;
    }

    Layout stackOf(Layout layout) const
    {
        layout.addOuter(cut(m_form.count, m_form.count, 0));
        return layout;
    }

    /// Bytes of all stacks so far, by tile of the replica.
    std::vector<Bytes> stackBytes() const
    {
        std::vector<Bytes> bytes(static_cast<std::size_t>(b.program().tiles()), 0);
        for (auto const &variable : b.program().variables)
            if (isStack(variable.layout))
                variable.layout.forEachBlock([&](Coords const &block) {
                    bytes[static_cast<std::size_t>(variable.layout.tileOf(block))] +=
                        variable.layout.boxOf(block).elements() * sizeOf(variable.dtype);
                });
        return bytes;
    }

    /// Where the slices of a new stack lie. All values of a cell lie on the tiles of its state; where their stacks would fill these tiles,
    /// a further stack goes to the tiles with the least bytes of stacks, and each step sends it its slice.
    Layout spread(Layout const &slice, DType type) const
    {
        auto const known = stackBytes();
        auto const fullest = [&](Layout const &layout) {
            Bytes most = 0;
            layout.forEachBlock([&](Coords const &at) { most = std::max(most, known[static_cast<std::size_t>(layout.tileOf(at))]); });
            return most;
        };
        Bytes const own = m_form.count * slice.blockElements() * sizeOf(type);
        Bytes least = fullest(slice);
        if (static_cast<double>(least + own) <= kStackShare * static_cast<double>(b.chip().bytesPerTile)) return slice;
        Layout best = slice, moved = slice;
        for (std::int64_t shift = slice.blocks(); shift < slice.on.count; shift += slice.blocks()) {
            moved.first = static_cast<std::int32_t>((slice.first + shift) % slice.on.count);
            auto const bytes = fullest(moved);
            if (bytes >= least) continue;
            least = bytes;
            best = moved;
        }
        return best;
    }

    /// How the slices of a stack lie that is whole on its tiles already.
    std::optional<Layout> sliceLayout(Layout const &stack) const
    {
        if (stack.rank < 3 || !isStackable(stack)) return {};
        auto const &steps = stack.dim(0);
        if (steps.extent != m_form.count || steps.block != m_form.count) return {};
        Layout slice;
        slice.on = stack.on;
        slice.first = stack.first;
        for (int d = 1; d < stack.rank; ++d) slice.add(stack.dim(d));
        return stackOf(slice) == stack ? std::optional(slice) : std::nullopt;
    }

    std::vector<double> scalars(std::size_t stack) const { return {m_form.reversed[stack] ? 1.0 : 0.0, static_cast<double>(m_form.count)}; }

    VertexFamily sliceOf(std::size_t index, ValueId parameter)
    {
        auto const &value = m_ctx.graph.value(parameter);
        VarId stack = m_ctx.var(m_node.inputs[m_form.carried + index]);
        auto slice = sliceLayout(b.var(stack).layout);
        if (!slice) {
            slice = spread(plain(value), value.dtype);
            stack = b.gather(stack, stackOf(*slice), m_name + "/stack" + std::to_string(index));
        }
        VarId const out = b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, *slice);
        m_ctx.bind(parameter, out);
        return b.family("DynamicSlice1D", {{out, Access::Write}, {stack, Access::Read}, {m_counter, Access::Read}}, scalars(index));
    }

    void updateStacks(std::vector<ValueId> const &results)
    {
        std::vector<VertexFamily> updates;
        for (std::size_t i = 0; i < m_form.stackedOut; ++i) {
            auto const &value = m_ctx.graph.value(results[m_form.carried + i]);
            VarId step = m_ctx.var(results[m_form.carried + i]);
            if (!isStackable(b.var(step).layout)) step = b.gather(step, plain(value), m_name + "/step" + std::to_string(i));
            auto const &out = m_ctx.graph.value(m_node.outputs[m_form.carried + i]);
            if (auto const wanted = spread(b.var(step).layout, out.dtype); wanted != b.var(step).layout)
                step = b.gather(step, wanted, m_name + "/spread" + std::to_string(i));
            VarId const stack = b.addVar(out.name, std::string(graph::toText(out.role)), out.dtype, out.shape, stackOf(b.var(step).layout));
            m_stacks.push_back(stack);
            updates.push_back(b.family("DynamicUpdateSlice1D", {{stack, Access::Update}, {step, Access::Read}, {m_counter, Access::Read}},
                                       scalars(m_form.stackedIn + i)));
        }
        if (!updates.empty()) b.execute(m_name + "/DynamicUpdateSlice", std::move(updates));
    }

    void carryOn(std::vector<ValueId> const &results)
    {
        std::vector<VarId> from;
        std::vector<VertexFamily> count;
        for (std::size_t i = 0; i < m_form.carried; ++i) {
            from.push_back(m_ctx.var(results[i]));
            m_left.push_back(b.var(from.back()).layout);
        }
        if (m_counter.valid()) count.push_back(b.family("Increment", {{m_counter, Access::Update}}, {1.0}));
        carryOver(b, std::move(from), m_carried, m_name, std::move(count));
    }

    /// In front of the loop: what is carried first, the counter, stacks that the steps will fill.
    void begin()
    {
        std::vector<VarId> first;
        std::vector<VertexFamily> fills;
        for (std::size_t i = 0; i < m_form.carried; ++i) first.push_back(m_ctx.var(m_node.inputs[i]));
        if (m_counter.valid()) fills.push_back(b.family("Fill", {{m_counter, Access::Write}}, {0.0}));
        for (auto stack : m_stacks) fills.push_back(b.family("Fill", {{stack, Access::Write}}, {0.0}));
        copyAll(b, first, m_carried, m_name + "/Begin", std::move(fills));
    }

    LowerContext &m_ctx;
    ProgramBuilder &b;
    graph::Node const &m_node;
    graph::RepeatForm m_form;
    int m_ipu;
    std::string m_name;
    VarId m_counter;
    std::vector<VarId> m_carried, m_stacks;
    std::vector<Layout> m_left;                  ///< of what a step leaves, by carried value
    std::vector<std::optional<Layout>> m_wanted; ///< of what is carried, where it is known
};

} // namespace

Status lowerLoop(LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    if (!graph::repeatForm(node).isLoopOverVariables()) return LoopLowering(ctx, node).run();
    if (ctx.b.options().feedsOnIoTiles && mayOverlap(ctx.graph, node, ctx.b.program().ipus)) return lowerOverlappedLoop(ctx, id);
    ctx.b.beginBlock(StepKind::Repeat, node.name, graph::countOf(node));
    TW_TRY(ctx.lowerRegion(node.regions[0]));
    ctx.b.endBlock();
    return {};
}

} // namespace tilewright::lowering
