// Pooling of [samples, spatial…, channels]. Each tile pools what it holds: samples and channels stay where they are, and only
// halos move. Padding is outside the tensor and stored nowhere.
#include "engine/kernels/pool_shape.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"
#include "engine/program/codelet.h"

#include <algorithm>
#include <optional>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;
using kernels::PoolShape;

Result<std::vector<Builder::Out>> inferForward(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1) return makeError(ErrorKind::Invalid, "graph.pool", node.name, Message::of("a pooling takes one operand."));
    TW_ASSIGN(auto const shape, kernels::poolShape(node.attrs, inputs[0]->shape, node.name));
    return std::vector<Builder::Out>{{shape.outputShape(), inputs[0]->dtype}};
}

/// The shape of what was pooled: of the operand, or by the attribute "extent".
Result<PoolShape> gradientShape(Node const &node, std::span<Value const *const> inputs)
{
    bool const maximum = node.op == "pool.max_grad";
    if (inputs.size() != (maximum ? 2u : 1u))
        return makeError(ErrorKind::Invalid, "graph.pool", node.name,
                         Message::of("the gradient of a pooling has the wrong number of operands."));
    Shape pooled = inputs[0]->shape;
    if (!maximum) {
        auto const extent = node.attrs.integers("extent");
        if (extent.size() + 2 != pooled.size())
            return makeError(ErrorKind::Invalid, "graph.pool", node.name, Message::of("extent has the wrong rank."));
        std::ranges::copy(extent, pooled.begin() + 1);
    }
    TW_ASSIGN(auto const shape, kernels::poolShape(node.attrs, pooled, node.name));
    if (inputs.back()->shape != shape.outputShape())
        return makeError(
            ErrorKind::Invalid, "graph.pool", node.name,
            Message::of("the gradient has shape %1, the result %2.", toText(inputs.back()->shape), toText(shape.outputShape())));
    return shape;
}

Result<std::vector<Builder::Out>> inferGradient(Node const &node, std::span<Value const *const> inputs)
{
    TW_ASSIGN(auto const shape, gradientShape(node, inputs));
    return std::vector<Builder::Out>{{shape.inputShape(), inputs[0]->dtype}};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId()};
    if (node.op == "pool.max") return {appendOp(b, "pool.max_grad", {node.inputs[0], d[0]}, node.attrs, "MaxPoolGrad")};
    auto attrs = node.attrs;
    auto const &shape = b.graph().value(node.inputs[0]).shape;
    attrs.set("extent", std::vector<std::int64_t>(shape.begin() + 1, shape.end() - 1));
    return {appendOp(b, "pool.average_grad", {d[0]}, std::move(attrs), "AveragePoolGrad")};
}

/// An addition or comparison for each place in each window.
std::int64_t flops(Graph const &graph, Node const &node)
{
    auto const value = node.op == "pool.max" || node.op == "pool.average" ? node.outputs[0] : node.inputs.back();
    std::int64_t n = elementCount(graph.value(value).shape);
    for (auto const extent : node.attrs.integers("window")) n *= extent;
    return n;
}

/// A dimension whose blocks hold every element although they do not overlap: one more element where windows leave some out.
Dim covered(Dim dim)
{
    if (!dim.overlaps() && ceilDiv(dim.extent, dim.block) > dim.count) ++dim.block;
    return dim;
}

/// One pooling and the layouts that go with blocks of its result.
class Pooling {
public:
    Pooling(PoolShape shape, bool isGradient) : m_shape(shape), m_isGradient(isGradient) {}

    PoolShape const &shape() const { return m_shape; }
    Shape resultShape() const { return m_isGradient ? m_shape.inputShape() : m_shape.outputShape(); }
    int channelDim() const { return m_shape.spatial + 1; }
    /// Spatial blocks of the result are multiples of so many: for a gradient whole strides, so that windows begin alike.
    std::int64_t unit(int d) const { return m_isGradient && isSpatial(d) ? stride(d) : 1; }
    bool isSpatial(int d) const { return d > 0 && d < channelDim(); }

