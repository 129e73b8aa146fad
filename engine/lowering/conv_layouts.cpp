#include "engine/lowering/conv_layouts.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;
using cost::ConvPart;

namespace {

/// Blocks of `block` elements, one per `step`, starting `before` elements before the tensor; enlarged where they would be empty.
program::Dim halo(std::int64_t extent, std::int64_t block, std::int64_t step, std::int64_t before, std::int64_t count, std::int64_t stride)
{
    if (before < 0) { // a block starts later: read the preceding elements as well
        block -= before;
        before = 0;
    }
    std::int64_t const back = std::max<std::int64_t>(0, (count - 1) * step - before - (extent - 1));
    before += back;
    block = std::max(block + back, before + 1);
    // Blocks that happen to be adjacent must cover the whole dimension.
    if (step == block && before == 0 && count != ceilDiv(extent, block)) ++block;
    return program::window(extent, block, step, before, count, stride);
}

/// A dimension with one block has no stride, so that equal layouts compare equal.
Layout withoutIdleStrides(Layout layout)
{
    for (int d = 0; d < layout.rank; ++d)
        if (layout.dim(d).count == 1) layout.dim(d).stride = 0;
    return layout;
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -ceilDiv(-a, b); }

} // namespace

Layout ConvLayouts::begin(std::int64_t several, std::int64_t stride, DimKind kind) const
{
    Layout layout = m_on;
    if (several > 1) layout.add(cut(several, 1, stride, kind));
    return layout;
}

void ConvLayouts::addChannels(Layout &layout, bool filters) const
{
    if (grouped()) layout.add(cut(m_g.groups, m_plan.groupBlock, m_plan.groupStride()));
    if (filters) layout.add(cut(m_g.filters, m_plan.filterBlock, m_plan.filterStride()));
    else layout.add(cut(m_g.channels, m_plan.channelBlock, m_plan.channelStride()));
}

void ConvLayouts::addWindows(Layout &layout, bool forWeights) const
{
    for (int i = 0; i < m_g.spatial; ++i) {
        auto const &a = m_g.axis[axis(i)];
        std::int64_t const merged = forWeights ? m_plan.merged(axis(i)) : 1, outputs = m_plan.outBlock[axis(i)] * merged;
        layout.add(halo(a.in, (outputs - 1) * a.stride + (a.kernel - 1) * a.dilation + 1, outputs * a.stride, a.before,
                        m_plan.axisParts[axis(i)] / merged, m_plan.axisStride(axis(i)) * merged));
    }
}

void ConvLayouts::addOutputs(Layout &layout, bool forWeights) const
{
    for (int i = 0; i < m_g.spatial; ++i) {
        std::int64_t const out = m_g.axis[axis(i)].out, merged = forWeights ? m_plan.merged(axis(i)) : 1;
        layout.add(cut(out, std::min(out, m_plan.outBlock[axis(i)] * merged), m_plan.axisStride(axis(i)) * merged));
    }
}

void ConvLayouts::addReaders(Layout &layout) const
{
    for (int i = 0; i < m_g.spatial; ++i) {
        auto const &a = m_g.axis[axis(i)];
        std::int64_t const inputs = m_plan.inBlock[axis(i)], count = ceilDiv(a.in, inputs);
        // Windows from the first one whose last element reads the block's first position to the last one whose first element reads its last
        // position.
        std::int64_t const before = floorDiv((a.kernel - 1) * a.dilation - a.before, a.stride);
        std::int64_t const end = floorDiv(inputs - 1 + a.before, a.stride) + 1;
        layout.add(halo(a.out, end + before, ceilDiv(inputs, a.stride), before, count, m_plan.axisStride(axis(i))));
    }
}

Layout ConvLayouts::first(ConvPart part) const
{
    bool const deltas = part == ConvPart::InputGradient, forWeights = part == ConvPart::WeightGradient;
    Layout layout = deltas ? begin(m_plan.channelParts, m_plan.channelStride(), DimKind::Copy)
                           : begin(m_plan.filterParts, m_plan.filterStride(), DimKind::Copy);
    if (forWeights && m_plan.kernelParts > 1) layout.add(cut(m_plan.kernelParts, 1, m_plan.axisStride(2), DimKind::Copy));
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    if (deltas) addReaders(layout);
    else addWindows(layout, forWeights);
    addChannels(layout, deltas);
    return layout;
}

