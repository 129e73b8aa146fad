// Whitening: each group of elements gets mean 0 and variance 1. Batch, layer, group and instance normalisation are this with
// different groups. As popnn does it: sums on each tile, statistics in float32 where the last of them meet, 1/deviation, and
// both back to the tiles, which keep what they hold.
#include "engine/core/text.h"
#include "engine/graph/partial_sums.h"
#include "engine/kernels/norm_shape.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <cmath>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;
using kernels::NormView;

Diagnostic badOperands(Node const &node, Message what) { return makeError(ErrorKind::Invalid, "graph.norm", node.name, std::move(what)); }

Result<std::vector<Builder::Out>> inferWhiten(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1) return badOperands(node, Message::of("a normalisation takes one operand."));
    TW_ASSIGN(auto const view, kernels::normView(node.attrs, inputs[0]->shape, node.name));
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}, {{view.groups()}, DType::F32}, {{view.groups()}, DType::F32}};
}

Result<std::vector<Builder::Out>> inferGradient(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 3) return badOperands(node, Message::of("the gradient of a normalisation takes three operands."));
    TW_ASSIGN(auto const view, kernels::normView(node.attrs, inputs[0]->shape, node.name));
    if (elementCount(inputs[1]->shape) != view.groups())
        return badOperands(node, Message::of("the number of variances is not the number of groups."));
    if (inputs[2]->shape != inputs[0]->shape || inputs[2]->dtype != inputs[0]->dtype)
        return badOperands(node,
                           Message::of("the gradient has shape %1, the result %2.", toText(inputs[2]->shape), toText(inputs[0]->shape)));
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

/// The statistics themselves are not differentiated: they leave for moving averages only.
std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId()};
    return {appendOp(b, "norm.whiten_grad", {node.outputs[0], node.outputs[2], d[0]}, node.attrs, "WhitenGrad")};
}

std::int64_t flops(Graph const &graph, Node const &node) { return 6 * elementCount(graph.value(node.inputs[0]).shape); }

/// A layout of the operand in which every tile has whole inner parts, and what lies beside its blocks.
class Place {
public:
    /// False: its dimensions are no parts of the view, or it is not row-major.
    bool take(Layout const &layout, NormView const &view)
    {
        m_layout = layout;
        m_role.fill(3);
        if (!layout.isRowMajor()) return false;
        std::array<std::int64_t, 4> left{view.outer, view.reduced, view.kept, view.inner};
        std::size_t part = 0;
        int kept = 0;
        for (int d = 0; d < layout.rank; ++d) {
            auto const &dim = layout.dim(d);
            if (dim.kind != DimKind::Index || dim.overlaps()) return false;
            if (dim.extent == 1) continue;
            while (part < 4 && left[part] == 1) ++part;
            if (part == 4 || left[part] % dim.extent != 0) return false;
            left[part] /= dim.extent;
            m_role[static_cast<std::size_t>(d)] = static_cast<std::uint8_t>(part);
            kept += part == 2;
            if (part == 3 && dim.count > 1) return false;
        }
        return kept < 2; // the vertices know one dimension of groups inside another of elements
    }
    Layout const &layout() const { return m_layout; }

    /// Blocks of the reduced dimensions: so many sums meet.
    std::int64_t partials() const
    {
        std::int64_t n = 1;
        for (int d = 0; d < m_layout.rank; ++d)
            if (isPart(d, 1)) n *= m_layout.dim(d).count;
        return n;
    }
    /// `terms` numbers for each group of each block, as addends in dimensions of their own.
    Layout sums(std::int64_t terms) const { return beside(terms, DimKind::Index); }
    /// Statistics of the groups on every tile that holds some of one.
    Layout statistics(std::int64_t terms) const { return beside(terms, DimKind::Copy); }

private:
    bool isPart(int d, std::uint8_t part) const { return m_layout.dim(d).extent > 1 && m_role[static_cast<std::size_t>(d)] == part; }

    Layout beside(std::int64_t terms, DimKind partKind) const
    {
        Layout out;
        out.on = m_layout.on;
        out.first = m_layout.first;
        for (int d = 0; d < m_layout.rank; ++d)
            if (isPart(d, 1) && m_layout.dim(d).count > 1) out.add(cut(m_layout.dim(d).count, 1, m_layout.dim(d).stride, partKind));
        if (terms > 1) out.add(cut(terms, terms, 0));
        bool kept = false;
        for (std::uint8_t part : {std::uint8_t{0}, std::uint8_t{2}})
            for (int d = 0; d < m_layout.rank; ++d) {
                if (!isPart(d, part)) continue;
                out.add(m_layout.dim(d));
                kept = part == 2;
            }
        if (!kept) out.add(cut(1, 1, 0));
        return out;
    }

    Layout m_layout;
    std::array<std::uint8_t, kMaxDims> m_role{}; ///< by dimension: the part of the view it belongs to
};

