#pragma once

#include "engine/core/types.h"
#include "engine/target/machine.h"

#include <string>

namespace tilewright::lowering {

/// Look-up of `ids` rows of a table [rows, cols]; with `update` also its gradient, rows added to a table of zeros.
struct SliceProblem {
    std::int64_t ids = 1, rows = 1, cols = 1;
    DType type = DType::F32;
    bool resident = false; ///< the table is a variable with the plan's layout
    bool gather = true, update = false;
    bool operator==(SliceProblem const &) const = default;
};

/// The grid of tiles: parallel parts of ids, rows and columns of the table. Tile of part (i, l, j): i strideIds + l strideRows + j
/// strideCols. Dynamic offsets exist only inside vertices: every tile receives its ids and reads those of its own rows. If rows are split,
/// results are summed over the splits; if ids are split, the gradient is.
struct SlicePlan {
    std::int64_t partsIds = 1, partsRows = 1, partsCols = 1;
    std::int64_t blockIds = 1, blockRows = 1, blockCols = 1;
    std::int32_t strideIds = 0, strideRows = 0, strideCols = 0;
    Cycles gatherCycles = 0, updateCycles = 0;
    Bytes temporaryBytes = 0; ///< on the busiest tile
    std::int64_t tiles() const { return partsIds * partsRows * partsCols; }
};

/// Enumerates the splits (poplibs lib/popops/DynamicSlice.cpp: dictionary, offsets and unsliced dimension over the tiles, exchange of
/// offsets and rows at 4 bytes per cycle, a reduction over tiles). Keeps temporaries below `memoryProportion` of a tile if any plan does.
SlicePlan planSlices(SliceProblem const &problem, target::Chip const &chip, double memoryProportion);

} // namespace tilewright::lowering