    /// Blocks of the result so large as `block` or a little larger, `stride` tiles from one to the next.
    Dim result(int d, std::int64_t block, std::int64_t tileStride) const
    {
        auto const extent = resultShape()[static_cast<std::size_t>(d)];
        if (!m_isGradient || !isSpatial(d)) return cut(extent, std::min(block, extent), tileStride);
        // The last block has a window that covers some of it.
        block = roundUp(block, unit(d));
        while ((ceilDiv(extent, block) - 1) * block / stride(d) - windowsBefore(d) >= out(d)) block += unit(d);
        return cut(extent, block, tileStride);
    }

    /// What the windows of each block of a result cover.
    Layout inputOf(Layout const &result) const
    {
        return alike(result, [&](int d, Dim const &dim) {
            if (!m_isGradient)
                return covered(
                    window(in(d), (dim.block - 1) * stride(d) + size(d), dim.block * stride(d), before(d), dim.count, dim.stride));
            auto const windows = windowsOf(d, dim);
            return covered(window(in(d), (windows.block - 1) * stride(d) + size(d), dim.block, windows.before * stride(d) + before(d),
                                  dim.count, dim.stride));
        });
    }
    /// The windows that cover some of each block of a gradient.
    Layout upstreamOf(Layout const &result) const
    {
        return alike(result, [&](int d, Dim const &dim) { return covered(windowsOf(d, dim)); });
    }

    /// Blocks that follow what is pooled where it lies (its storage, cut in the dimensions of its shape).
    Layout following(Layout const &source) const
    {
        return alike(source, [&](int d, Dim const &dim) {
            auto block = dim.block;
            if (!m_isGradient) {
                // No more blocks than there are: with much padding there are more windows than inputs.
                block = ceilDiv(block, stride(d));
                while (ceilDiv(out(d), block) > dim.count) ++block;
            }
            return result(d, block, dim.stride);
        });
    }
    /// Blocks of a gradient that follow the upstream gradient.
    Layout followingUpstream(Layout const &upstream) const
    {
        return alike(upstream, [&](int d, Dim const &dim) {
            if (!isSpatial(d)) return result(d, dim.block, dim.stride);
            auto block = dim.block * stride(d);
            while (ceilDiv(in(d), block) > dim.count) block += stride(d);
            return result(d, block, dim.stride);
        });
    }

    std::vector<double> scalars(double scale) const
    {
        std::vector<double> all{scale};
        for (auto const *axes : {&m_shape.window.window, &m_shape.window.stride, &m_shape.window.before})
            for (int i = 0; i < m_shape.spatial; ++i) all.push_back(static_cast<double>((*axes)[m_shape.axis(i)]));
        return all;
    }

private:
    std::int64_t of(kernels::Axes const &axes, int d) const { return axes[m_shape.axis(d - 1)]; }
    std::int64_t in(int d) const { return of(m_shape.window.extent, d); }
    std::int64_t out(int d) const { return of(m_shape.out, d); }
    std::int64_t size(int d) const { return of(m_shape.window.window, d); }
    std::int64_t stride(int d) const { return of(m_shape.window.stride, d); }
    std::int64_t before(int d) const { return of(m_shape.window.before, d); }
    /// Windows that begin before a block and reach into it.
    std::int64_t windowsBefore(int d) const { return (size(d) - 1 - before(d)) / stride(d); }
    Dim windowsOf(int d, Dim const &dim) const
    {
        auto const early = windowsBefore(d);
        return window(out(d), (dim.block - 1 + before(d)) / stride(d) + early + 1, dim.block / stride(d), early, dim.count, dim.stride);
    }

    template <typename Spatial> Layout alike(Layout const &like, Spatial const &spatial) const
    {
        Layout layout;
        layout.on = like.on;
        layout.first = like.first;
        for (int d = 0; d <= channelDim(); ++d) {
            auto const &dim = like.dim(d);
            layout.add(isSpatial(d) ? spatial(d, dim) : cut(dim.extent, dim.block, dim.stride));
        }
        return layout;
    }

    PoolShape m_shape;
    bool m_isGradient;
};