/// The view cut over the tiles: its outer and kept dimensions first, so that few sums have to meet.
Layout freshLayout(lowering::LowerContext &ctx, NormView const &view, DType type, int ipu)
{
    auto const &chip = ctx.b.chip();
    std::int64_t const vector = std::max<std::int64_t>(1, 8 / sizeOf(type));
    std::int64_t tiles = std::clamp<std::int64_t>(view.elements() * sizeOf(type) / 128, 1, chip.tiles);
    auto const split = [&](std::int64_t extent, std::int64_t grain) {
        auto const count = std::clamp<std::int64_t>(ceilDiv(extent, grain), 1, tiles);
        Dim const dim = cut(extent, roundUp(ceilDiv(extent, count), std::min(grain, extent)), 0);
        tiles = std::max<std::int64_t>(1, tiles / dim.count);
        return dim;
    };
    Dim outer = split(view.outer, 1), kept = split(view.kept, view.inner > 1 ? 1 : vector), reduced = split(view.reduced, 1);
    kept.stride = kept.count > 1 ? 1 : 0;
    reduced.stride = reduced.count > 1 ? static_cast<std::int32_t>(kept.count) : 0;
    outer.stride = outer.count > 1 ? static_cast<std::int32_t>(kept.count * reduced.count) : 0;
    Layout layout = onTiles(ctx.b.workTiles(ipu));
    for (auto const &dim : {outer, reduced, kept, cut(view.inner, view.inner, 0)}) layout.add(dim);
    layout.first = layout.blocks() == chip.tiles ? 0 : ctx.b.nextTiles(ipu, layout.blocks());
    return layout;
}

Place placeOf(lowering::LowerContext &ctx, VarId operand, NormView const &view, int ipu)
{
    Place place;
    auto const &var = ctx.b.var(operand);
    if (var.layout.on.ipu == ipu && place.take(var.layout, view)) return place;
    TW_CHECK(place.take(freshLayout(ctx, view, var.dtype, ipu), view), "a fresh layout fits its view");
    return place;
}

/// Adds up sums [partials, n] until one of each is left, and multiplies: in stages, so that no tile receives too many.
VarId meet(lowering::LowerContext &ctx, VarId sums, std::int64_t partials, std::int64_t n, double factor, std::string const &name, int ipu)
{
    constexpr std::int64_t kMost = 32; // addends of a tile
    auto const &chip = ctx.b.chip();
    while (partials > 1) {
        auto const each = partials <= kMost ? partials : static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(partials))));
        auto const rows = ceilDiv(partials, each);
        auto const columns = std::max<std::int64_t>(1, chip.tiles / rows);
        auto const block = std::min(n, std::max<std::int64_t>(8, roundUp(ceilDiv(n, columns), 2)));
        Layout layout = onTiles(ctx.b.workTiles(ipu));
        layout.add(cut(partials, each, ceilDiv(n, block)));
        layout.add(cut(n, block, 1));
        layout.first = ctx.b.nextTiles(ipu, layout.blocks());
        Layout left = layout;
        left.row() = cut(rows, 1, layout.row().stride);
        VarId const gathered = ctx.b.gather(sums, layout, name + "/partials");
        sums = ctx.b.addVar(name + "/sums", "partial", DType::F32, {rows, n}, left);
        ctx.b.execute(name + "/ReduceAdd", {ctx.b.family("ColumnSum", {{sums, Access::Write}, {gathered, Access::Read}})});
        partials = rows;
    }
    VarId const scaled = ctx.b.addVar(name, "temporary", DType::F32, {n}, ctx.b.var(sums).layout);
    executeMap(ctx, name + "/Scale", scaled, {sums}, "1: mul_scalar(" + numberText(factor) + ") a0");
    return scaled;
}

VarId inverseDeviation(lowering::LowerContext &ctx, Node const &node, VarId variance)
{
    auto const source = ctx.b.var(variance);
    VarId const inverse = ctx.b.addVar(node.name + "/inverse", "temporary", DType::F32, source.shape, source.layout);
    ctx.b.execute(
        node.name + "/InverseStdDeviation",
        {ctx.b.family("InverseStdDeviation", {{inverse, Access::Write}, {variance, Access::Read}}, {node.attrs.real("epsilon")})});
    return inverse;
}

