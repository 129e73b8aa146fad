#pragma once

#include "engine/graph/conv.h"
#include "engine/program/cost/conv_cost.h"
#include "engine/target/machine.h"

#include <array>
#include <string>
#include <vector>

namespace tilewright::lowering {

struct ConvOptions {
    double availableMemoryProportion = 0.6; ///< share of a tile for the temporaries of one convolution
    DType partials = DType::F32;
};

/// One convolution on one IPU, and the computations that share its grid of tiles (a joint plan).
struct ConvProblem {
    graph::ConvGeometry geometry;
    DType in = DType::F32;
    bool output = true, inputGradient = false, weightGradient = false;
    bool operator==(ConvProblem const &) const = default;
};

/// Cycles of one of the three computations on its busiest tile.
struct ConvCost {
    cost::ConvVertex vertex = cost::ConvVertex::AmpNx1;
    Cycles operandExchange = 0, compute = 0, partialExchange = 0, reduce = 0, overhead = 0;
    Cycles total() const { return operandExchange + compute + partialExchange + reduce + overhead; }
};

/// The grid of tiles: parts of the batch, of each axis of positions, of groups, of channels and of filters. Tiles are numbered along
/// filters first, then channels, groups, positions, batch.
struct ConvPlan {
    std::int64_t batchParts = 1, groupParts = 1, channelParts = 1, filterParts = 1;
    std::array<std::int64_t, 3> axisParts{1, 1, 1};
    std::int64_t batchBlock = 1, groupBlock = 1, channelBlock = 1, filterBlock = 1;
    std::array<std::int64_t, 3> outBlock{1, 1, 1}, inBlock{1, 1, 1}; ///< positions of y, and of x for its gradient
    /// Weight gradient: this number of neighbours along the last axes (parts of axis 2, then of axis 1) each take the positions of all of
    /// them and a part of the kernel elements. Partial sums become fewer and smaller; more positions are received.
    std::int64_t kernelParts = 1;
    /// Serial splits by cost::ConvPart, in the same buffers: the weight gradient over equal ranges of filters, the input gradient over
    /// ranges of channels. Block sizes above cover all splits.
    std::array<std::int64_t, 3> splits{1, 1, 1};
    std::array<ConvCost, 3> cost; ///< by cost::ConvPart; zero for computations outside the problem
    Bytes temporaryBytes = 0;     ///< on the busiest tile, of the largest of the three
    bool withinMemoryBound = true;

    std::int64_t positionParts() const { return axisParts[0] * axisParts[1] * axisParts[2]; }
    std::int64_t tiles() const { return batchParts * positionParts() * groupParts * channelParts * filterParts; }
    std::int64_t splitsOf(cost::ConvPart part) const { return splits[static_cast<std::size_t>(part)]; }
    ConvCost const &of(cost::ConvPart part) const { return cost[static_cast<std::size_t>(part)]; }
    Cycles total() const { return cost[0].total() + cost[1].total() + cost[2].total(); }
    // Tile distances from one part to the next.
    std::int64_t filterStride() const { return 1; }
    std::int64_t channelStride() const { return filterParts; }
    std::int64_t groupStride() const { return channelStride() * channelParts; }
    std::int64_t axisStride(std::size_t axis) const;
    /// Parts of an axis that the weight gradient merges.
    std::int64_t merged(std::size_t axis) const;
    std::int64_t batchStride() const { return groupStride() * groupParts * positionParts(); }
};

struct ConvPlans {
    std::vector<ConvPlan> best;  ///< best first, at most five
    double memoryProportion = 0; ///< the bound that held; above the requested one if no plan fitted
    std::int64_t considered = 0; ///< plans whose cost was computed
};

/// One split: a convolution of fewer filters or channels on the same grid of tiles.
struct ConvSplit {
    ConvPlan plan;
    graph::ConvGeometry geometry;
};
ConvSplit oneSplit(ConvPlan const &plan, graph::ConvGeometry const &geometry, cost::ConvPart part);

/// Enumerates the splits of batch, positions, groups, channels and filters over the chip's tiles (section 7 of the cycle model: poplibs
/// lib/poplin/ConvPlan.cpp). If the temporaries of a gradient exceed the proportion on a grid, it uses the fewest serial splits that keep
/// them below it. If no plan fits, the bound is doubled up to twice; then the plan with the least temporaries is used.
ConvPlans planConv(ConvProblem const &problem, target::Chip const &chip, ConvOptions const &options);

/// JSON object: the chosen plan and the alternatives with their cost terms.
std::string planJson(ConvProblem const &problem, ConvPlans const &plans);

/// Cycles of one of the three at the arithmetic peak of all tiles.
Cycles idealConvCycles(graph::ConvGeometry const &geometry, DType in, target::Chip const &chip);

} // namespace tilewright::lowering
