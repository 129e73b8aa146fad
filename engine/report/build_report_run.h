#pragma once

#include "engine/report/build_report.h"

#include <optional>
#include <utility>

namespace tilewright::report {

/// What happened of a run so far: how it is called and how many patterns (weight updates) it has done.
struct RunFacts {
    RunRow run; ///< name, kind, mode, state, host times; cycles, steps and samples are filled in
    std::int64_t patterns = 1;
    std::int64_t firstStep = 0;
    /// What the tiles took for all of it; else every pattern is as the schedule has it.
    std::optional<program::MeasuredCycles> measured;
};

/// One pattern of the static schedule, of which nothing was run.
RunFacts staticSchedule();

/// The static schedule as a timeline: one pattern with a lane for each IPU of every replica, stage lanes and
/// link lanes where there are any, stream lanes; events, stage tasks, bubbles, flows, the critical path.
/// Returns the pattern. `data` is what buildCompileReport made of the same facts.
int appendPattern(ReportData &data, CompileFacts const &facts);

/// What a run of many equal patterns adds up to. All counts are exact multiples of the pattern's, or measured.
struct RunTables {
    RunRow run;
    PatternPlaceRow place;
    std::vector<StepStatRow> stepStats;                                         ///< by program and IPU
    std::vector<IpuSplitRow> ipuSplits;                                         ///< by IPU
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> tileMetrics; ///< by name, over all tiles of all IPUs
};
RunTables runTables(ReportData const &data, CompileFacts const &facts, int pattern, int run, RunFacts const &runFacts);

/// The same put into `data` as its next run. Returns the run.
int appendRun(ReportData &data, CompileFacts const &facts, int pattern, RunFacts const &runFacts);

} // namespace tilewright::report
