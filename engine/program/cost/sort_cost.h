#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>

namespace tilewright::cost {

/// HeapSortVertex (`withValues`: keys with values): one worker, worst case. Worker cycles. Source: poplibs
/// lib/popops/popopsCycleEstimators.cpp.
Cycles heapSortWorkerCycles(std::int64_t n, bool withValues = false);

/// CompareAndSwapAtDistance: one step of a bitonic sort (top-k). Every worker has `items` work-list entries of `elementsPerItem`
/// comparisons at `distance`. Tile cycles, assuming that every pair is swapped.
struct BitonicStepParams {
    ValueType key = ValueType::F32; ///< f32 or an integer
    bool withValues = false;
    bool valuesAreSecondKey = false; ///< values break ties
    std::int64_t items = 1;
    std::int64_t elementsPerItem = 1;
    std::int64_t distance = 1;
    std::int64_t distanceToChangeOrder = 1 << 30; ///< comparisons between changes of direction
};
Cycles bitonicStepCycles(BitonicStepParams const &params);

/// Transpose of `blocks` matrices of rows x columns by the supervisor vertex; grains of 4x4 (f16) or 2x2 (f32). Tile cycles. Source:
/// poplibs lib/popsparse/PerformanceEstimation.hpp. Ragged sizes are rounded up.
Cycles transposeCycles(ValueType type, std::int64_t blocks, std::int64_t rows, std::int64_t columns);

} // namespace tilewright::cost
