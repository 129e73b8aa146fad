#pragma once

#include "engine/core/types.h"
#include "engine/target/machine.h"

#include <string>

namespace tilewright::lowering {

/// Rows of a table [rows, cols] by `ids` whole numbers; with `update` also the gradient, rows added to a table of zeros.
struct SliceProblem {
    std::int64_t ids = 1, rows = 1, cols = 1;
    DType type = DType::F32;
    bool resident = false; ///< the table is a variable that lies as the plan says
    bool gather = true, update = false;
    bool operator==(SliceProblem const &) const = default;
};

/// The grid of tiles: ids, rows and columns of the table in parallel parts. Tile of part (i, l, j):
/// i strideIds + l strideRows + j strideCols. A start that only a running program knows exists inside vertices alone: every
/// tile is told its ids and takes those of its own rows; where the rows are split, the results are summed over the
/// splits, where the ids are, the gradient is.
struct SlicePlan {
    std::int64_t partsIds = 1, partsRows = 1, partsCols = 1;
    std::int64_t blockIds = 1, blockRows = 1, blockCols = 1;
    std::int32_t strideIds = 0, strideRows = 0, strideCols = 0;
    Cycles gatherCycles = 0, updateCycles = 0;
    Bytes temporaryBytes = 0; ///< on the busiest tile
    std::int64_t tiles() const { return partsIds * partsRows * partsCols; }
};

/// Enumerates the splits (poplibs lib/popops/DynamicSlice.cpp: dictionary, offsets and unsliced dimension over the tiles,
/// exchange of offsets and rows at 4 bytes a cycle, a reduction over tiles). Temporaries stay under `memoryProportion` of a
/// tile while any plan does.
SlicePlan planSlices(SliceProblem const &problem, target::Chip const &chip, double memoryProportion);

} // namespace tilewright::lowering
