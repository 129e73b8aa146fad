#pragma once

#include "engine/report/build_report.h"

#include <optional>
#include <utility>

namespace tilewright::report {

/// A run so far: its description and the number of finished patterns (weight updates).
struct RunFacts {
    RunRow run; ///< name, kind, mode, state, host times; cycles, steps and samples are filled in
    std::int64_t patterns = 1;
    std::int64_t firstStep = 0;
    /// Measured cycles of the tiles; without them every pattern follows the schedule.
    std::optional<program::MeasuredCycles> measured;
};

/// One pattern of the static schedule, without a run.
RunFacts staticSchedule();

/// Appends the static schedule as a timeline: one pattern with a lane for each IPU of every replica, stage lanes, link lanes and stream
/// lanes; events, stage tasks, bubbles, flows, the critical path. Returns the pattern. `data`: the result of buildCompileReport for the
/// same facts.
int appendPattern(ReportData &data, CompileFacts const &facts);

/// Totals of a run of many equal patterns. All counts are exact multiples of the pattern's, or measured.
struct RunTables {
    RunRow run;
    PatternPlaceRow place;
    std::vector<StepStatRow> stepStats;                                         ///< by program and IPU
    std::vector<IpuSplitRow> ipuSplits;                                         ///< by IPU
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tileMetrics; ///< by name, over all tiles of all IPUs
};
RunTables runTables(ReportData const &data, CompileFacts const &facts, int pattern, int run, RunFacts const &runFacts);

/// Appends the totals to `data` as its next run. Returns the run.
int appendRun(ReportData &data, CompileFacts const &facts, int pattern, RunFacts const &runFacts);

} // namespace tilewright::report