Status lowerWhiten(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    int const ipu = ctx.ipu(node.stage);
    TW_ASSIGN(auto const view, kernels::normView(node.attrs, ctx.graph.value(node.inputs[0]).shape, node.name));
    auto const place = placeOf(ctx, ctx.var(node.inputs[0]), view, ipu);
    VarId const x = ctx.b.gather(ctx.var(node.inputs[0]), place.layout(), node.name + "/in");
    std::vector<double> const scalars{static_cast<double>(view.inner)};
    double const share = 1.0 / static_cast<double>(view.perGroup());
    auto const partial = [&](char const *name) {
        return ctx.b.addVar(node.name + name, "partial", DType::F32, {place.partials(), view.groups()}, place.sums(1));
    };
    auto const meetAs = [&](VarId partials, char const *name) {
        return meet(ctx, partials, place.partials(), view.groups(), share, node.name + name, ipu);
    };
    bool const onePass = node.attrs.flag(kOnePass);
    VarId const sums = partial("/sum"), squares = partial("/squares");
    if (onePass)
        ctx.b.execute(node.name + "/Powers",
                      {ctx.b.family("NormPowers", {{sums, Access::Write}, {squares, Access::Write}, {x, Access::Read}}, scalars)});
    else ctx.b.execute(node.name + "/Sum", {ctx.b.family("NormSum", {{sums, Access::Write}, {x, Access::Read}}, scalars)});
    VarId const mean = meetAs(sums, "/mean");
    VarId const means = ctx.b.gather(mean, place.statistics(1), node.name + "/means");
    VarId variance;
    if (onePass) {
        VarId const square = meetAs(squares, "/meanSquare");
        variance = ctx.b.addVar(node.name + "/variance", "temporary", DType::F32, {view.groups()}, ctx.b.var(square).layout);
        VarId const beside = ctx.b.gather(mean, ctx.b.var(square).layout, node.name + "/variance/mean");
        executeMap(ctx, node.name + "/Variance", variance, {beside, square}, "2: square a0; sub a1 t0; relu t1");
    } else {
        ctx.b.execute(node.name + "/Squares",
                      {ctx.b.family("NormSquares", {{squares, Access::Write}, {x, Access::Read}, {means, Access::Read}}, scalars)});
        variance = meetAs(squares, "/variance");
    }
    VarId const inverses = ctx.b.gather(inverseDeviation(ctx, node, variance), place.statistics(1), node.name + "/inverses");
    VarId const out = outputVar(ctx, node, 0, place.layout());
    ctx.b.execute(
        node.name + "/Whiten",
        {ctx.b.family("NormWhiten", {{out, Access::Write}, {x, Access::Read}, {means, Access::Read}, {inverses, Access::Read}}, scalars)});
    ctx.bind(node.outputs[0], out);
    ctx.bind(node.outputs[1], mean);
    ctx.bind(node.outputs[2], variance);
    return {};
}

Status lowerGradient(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    int const ipu = ctx.ipu(node.stage);
    TW_ASSIGN(auto const view, kernels::normView(node.attrs, ctx.graph.value(node.inputs[0]).shape, node.name));
    auto const place = placeOf(ctx, ctx.var(node.inputs[0]), view, ipu);
    VarId const whitened = ctx.b.gather(ctx.var(node.inputs[0]), place.layout(), node.name + "/whitened");
    VarId const d = ctx.b.gather(ctx.var(node.inputs[2]), place.layout(), node.name + "/upstream");
    std::vector<double> const scalars{static_cast<double>(view.inner)};
    VarId const sums = ctx.b.addVar(node.name + "/sum", "partial", DType::F32, {place.partials(), 2 * view.groups()}, place.sums(2));
    ctx.b.execute(node.name + "/Sums",
                  {ctx.b.family("NormGradSums", {{sums, Access::Write}, {d, Access::Read}, {whitened, Access::Read}}, scalars)});
    VarId const mean =
        meet(ctx, sums, place.partials(), 2 * view.groups(), 1.0 / static_cast<double>(view.perGroup()), node.name + "/mean", ipu);
    VarId const means = ctx.b.gather(mean, place.statistics(2), node.name + "/means");
    VarId const inverse = inverseDeviation(ctx, node, ctx.var(node.inputs[1]));
    VarId const inverses = ctx.b.gather(inverse, place.statistics(1), node.name + "/inverses");
    VarId const out = outputVar(ctx, node, 0, place.layout());
    ctx.b.execute(
        node.name + "/WhitenGrad",
        {ctx.b.family("NormWhitenGrad",
                      {{out, Access::Write}, {d, Access::Read}, {whitened, Access::Read}, {means, Access::Read}, {inverses, Access::Read}},
                      scalars)});
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addNorms(std::vector<OpDef> &all)
{
    OpDef whiten;
    whiten.name = "norm.whiten";
    std::vector<AttrSpec> const attributes{
        {"view", AttrType::Integers, "the tensor as [outer, reduced, kept, inner]; a group covers reduced and inner"},
        {"epsilon", AttrType::Real, "added to variances"}};
    auto whitening = attributes;
    whitening.push_back(
        optionalAttr(kOnePass, AttrType::Flag, "variance as mean of squares minus square of the mean, in one pass over the elements"));
    whiten.spec = {.infer = inferWhiten, .gradient = gradient, .flops = flops, .attributes = whitening, .work = Work::Reduction};
    whiten.lowering.lower = lowerWhiten;
    whiten.help = "to mean 0 and variance 1 in each group; also gives the means and variances";
    all.push_back(whiten);
    OpDef grad;
    grad.name = "norm.whiten_grad";
    grad.spec = {.infer = inferGradient, .flops = flops, .attributes = attributes, .work = Work::Reduction};
    grad.lowering.lower = lowerGradient;
    grad.help = "gradient of whitening, from its result and the variances";
    all.push_back(grad);
}

} // namespace tilewright::ops
