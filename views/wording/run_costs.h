#pragma once

#include "engine/report/quantities.h"

// Names that views use for the engine's cost types.
namespace tilewright::views {

using report::bytesPerStep;
using report::costsByProgram;
using report::cyclesPerStep;
using report::kPhases;
using report::Phase;
using report::phaseId;
using report::RunCost;
using report::RunFrame;
using report::runFrame;
using report::runsWithStatistics;
using report::splitOf;

} // namespace tilewright::views
