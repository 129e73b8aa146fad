#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>

/// Slices, gathers and scatters (embedding look-up and its gradient). Tile cycles unless the name says worker. Formulas: poplibs
/// lib/popops/PerformanceEstimation.cpp and popopsCycleEstimators.cpp, rewritten.
namespace tilewright::cost {

/// MultiSlice: copies rows of a table by offset; MultiUpdate writes them.
struct MultiSliceParams {
    ValueType type = ValueType::F16;
    std::int64_t rowElements = 0;
    std::int64_t offsets = 0;  ///< of the busiest worker
    std::int64_t inRange = -1; ///< offsets in this tile's part of the table; -1 = all
    bool update = false;
    bool sorted = false;         ///< sorted offsets: found by binary search, the others are not read
    std::int64_t perEntry = 1;   ///< sorted only: offsets that hit the same row
    bool splitSingleRow = false; ///< one offset: all workers copy its row
};
Cycles multiSliceCycles(MultiSliceParams const &params);

/// MultiUpdateAdd (scaled) and MultiUpdateOp: table[offset] += scale x row.
struct MultiUpdateParams {
    ValueType type = ValueType::F16;
    std::int64_t rowElements = 0;
    std::int64_t offsets = 0;
    std::int64_t inRange = -1; ///< -1 = all
    bool add = true;           ///< false: another operation
    bool scaled = true;
    bool wideScale = false; ///< f32 scale of f16 rows
    bool sorted = false;
    std::int64_t perEntry = 1;
};
Cycles multiUpdateCycles(MultiUpdateParams const &params);

/// DynamicSlice1D and DynamicUpdateSlice1D: `rows` rows of `rowElements` elements.
Cycles dynamicSlice1DCycles(ValueType type, std::int64_t rowElements, std::int64_t rows);
/// DynamicSlice2D and DynamicUpdateSlice2D: `regions` regions each with `rows` slices of `rowElements`.
Cycles dynamicSlice2DWorkerCycles(ValueType type, std::int64_t rowElements, std::int64_t rows, std::int64_t regions, bool update = false);

} // namespace tilewright::cost
