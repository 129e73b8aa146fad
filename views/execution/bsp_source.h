#pragma once

#include "views/execution/bsp_lod.h"
#include "views/execution/execution_data.h"

namespace tilewright::views {

/// Tile of each row (numbered over the tiles of replica 0) for the IPU of a lane.
std::vector<int> bspRows(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, TileOrder order);
/// Sums by tile of an IPU's lane at the run's placements of patterns. Slow for long runs.
Result<BspTimeline> makeBsp(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, std::vector<int> const &rows,
                            JobContext const &job);

} // namespace tilewright::views
