#pragma once

#include "views/execution/execution_data.h"
#include "views/session/selection.h"

namespace tilewright::views {

/// What an event stands for in other views: its program, else its stage, else its operation. `type`: of an event or of a
/// bar of the flame, which stands for a layer or an operation.
Selected eventSelection(ExecutionBlocks const &blocks, int type);
/// A range of the run as cycles of the pattern; more than a period is all of it.
Selected rangeSelection(RunPlaces const &run, TimeSpan range);
/// Flags by event type, those of the flame included; empty when none belongs to the lineage.
std::vector<char> highlightedTypes(Lineage const &lineage, ExecutionBlocks const &blocks);

} // namespace tilewright::views