/// Whether a layout stores a tensor of this shape, each element once, cut in its own dimensions.
bool storesInDims(Layout const &layout, Shape const &shape, int ipu)
{
    if (layout.rank != static_cast<int>(shape.size()) || layout.on.ipu != ipu) return false;
    for (int d = 0; d < layout.rank; ++d) {
        auto const &dim = layout.dim(d);
        if (dim.kind != DimKind::Index || dim.overlaps() || dim.extent != shape[static_cast<std::size_t>(d)]) return false;
    }
    return true;
}

FieldShape fieldOf(Layout const &layout, DType type)
{
    FieldShape field{type, 1, 1, layout.cols(), layout.rank, {}};
    for (int d = 0; d < layout.rank; ++d) {
        auto const size = std::min(layout.dim(d).block, layout.dim(d).extent);
        field.size[static_cast<std::size_t>(d)] = size;
        if (d + 1 < layout.rank) field.rows *= size;
    }
    field.cols = field.size[static_cast<std::size_t>(layout.rank - 1)];
    return field;
}

/// One compute set: the codelet, the pooling, and what its operands are.
struct PoolVertex {
    char const *codelet;
    Pooling pooling;
    DType resultType, operandType;
    double scale = 0;
    bool readsInput = true, readsUpstream = false; ///< in this order behind the result

    std::vector<Layout> operands(Layout const &result) const
    {
        std::vector<Layout> all;
        if (readsInput) all.push_back(pooling.inputOf(result));
        if (readsUpstream) all.push_back(pooling.upstreamOf(result));
        return all;
    }
    /// Cycles of the largest vertex and of receiving its operands; what `sources` (or null) hold on the tile is there.
    Cycles cost(Layout const &result, std::span<Layout const *const> sources, target::Chip const &chip) const
    {
        auto const layouts = operands(result);
        std::vector<FieldShape> fields{fieldOf(result, resultType)};
        Bytes received = 0;
        std::int64_t fragments = 0;
        for (std::size_t i = 0; i < layouts.size(); ++i) {
            fields.push_back(fieldOf(layouts[i], operandType));
            std::int64_t held = 0;
            if (i < sources.size() && sources[i]) {
                held = 1;
                for (int d = 0; d < result.rank; ++d) {
                    auto const &have = sources[i]->dim(d), &need = layouts[i].dim(d);
                    // Blocks that begin alike; else most of it comes from elsewhere.
                    held *= have.step == need.step && have.count >= need.count ? std::min(have.block, need.block) : 0;
                }
            }
            auto const elements = fields.back().elements() - std::min(held, fields.back().elements());
            received += elements * sizeOf(operandType);
            // What is cut along its channels comes position by position.
            auto const channels = static_cast<std::size_t>(pooling.channelDim());
            auto run = fields.back().size[channels];
            if (i < sources.size() && sources[i]) run = std::min(run, sources[i]->dim(pooling.channelDim()).block);
            if (run < layouts[i].dim(pooling.channelDim()).extent) fragments += ceilDiv(elements, run);
            else fragments += ceilDiv(elements, run * fields.back().size[channels - 1]);
        }
        auto const values = pooling.scalars(scale);
        return findCodelet(codelet)->cycles({fields, values, {}}, chip) + ceilDiv(received, 4) + chip.exchangeMessageCycles * fragments;
    }
};

/// Of all ways to cut the result over the tiles of an IPU the cheapest.
class Search {
public:
    Search(PoolVertex const &vertex, target::Chip const &chip, TileSet on) : m_vertex(vertex), m_chip(chip)
    {
        m_layout = onTiles(on);
        auto const shape = vertex.pooling.resultShape();
        for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
            auto const extent = shape[static_cast<std::size_t>(d)];
            auto const unit = d == vertex.pooling.channelDim() ? channelUnit(extent) : vertex.pooling.unit(d);
            auto const units = ceilDiv(extent, unit);
            auto &blocks = m_blocks.emplace_back();
            for (std::int64_t count = 1; count <= std::min<std::int64_t>(units, chip.tiles); ++count) {
                auto const block = std::min(extent, ceilDiv(units, count) * unit);
                if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
            }
        }
        walk(0, 1);
    }
    Layout best() const { return *m_best; }
    Cycles cycles() const { return m_cycles; }

