#pragma once

#include "engine/data/data_source.h"

namespace tilewright::data {

struct SortingOptions {
    std::uint64_t seed = 1;
    std::int64_t trainCount = 32768;
    std::int64_t testCount = 2048;
};

inline constexpr int kSortingLength = 16;  ///< of a sequence
inline constexpr int kSortingSymbols = 16; ///< 0 … 15

/// Sequences of symbols drawn evenly, int32 [count, 16], with the same symbols in order as labels; the same seed gives the
/// same bytes, and a smaller count the beginning of the larger one. Error: "data.memory" and the like of arrays.
Result<Dataset> generateSorting(SortingOptions const &options);
/// 0, 1, … 15 for each of `count` sequences: what a model is told that has no other idea of order.
DataArray sequencePositions(std::int64_t count);

/// "sorting": only by its name; offers further inputs the array "positions".
DataFormat sortingFormat();

} // namespace tilewright::data