Layout ConvLayouts::second(ConvPart part) const
{
    if (part == ConvPart::WeightGradient) {
        Layout layout = begin(m_plan.channelParts, m_plan.channelStride(), DimKind::Copy);
        if (m_plan.kernelParts > 1) layout.add(cut(m_plan.kernelParts, 1, m_plan.axisStride(2), DimKind::Copy));
        layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
        addOutputs(layout, true);
        addChannels(layout, true);
        return layout;
    }
    Layout layout = begin(m_plan.batchParts * m_plan.positionParts(), m_plan.axisStride(2), DimKind::Copy);
    layout.add(cut(m_g.kernelElements(), m_g.kernelElements(), 0));
    layout.add(cut(m_g.channels, m_plan.channelBlock, m_plan.channelStride()));
    addChannels(layout, true);
    return layout;
}

Layout ConvLayouts::partials(ConvPart part) const
{
    if (part == ConvPart::WeightGradient) {
        std::int64_t const several = m_plan.batchParts * m_plan.positionParts() / m_plan.kernelParts;
        Layout layout = begin(several, m_plan.axisStride(2) * m_plan.kernelParts, DimKind::Addend);
        layout.add(cut(m_g.kernelElements(), ceilDiv(m_g.kernelElements(), m_plan.kernelParts), m_plan.axisStride(2)));
        layout.add(cut(m_g.channels, m_plan.channelBlock, m_plan.channelStride()));
        addChannels(layout, true);
        return withoutIdleStrides(layout);
    }
    bool const output = part == ConvPart::Output;
    Layout layout = output ? begin(m_plan.channelParts, m_plan.channelStride(), DimKind::Addend)
                           : begin(m_plan.filterParts, m_plan.filterStride(), DimKind::Addend);
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    if (output) addOutputs(layout, false);
    else
        for (int i = 0; i < m_g.spatial; ++i) layout.add(cut(m_g.axis[axis(i)].in, m_plan.inBlock[axis(i)], m_plan.axisStride(axis(i))));
    addChannels(layout, output);
    return withoutIdleStrides(layout);
}

Layout ConvLayouts::sums(ConvPart part, DType type) const
{
    constexpr Bytes kRun = 256; // of weights
    auto const parts = partials(part);
    if (!parts.has(DimKind::Addend)) return parts;
    return summed(parts, part == ConvPart::WeightGradient ? kRun / sizeOf(type) : 1);
}

Layout ConvLayouts::summed(Layout const &partials, std::int64_t leastRun) const
{
    Layout plain;
    plain.on = partials.on;
    plain.first = partials.first;
    std::int64_t parts = 1;
    for (int d = 0; d < partials.rank; ++d) {
        if (partials.dim(d).kind == DimKind::Addend) parts = partials.dim(d).extent;
        else plain.add(partials.dim(d));
    }
    // Cut the outer dimensions further as far as tiles allow, so that rows stay long.
    for (int d = 0; d + 1 < plain.rank && parts > 1; ++d) {
        auto &dim = plain.dim(d);
        std::int64_t run = 1;
        for (int inner = d + 1; inner < plain.rank; ++inner) run *= plain.dim(inner).block;
        std::int64_t const block = std::max(ceilDiv(dim.block, std::min(parts, dim.block)), std::min(dim.block, ceilDiv(leastRun, run)));
        if (block == dim.block) continue;
        auto const whole = dim;
        std::int64_t const finer = ceilDiv(dim.block, block);
        dim = cut(dim.extent, block, 0);
        if (plain.blocks() > plain.on.count) {
            dim = whole;
            break;
        }
        parts = ceilDiv(parts, finer);
    }
    // Row-major over the tiles, the best order for later sums over positions.
    std::int64_t stride = 1;
    for (int d = plain.rank; d-- > 0;) {
        plain.dim(d).stride = static_cast<std::int32_t>(plain.dim(d).count > 1 ? stride : 0);
        stride *= plain.dim(d).count;
    }
    return plain;
}

Layout convWeightsHome(ConvPlan const &plan, graph::ConvGeometry const &geometry, Layout const &on, DType type)
{
    auto const split = oneSplit(plan, geometry, ConvPart::WeightGradient);
    auto const home = ConvLayouts(split.plan, split.geometry, on).sums(ConvPart::WeightGradient, type);
    auto const splits = plan.splitsOf(ConvPart::WeightGradient);
    return splits > 1 ? inSplits(home, splits) : home;
}

} // namespace tilewright::lowering