private:
    /// Channels in the groups in which convolutions read and write them: whoever reads the result receives long pieces.
    std::int64_t channelUnit(std::int64_t channels) const
    {
        std::int64_t const group = m_chip.convInputGroup(vertexType());
        return channels % group == 0 ? group : std::max<std::int64_t>(1, 8 / sizeOf(vertexType()));
    }
    DType vertexType() const { return m_vertex.operandType; }

    void walk(std::size_t d, std::int64_t used)
    {
        if (d == m_blocks.size()) {
            Layout layout = m_layout;
            for (int i = layout.rank, stride = 1; i-- > 0;) {
                layout.dim(i).stride = layout.dim(i).count > 1 ? stride : 0;
                stride *= static_cast<int>(layout.dim(i).count);
            }
            auto const cycles = m_vertex.cost(layout, {}, m_chip);
            // Of equal ones the last: it cuts samples before positions, which keeps windows of what follows whole.
            if (m_best && cycles > m_cycles) return;
            m_best = layout;
            m_cycles = cycles;
            return;
        }
        std::int64_t last = 0;
        for (auto block : m_blocks[d]) {
            auto const dim = m_vertex.pooling.result(static_cast<int>(d), block, 1);
            if (dim.block == last) continue;
            last = dim.block;
            if (used * dim.count > m_chip.tiles) break;
            m_layout.add(dim);
            walk(d + 1, used * dim.count);
            --m_layout.rank;
        }
    }

    PoolVertex const &m_vertex;
    target::Chip const &m_chip;
    Layout m_layout;
    std::vector<std::vector<std::int64_t>> m_blocks; ///< by dimension
    std::optional<Layout> m_best;
    Cycles m_cycles = 0;
};

constexpr double kFollowing = 1.3;

/// The layout of the result: as its operands lie where that costs least, else spread anew.
Layout place(lowering::LowerContext &ctx, PoolVertex const &vertex, std::span<VarId const> operands, int ipu)
{
    auto const &chip = ctx.b.chip();
    auto const &shape = vertex.pooling.shape();
    bool const follows = ctx.b.options().poolFollowsOperand;
    std::vector<Layout const *> sources;
    std::vector<Layout> candidates;
    if (vertex.readsInput) {
        auto const &layout = ctx.b.var(operands[0]).layout;
        bool const known = storesInDims(layout, shape.inputShape(), ipu);
        sources.push_back(known ? &layout : nullptr);
        if (known && follows) candidates.push_back(vertex.pooling.following(layout));
    }
    if (vertex.readsUpstream) {
        auto const &layout = ctx.b.var(operands.back()).layout;
        bool const known = storesInDims(layout, shape.outputShape(), ipu);
        sources.push_back(known ? &layout : nullptr);
        if (known && follows && candidates.empty()) candidates.push_back(vertex.pooling.followingUpstream(layout));
    }
    Search const search(vertex, chip, ctx.b.workTiles(ipu));
    // The search counts what this pooling takes; who stays with its operand saves its readers an exchange as well.
    if (!candidates.empty() && vertex.cost(candidates[0], sources, chip) <= search.cycles() * kFollowing) return candidates[0];
    Layout best = search.best();
    best.first = best.blocks() == chip.tiles ? 0 : ctx.b.nextTiles(ipu, best.blocks());
    return best;
}

void execute(lowering::LowerContext &ctx, std::string const &name, PoolVertex const &vertex, VarId result, std::span<VarId const> operands)
{
    auto const layouts = vertex.operands(ctx.b.var(result).layout);
    std::vector<Field> fields{{result, Access::Write}};
    char const *const what[] = {"/in", "/upstream"};
    for (std::size_t i = 0; i < layouts.size(); ++i)
        fields.push_back({ctx.b.gather(operands[i], layouts[i], name + what[vertex.readsInput ? i : 1]), Access::Read});
    ctx.b.execute(name, {ctx.b.family(vertex.codelet, std::move(fields), vertex.pooling.scalars(vertex.scale))});
}

