#pragma once

#include "engine/report/quantities.h"

#include <QString>

// Names that views use for the engine's cost types, and the words for a share of a step.
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
using report::shareOfStep;
using report::splitOf;
using report::StepShare;

/// "14 % of a step", "14 % of a step on 2 IPUs".
QString shareOfStepText(double share, int ipus);
/// "25,092 of 146,085 cycles of a step, 17 %"; on several IPUs "… IPU cycles …".
QString stepCyclesText(StepShare const &part);
/// Title of a column of such cycles.
QString stepCyclesTitle(int ipus);
/// What IPU cycles are; empty for one IPU.
QString stepCyclesHelp(int ipus);

} // namespace tilewright::views
