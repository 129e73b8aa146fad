#pragma once

#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"
#include "views/wording/run_costs.h"

#include <utility>
#include <vector>

namespace tilewright::views {

/// Layers on the machine: their rows in the report, and sums.
struct SiliconFacts {
    bool found = false;                           ///< the report contains at least one of them
    std::vector<int> ops, computeSets, variables; ///< operations of the graph; the others by size
    std::vector<std::int64_t> tileBytes;          ///< of their variables, by tile of replica 0
    int tilesUsed = 0;
    Bytes variableBytes = 0, alwaysBytes = 0; ///< alwaysBytes: of always-live variables; others may share addresses
    Bytes codeBytes = 0, opCodeBytes = 0;     ///< of the layers; of their operations alone
    Bytes movedBytes = 0;                     ///< in a step of the newest run; else by each exchange once
    int exchanges = 0;
    /// Cycles by pass: of one step of the newest run, else the planner's estimates.
    std::vector<std::pair<std::string, Cycles>> passCycles;
    bool ofRun = false, measured = false; ///< origin of the cycles
    Cycles cycles = 0;                    ///< their sum
    StepShare step;                       ///< the same cycles, as a share of the step
};

/// Reads per-tile data of the report: for a worker thread. Error: cancelled.
Result<SiliconFacts> siliconOf(ReportSnapshot const &report, QStringList const &layers, JobContext const &job);

} // namespace tilewright::views
