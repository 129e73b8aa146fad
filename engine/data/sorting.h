#pragma once

#include "engine/data/data_source.h"

namespace tilewright::data {

struct SortingOptions {
    std::uint64_t seed = 1;
    std::int64_t trainCount = 32768;
    std::int64_t testCount = 2048;
};

inline constexpr int kSortingLength = 16;  ///< symbols of a sequence
inline constexpr int kSortingSymbols = 16; ///< 0 … 15

/// Sequences of evenly drawn symbols, int32 [count, 16], with the sorted symbols as labels. The same seed gives the same bytes; a smaller
/// count gives the beginning of a larger one. Errors: "data.memory" and the others of arrays.
Result<Dataset> generateSorting(SortingOptions const &options);
/// Positions 0, 1, … 15 for each of `count` sequences, for models without another source of order.
DataArray sequencePositions(std::int64_t count);

/// "sorting": selected by name only. Offers the array "positions" as a further input.
DataFormat sortingFormat();

} // namespace tilewright::data