/// Whether the only window is everything.
bool isGlobal(PoolShape const &shape)
{
    return shape.out == kernels::Axes{1, 1, 1} && shape.window.window == shape.window.extent
        && shape.window.before == kernels::Axes{0, 0, 0};
}

/// Whether tiles hold parts of the positions.
bool isSplit(Layout const &layout, PoolShape const &shape, Shape const &tensor, int ipu)
{
    if (!storesInDims(layout, tensor, ipu)) return false;
    for (int i = 0; i < shape.spatial; ++i)
        if (layout.dim(i + 1).count > 1) return true;
    return false;
}

/// The pooling of each row's part that lies on one tile.
PoolShape rowsOnTiles(PoolShape shape, Layout const &layout)
{
    shape.out = shape.window.extent;
    shape.window.window = shape.window.stride = {1, 1, 1};
    auto const last = shape.axis(shape.spatial - 1);
    shape.window.window[last] = shape.window.stride[last] = layout.dim(shape.spatial).block;
    shape.out[last] = layout.dim(shape.spatial).count;
    return shape;
}

Status lowerForward(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &value = ctx.graph.value(node.inputs[0]);
    int const ipu = ctx.ipu(node.stage);
    bool const maximum = node.op == "pool.max";
    auto const set = node.name + (maximum ? "/MaxPool" : "/AveragePool");
    TW_ASSIGN(auto shape, kernels::poolShape(node.attrs, value.shape, node.name));
    VarId x = ctx.var(node.inputs[0]);
    double scale = 0;
    auto type = value.dtype;
    Layout const layout = ctx.b.var(x).layout;
    if (isGlobal(shape) && isSplit(layout, shape, value.shape, ipu)) {
        // Each tile pools its own block first; what is left is one value for each of the blocks.
        PoolShape onTile = shape;
        for (int i = 0; i < shape.spatial; ++i) {
            auto const &dim = layout.dim(i + 1);
            auto const a = shape.axis(i);
            onTile.window.window[a] = onTile.window.stride[a] = dim.block;
            onTile.out[a] = dim.count;
        }
        scale = maximum ? 0 : 1.0 / static_cast<double>(shape.volume());
        PoolVertex const vertex{maximum ? "PoolMax" : "PoolSum", {onTile, false}, maximum ? type : DType::F32, type, 1};
        VarId const partial =
            ctx.b.addVar(set + "/partials", "partial", vertex.resultType, onTile.outputShape(), vertex.pooling.following(layout));
        execute(ctx, set + "OnTile", vertex, partial, {{x}});
        x = partial;
        type = vertex.resultType;
        shape.window.extent = shape.window.window = onTile.out;
    }
    PoolVertex const vertex{maximum ? "PoolMax" : "PoolSum", {shape, false}, value.dtype, type, scale};
    VarId const out = outputVar(ctx, node, 0, place(ctx, vertex, {{x}}, ipu));
    execute(ctx, set, vertex, out, {{x}});
    ctx.bind(node.outputs[0], out);
    return {};
}

