#pragma once

#include "views/execution/execution_data.h"
#include "views/session/selection.h"

namespace tilewright::views {

/// The selection for an event: its program, else its stage, else its operation. `type`: of an event, or of a flame bar, which stands for a
/// layer or an operation.
Selected eventSelection(ExecutionBlocks const &blocks, int type);
/// A range of the run as cycles of the pattern; longer than a period: the whole pattern.
Selected rangeSelection(RunPlaces const &run, TimeSpan range);
/// Flags by event type, including flame bars that contain such an event; empty if none belongs to the lineage.
std::vector<char> highlightedTypes(Lineage const &lineage, ExecutionBlocks const &blocks);

} // namespace tilewright::views
