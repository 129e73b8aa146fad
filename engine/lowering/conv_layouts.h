#pragma once

#include "engine/lowering/conv_plan.h"
#include "engine/program/layout.h"

namespace tilewright::lowering {

/// Layouts of the operands and results of a convolution (or of one of its splits) on a plan's tiles, at `on`. Dimensions of x and y: batch,
/// axes, (groups,) channels; of w: kernel elements, channels, (groups,) filters.
class ConvLayouts {
public:
    ConvLayouts(ConvPlan const &plan, graph::ConvGeometry const &geometry, program::Layout const &on)
        : m_plan(plan), m_g(geometry), m_on(on)
    {
    }
    /// First operand of a vertex of `part`: x with its halo (output, weight gradient), or y with its halo (input gradient).
    program::Layout first(cost::ConvPart part) const;
    /// Second operand: w in a copy for each part of batch and positions, or y (weight gradient).
    program::Layout second(cost::ConvPart part) const;
    /// Result of the vertices, summed over tiles that split the sum.
    program::Layout partials(cost::ConvPart part) const;
    /// Layout of the sum of partials: their block dealt over the tiles, if possible; for the weight gradient, that of w.
    program::Layout sums(cost::ConvPart part, DType type) const;
    bool grouped() const { return m_g.groups > 1; }

private:
    program::Layout begin(std::int64_t several, std::int64_t stride, program::DimKind kind) const;
    /// Adds the positions of x with their halo, or of y; for the weight gradient, several parts are merged.
    void addWindows(program::Layout &layout, bool forWeights) const;
    void addOutputs(program::Layout &layout, bool forWeights) const;
    void addReaders(program::Layout &layout) const; ///< positions of y with their halo, for the input gradient
    void addChannels(program::Layout &layout, bool filters) const;
    program::Layout summed(program::Layout const &partials, std::int64_t leastRun) const;
    std::size_t axis(int i) const
    {
        return graph::ConvGeometry::kAxes - static_cast<std::size_t>(m_g.spatial) + static_cast<std::size_t>(i);
    }

    ConvPlan const &m_plan;
    graph::ConvGeometry const &m_g;
    program::Layout m_on;
};

/// Layout of w and of its gradient's sum: dealt over the tiles that read it, in runs long enough that a reader receives few pieces; in the
/// splits of the weight gradient if it has several.
program::Layout convWeightsHome(ConvPlan const &plan, graph::ConvGeometry const &geometry, program::Layout const &on, DType type);

} // namespace tilewright::lowering
