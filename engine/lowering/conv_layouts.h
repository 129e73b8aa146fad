#pragma once

#include "engine/lowering/conv_plan.h"
#include "engine/program/layout.h"

namespace tilewright::lowering {

/// Blocks of an operand or result of a convolution (or of one pass of it) on a plan's tiles, at `on`. Dimensions of x and y:
/// batch, axes, (groups,) channels; of w: kernel elements, channels, (groups,) filters.
class ConvLayouts {
public:
    ConvLayouts(ConvPlan const &plan, graph::ConvGeometry const &geometry, program::Layout const &on)
        : m_plan(plan), m_g(geometry), m_on(on)
    {
    }
    /// What a vertex of `part` reads first: x with its halo (output, weight gradient), y with its halo (input gradient).
    program::Layout first(cost::ConvPart part) const;
    /// What it reads second: w in a copy for each part of batch and positions, y for the weight gradient.
    program::Layout second(cost::ConvPart part) const;
    /// What it writes, to be summed over tiles where they split what is summed.
    program::Layout partials(cost::ConvPart part) const;
    /// Where the sum of partials over several tiles is kept: their block dealt over them, if it can be; the gradient of w
    /// where w is stored.
    program::Layout sums(cost::ConvPart part, DType type) const;
    bool grouped() const { return m_g.groups > 1; }

private:
    program::Layout begin(std::int64_t several, std::int64_t stride, program::DimKind kind) const;
    /// Positions of x with their halo, of y; for the weight gradient those of several parts are one.
    void addWindows(program::Layout &layout, bool forWeights) const;
    void addOutputs(program::Layout &layout, bool forWeights) const;
    void addReaders(program::Layout &layout) const; ///< positions of y with their halo, as the input gradient reads them
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

/// Where w is stored and its gradient summed: dealt over the tiles that read it, in runs long enough that a reader receives
/// few pieces; in the passes of the weight gradient where it has several.
program::Layout convWeightsHome(ConvPlan const &plan, graph::ConvGeometry const &geometry, program::Layout const &on, DType type);

} // namespace tilewright::lowering
