#pragma once

#include "engine/report/quantities.h"

// The engine's quantities by the names that views use.
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