/// The gradient of a maximum over everything, of which tiles hold parts. The place of the largest is looked for axis by axis, the
/// last one first, beginning with what each tile has of a row: all of the tensor moves nowhere, and the first of equal
/// ones is the first in the order of the positions (it would not be, were blocks of several rows looked at at once).
VarId lowerGlobalGradient(lowering::LowerContext &ctx, Node const &node, PoolShape const &shape, std::vector<VarId> const &operands,
                          std::string const &set)
{
    int const ipu = ctx.ipu(node.stage);
    auto const type = ctx.graph.value(node.inputs[0]).dtype;
    std::vector<PoolShape> levels{rowsOnTiles(shape, ctx.b.var(operands[0]).layout)};
    for (int i = shape.spatial; i-- > 0;) {
        auto level = levels.back();
        level.window.extent = level.out;
        level.window.window = level.window.stride = {1, 1, 1};
        auto const axis = shape.axis(i);
        level.window.window[axis] = level.window.stride[axis] = level.window.extent[axis];
        level.out[axis] = 1;
        if (level.out != level.window.extent) levels.push_back(level);
    }
    std::vector<VarId> largest{operands[0]};
    for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
        auto const name = set + "/largest" + std::to_string(k);
        PoolVertex const vertex{"PoolMax", {levels[k], false}, type, type, 1};
        auto const layout = k == 0 ? vertex.pooling.following(ctx.b.var(operands[0]).layout) : place(ctx, vertex, {{largest[k]}}, ipu);
        largest.push_back(ctx.b.addVar(name, "partial", type, levels[k].outputShape(), layout));
        execute(ctx, name, vertex, largest.back(), {{largest[k]}});
    }
    VarId upstream = operands[1];
    for (std::size_t k = levels.size(); k-- > 0;) {
        PoolVertex const vertex{"PoolMaxGrad", {levels[k], true}, type, type, 0, true, true};
        std::vector<VarId> const both{largest[k], upstream};
        auto const name = k == 0 ? set : set + "/gradient" + std::to_string(k);
        upstream = k == 0 ? outputVar(ctx, node, 0, vertex.pooling.following(ctx.b.var(operands[0]).layout))
                          : ctx.b.addVar(name, "temporary", type, levels[k].inputShape(), place(ctx, vertex, both, ipu));
        execute(ctx, name, vertex, upstream, both);
    }
    return upstream;
}

Status lowerGradient(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    bool const maximum = node.op == "pool.max_grad";
    std::vector<Value const *> values;
    std::vector<VarId> operands;
    for (auto input : node.inputs) {
        values.push_back(&ctx.graph.value(input));
        operands.push_back(ctx.var(input));
    }
    TW_ASSIGN(auto const shape, gradientShape(node, values));
    int const ipu = ctx.ipu(node.stage);
    auto const type = values[0]->dtype;
    auto const set = node.name + (maximum ? "/MaxPoolGrad" : "/AveragePoolGrad");
    if (maximum && isGlobal(shape) && isSplit(ctx.b.var(operands[0]).layout, shape, values[0]->shape, ipu)) {
        ctx.bind(node.outputs[0], lowerGlobalGradient(ctx, node, shape, operands, set));
        return {};
    }
    PoolVertex const vertex{maximum ? "PoolMaxGrad" : "PoolMeanGrad", {shape, true}, type, type, 0, maximum, true};
    VarId const out = outputVar(ctx, node, 0, place(ctx, vertex, operands, ipu));
    execute(ctx, set, vertex, out, operands);
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addPooling(std::vector<OpDef> &all)
{
    auto const add = [&](char const *name, OpSpec spec, Status (*lower)(lowering::LowerContext &, NodeId), char const *help) {
        OpDef def;
        def.name = name;
        def.spec = std::move(spec);
        def.lowering.lower = lower;
        def.help = help;
        all.push_back(std::move(def));
    };
    std::vector<AttrSpec> const windows{{"window", AttrType::Integers, "extent along each spatial axis"},
                                        {"stride", AttrType::Integers, "from one window to the next"},
                                        {"before", AttrType::Integers, "padding in front of each axis"},
                                        {"after", AttrType::Integers, "padding after it"}};
    OpSpec const forward{.infer = inferForward, .gradient = gradient, .flops = flops, .attributes = windows, .work = Work::LookUp};
    OpSpec backward{.infer = inferGradient, .flops = flops, .attributes = windows, .work = Work::LookUp};
    add("pool.max", forward, lowerForward, "largest of each window");
    add("pool.average", forward, lowerForward, "mean of each window, padding not counted");
    add("pool.max_grad", backward, lowerGradient, "gradient of a maximum over windows; goes to the first of equal elements");
    backward.attributes.push_back({"extent", AttrType::Integers, "spatial extents of the pooled tensor"});
    add("pool.average_grad", backward, lowerGradient, "gradient of a mean over windows");
}

} // namespace tilewright::ops
