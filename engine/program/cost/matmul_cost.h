#pragma once

#include "engine/program/cost/value_type.h"
#include "engine/program/cost/worker_split.h"

#include <span>
#include <vector>

/// Vertices of dense products: AMP convolutions, multiply-accumulate fallbacks, reduction of partials. Results are tile cycles unless the
/// name says worker. Formulas: poplibs lib/poplin/PerformanceEstimation.hpp and ConvReducePlan.cpp, rewritten. All assume the aligned fast
/// path and no bank conflicts.
namespace tilewright::cost {

/// ConvPartial1x1Out: out[position][16 channels] += in[position][inGroup] x weights. A matrix product is this
/// vertex with positions = rows on the tile.
struct Conv1x1Params {
    ValueType in = ValueType::F16;                ///< f16, f32 or f8
    ValueType partials = ValueType::F32;          ///< f16 or f32
    std::int64_t positions = 0;                   ///< spread evenly over the workers
    std::span<std::int64_t const> perWorker = {}; ///< replaces positions: one work-list entry per worker
    std::int64_t convGroups = 1;
    std::int64_t inGroups = 1;  ///< groups of 16 (f16), 8 (f32) or 32 (f8) input channels
    std::int64_t outGroups = 1; ///< groups of outChansPerGroup output channels
    std::int64_t outChansPerGroup = 16;
    int convUnits = 16;          ///< 8 on Mk1
    int weightBytesPerUnit = 32; ///< input group x bytes
    int weightLoadBytes = 16;    ///< per cycle: 16 from interleaved memory, else 8
};
/// O(1) when `perWorker` is empty. Requires: groups >= 1, weightLoadBytes >= 1.
Cycles conv1x1Cycles(Conv1x1Params const &params);

/// The part of conv1x1Cycles with running workers, for one pass over the positions.
Cycles conv1x1InnerCycles(Conv1x1Params const &params, bool zeroesPartials);

/// ConvPartialnx1: kernels of several elements, `filterHeight` of them loaded per AMP pass.
struct ConvNx1Params {
    ValueType in = ValueType::F16;
    ValueType partials = ValueType::F32;
    std::int64_t rows = 1; ///< output rows of `width` positions, dealt to the workers by splitRows
    std::int64_t width = 0;
    std::int64_t kernelOuter = 1;
    std::int64_t kernelInner = 1;
    int filterHeight = 1; ///< 1, 2 or 4
    std::int64_t convGroups = 1;
    std::int64_t inGroups = 1;
    std::int64_t outGroups = 1;
    std::int64_t outChansPerGroup = 16;
    int convUnits = 16;
    int weightBytesPerUnit = 32;
    int weightLoadBytes = 16;
};
/// Assumes that every kernel position touches the same output positions. O(1).
Cycles convNx1Cycles(ConvNx1Params const &params);

/// ConvPartialHorizontalMac: dot products without the AMP.
struct HorizontalMacParams {
    ValueType in = ValueType::F32;
    ValueType partials = ValueType::F32;
    std::int64_t rows = 1;
    std::int64_t width = 0;
    std::int64_t kernelElements = 1;
    std::int64_t inChansPerGroup = 1;
    std::int64_t outChansPerGroup = 1;
    std::int64_t convGroups = 1;
    std::int64_t inGroups = 1;
    std::int64_t outGroups = 1;
    bool specialised1x1 = false; ///< the f16 -> f32 codelet for 1x1 kernels
};
Cycles horizontalMacCycles(HorizontalMacParams const &params);

/// ConvPartialVerticalMac: depthwise convolutions, f16 inputs.
struct VerticalMacParams {
    ValueType partials = ValueType::F32;
    int convGroupsPerGroup = 4;     ///< 4, 8 or 16
    std::int64_t rowsPerWorker = 1; ///< work-list entries of the busiest worker
    std::int64_t kernelWidth = 1;   ///< positions of an entry
    std::int64_t outElements = 0;
    std::int64_t convGroups = 1;
    std::int64_t inGroups = 1;
};
Cycles verticalMacCycles(VerticalMacParams const &params);

/// ConvPartial1xNSLIC: sliding window of 4 over few channels, f16 (or f8) inputs.
struct SlicParams {
    ValueType in = ValueType::F16;
    ValueType partials = ValueType::F32;
    std::int64_t rows = 1; ///< output rows of `width`, dealt to the workers by splitRows
    std::int64_t width = 0;
    int chains = 4; ///< 2 or 4
    int convGroupsPerGroup = 1;
    int chansPerGroup = 4; ///< 1, 2 or 4; groups x chans = 4, 8 or 16
    int outputStride = 1;  ///< 1 or 2
    std::int64_t subKernels = 1;
    std::int64_t convGroupGroups = 1;
};
Cycles slicCycles(SlicParams const &params);

/// OuterProduct: width x channels in groups, worker cycles.
Cycles outerProductWorkerCycles(ValueType type, std::int64_t width, std::int64_t channels, std::int64_t chansPerGroup);

/// Zeroing of partials ahead of a convolution; `elementsPerWorker` of the busiest worker.
Cycles zeroPartialsCycles(ValueType partials, std::int64_t elementsPerWorker, std::int64_t groups = 1);

/// ReduceAdd: outputs[i] = sum over the partials of partial[p][i].
struct ReduceAddParams {
    ValueType partials = ValueType::F32;
    ValueType out = ValueType::F32;
    std::int64_t outputs = 0;
    std::int64_t partialCount = 0; ///< inputs beyond the first with singleInput, else all of them
    bool singleInput = false;      ///< the received partials are in one contiguous region
    bool interleaved = false;      ///< single input only: in interleaved memory, read 16 bytes a cycle
};
Cycles reduceAddCycles(ReduceAddParams const &params);

/// Depths of the intermediate results of a reduction of `depth` partials: empty for one stage (depth < 16),
/// one number for two stages (< 125), two for three.
std::vector<std::int64_t> reduceStagePlan(std::int64_t depth);
/// 1, 2 or 3.
int reduceStageCount(std::int64_t depth);

/// All stages of the reduction of `depth` partials per output to `outputs` elements on a tile, without exchange.
struct ConvReduceParams {
    ValueType partials = ValueType::F32;
    ValueType out = ValueType::F32;
    std::int64_t outputs = 0; ///< reduced elements per tile
    std::int64_t depth = 1;
    bool allowSingleInput = true;
    bool interleaved = false;
    bool multiStage = true;
};
Cycles convReduceCycles(ConvReduceParams const &params);

/// Cast of the reduced result: 6 (26 + max(vectors in, vectors out)).
Cycles castAfterReduceCycles(std::int64_t outputs, ValueType from, ValueType to);

} // namespace tilewright::cost
