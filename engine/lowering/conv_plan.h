#pragma once

#include "engine/graph/conv.h"
#include "engine/program/cost/conv_cost.h"
#include "engine/program/layout.h"
#include "engine/target/machine.h"

#include <array>
#include <string>
#include <vector>

namespace tilewright::lowering {

struct ConvOptions {
    double availableMemoryProportion = 0.6; ///< of a tile, for the temporaries of one convolution
    DType partials = DType::F32;
};

/// One convolution on one IPU, and which of its three computations share the grid of tiles (a joint plan).
struct ConvProblem {
    graph::ConvGeometry geometry;
    DType in = DType::F32;
    bool output = true, inputGradient = false, weightGradient = false;
    bool operator==(ConvProblem const &) const = default;
};

/// Cycles of one of the three on its busiest tile.
struct ConvCost {
    cost::ConvVertex vertex = cost::ConvVertex::AmpNx1;
    Cycles operandExchange = 0, compute = 0, partialExchange = 0, reduce = 0, overhead = 0;
    Cycles total() const { return operandExchange + compute + partialExchange + reduce + overhead; }
};

/// The grid of tiles: parts of the batch, of each axis of positions, of groups, of channels and of filters. Tiles follow
/// each other along the filters first, then channels, groups, positions, batch.
struct ConvPlan {
    std::int64_t batchParts = 1, groupParts = 1, channelParts = 1, filterParts = 1;
    std::array<std::int64_t, 3> axisParts{1, 1, 1};
    std::int64_t batchBlock = 1, groupBlock = 1, channelBlock = 1, filterBlock = 1;
    std::array<std::int64_t, 3> outBlock{1, 1, 1}, inBlock{1, 1, 1}; ///< positions of y, and of x for its gradient
    /// For the weight gradient so many neighbours along the last axes (parts of axis 2, then of axis 1) take the positions of
    /// all of them and a part of the kernel's elements each: fewer and smaller partial sums, more positions to receive.
    std::int64_t kernelParts = 1;
    std::array<ConvCost, 3> cost;                                   ///< by cost::ConvPart; zero for those not asked for
    Bytes temporaryBytes = 0; ///< on the busiest tile, of the largest of the three
    bool withinMemoryBound = true;

    std::int64_t positionParts() const { return axisParts[0] * axisParts[1] * axisParts[2]; }
    std::int64_t tiles() const { return batchParts * positionParts() * groupParts * channelParts * filterParts; }
    ConvCost const &of(cost::ConvPart part) const { return cost[static_cast<std::size_t>(part)]; }
    Cycles total() const { return cost[0].total() + cost[1].total() + cost[2].total(); }
    // Tiles from one part to the next.
    std::int64_t filterStride() const { return 1; }
    std::int64_t channelStride() const { return filterParts; }
    std::int64_t groupStride() const { return channelStride() * channelParts; }
    std::int64_t axisStride(std::size_t axis) const;
    /// Parts of an axis that are one for the weight gradient.
    std::int64_t merged(std::size_t axis) const;
    std::int64_t batchStride() const { return groupStride() * groupParts * positionParts(); }
};

struct ConvPlans {
    std::vector<ConvPlan> best; ///< best first, at most five
    double memoryProportion = 0; ///< bound that held; above the one asked for when nothing fitted
    std::int64_t considered = 0; ///< plans whose cost was computed
};

/// Enumerates the splits of batch, positions, groups, channels and filters over the chip's tiles (section 7 of the cycle
/// model: poplibs lib/poplin/ConvPlan.cpp). When no plan keeps its temporaries under the proportion, the bound is doubled
/// up to twice, then dropped.
ConvPlans planConv(ConvProblem const &problem, target::Chip const &chip, ConvOptions const &options);

/// JSON object: the chosen plan and the alternatives with their cost terms.
std::string planJson(ConvProblem const &problem, ConvPlans const &plans);

/// Cycles of one of the three at the arithmetic peak of all tiles.
Cycles idealConvCycles(graph::ConvGeometry const &geometry, DType in, target::Chip const &chip);

/// Blocks of an operand or result on a plan's tiles, at `on`. Dimensions of x and y: batch, axes, (groups,) channels; of w:
/// kernel elements, channels, (groups,) filters.
class ConvLayouts {
public:
    ConvLayouts(ConvPlan const &plan, graph::ConvGeometry const &geometry, program::Layout const &on)
        : m_plan(plan), m_g(geometry), m_on(on)
    {
    }
    program::Layout inputOfWindows() const;  ///< x with its halo, as output and weight gradient read it
    program::Layout outputOfReaders() const; ///< y with its halo, as the input gradient reads it
    program::Layout inputForWeights() const, outputForWeights() const; ///< x with its halo and y, as the weight gradient reads them
    program::Layout weightsRead() const;     ///< w, in a copy for each part of batch and positions
    program::Layout outputPartials() const, inputPartials() const, weightPartials() const;
    /// Where the sum of partials over several tiles is kept: their block dealt over them, if it can be, in runs of at least so
    /// many elements.
    program::Layout summed(program::Layout const &partials, std::int64_t leastRun = 1) const;
    /// Where w is stored and its gradient summed: dealt over the tiles that read it, in runs long enough that a reader receives
    /// few pieces.
    program::Layout weightsHome(DType type) const;
    bool grouped() const { return m_g.groups > 1; }

private:
    program::Layout begin(std::int64_t several, std::int64_t stride, program::DimKind kind) const;
    /// The blocks of x with their halo, of y; for the weight gradient those of several parts are one.
    void addWindows(program::Layout &layout, bool forWeights) const;
    void addOutputs(program::Layout &layout, bool forWeights) const;
    void addChannels(program::Layout &layout, bool filters) const;
    std::size_t axis(int i) const { return graph::ConvGeometry::kAxes - static_cast<std::size_t>(m_g.spatial) + static_cast<std::size_t>(i); }

    ConvPlan const &m_plan;
    graph::ConvGeometry const &m_g;
    program::Layout m_on;
};

} // namespace tilewright::lowering
