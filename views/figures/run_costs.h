#pragma once

#include "engine/report/tables.h"

#include <array>
#include <string_view>
#include <vector>

// What a run's statistics add up to. Pure functions of a report's tables, so that Summary, Program and
// Operations cannot disagree.
namespace tilewright::views {

/// Phases in the order of every bar and legend. Idle is the time that no program covers.
enum class Phase { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle };
inline constexpr int kPhases = 6;
/// Stable names, as event types and phaseOfProgramKind have them.
std::string_view phaseId(Phase phase);

/// The run that cost columns show, and what its cycles are divided by.
struct RunFrame {
    int run = report::kNone;    ///< kNone: the report has no statistics
    std::int64_t patterns = 0;  ///< repetitions of the schedule (weight updates)
    std::int64_t steps = 0;     ///< what people call steps
    Cycles cycles = 0;          ///< of the run, on each IPU
    std::vector<int> ipus;      ///< that have a split, ascending
    bool operator==(RunFrame const &) const = default;
};
/// `run` kNone: the newest with statistics.
RunFrame runFrame(report::ReportData const &data, int run = report::kNone);
/// Runs that have statistics, oldest first.
std::vector<int> runsWithStatistics(report::ReportData const &data);

/// Cycles of a program or an operation over a run, summed over the IPUs asked for.
struct RunCost {
    std::int64_t executions = 0;       ///< on the IPU where it ran most often
    Cycles cycles = 0;
    Cycles least = 0, most = 0;        ///< of one execution on one IPU
    std::array<Cycles, kPhases> byPhase{};
    Bytes bytesIn = 0, bytesOut = 0;
    Cycles overlapped = 0;
    int activeTiles = 0;               ///< most tiles at work at once
    double balanceCycles = 0;          ///< sum over compute phases of cycles × balance; see balance()
    /// Mean over compute phases of (mean over active tiles ÷ slowest), weighted by cycles; 1 without any.
    double balance() const;
    Cycles of(Phase phase) const { return byPhase[static_cast<std::size_t>(phase)]; }
    Bytes bytesMoved() const { return bytesIn + bytesOut; }
    /// The phase that takes most of it; Idle when it takes nothing.
    Phase bound() const;
    bool operator==(RunCost const &) const = default;
};

/// By program; `ipu` kNone: all of them.
std::vector<RunCost> costsByProgram(report::ReportData const &data, int run, int ipu = report::kNone);

/// The split of a run's cycles, summed over `ipu` or all. Its six phases add up to cycles × IPUs.
std::array<Cycles, kPhases> splitOf(report::ReportData const &data, int run, int ipu = report::kNone);

} // namespace tilewright::views
