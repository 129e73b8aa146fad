#pragma once

#include "views/execution/event_sums.h"
#include "views/execution/nesting.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/step_times.h"
#include "views/session/moment.h"
#include "views/time/lanes.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::views {

/// Event columns computed here (nesting, critical path, slots) instead of read from the report.
struct OwnedEvents {
    std::vector<std::int64_t> start, duration, type;
    void add(std::int64_t at, std::int64_t length, std::int64_t eventType);
    /// Moves the columns into a block that owns them.
    static std::shared_ptr<LaneLod const> block(OwnedEvents events, std::vector<LanePhase> phases);
};

/// Appearance and phase of a report's event types.
struct EventLooks {
    std::vector<EventStyle> styles;
    std::vector<LanePhase> phases;
};
EventLooks eventLooks(report::ReportData const &data);

/// Pattern and lane (or another number) of a block.
using BlockKey = std::pair<int, int>;
using BlockMap = std::map<BlockKey, std::shared_ptr<LaneLod const>>;

/// All data of a report's timelines that do not depend on placements. Made in a job, shared.
struct ExecutionBlocks {
    ReportPtr report;
    std::vector<LanePhase> phases;  ///< by event type; then of unnamed(); then, from firstNested() on, of layers and operations
    std::vector<EventStyle> styles; ///< likewise
    BlockMap lanes;                 ///< by pattern and lane
    BlockMap criticals;             ///< by pattern and lane: stretches on the critical path
    std::map<BlockKey, std::vector<std::shared_ptr<LaneLod const>>> nesting; ///< by pattern and IPU lane: by Nesting::Level
    std::map<BlockKey, std::shared_ptr<EventSums const>> sums;               ///< by pattern and IPU lane
    std::map<BlockKey, std::pair<std::shared_ptr<SeriesLod const>, std::shared_ptr<SeriesLod const>>> rates; ///< bytes per cycle in, out
    std::map<int, std::shared_ptr<LaneLod const>> slotStarts;   ///< by pattern: beginnings of pipeline slots
    std::map<int, std::map<std::int64_t, std::int64_t>> epochs; ///< by host lane: epoch numbers by event
    StepTimes stepTimes;                                        ///< of the run whose calls the host recorded

    std::vector<NestedType> nested;                            ///< meaning of those bars
    std::vector<std::array<int, Nesting::Levels>> nestedAbove; ///< by event type: rows of `nested` whose bars contain it
    /// Type of events whose type is missing in the tables, which were read earlier from a growing report.
    int unnamed() const { return static_cast<int>(report->data().eventTypes.size()); }
    int firstNested() const { return unnamed() + 1; }
    /// Null: an event type of the report.
    NestedType const *nestedOf(int type) const
    {
        int const row = type - firstNested();
        return row >= 0 && row < static_cast<int>(nested.size()) ? &nested[static_cast<std::size_t>(row)] : nullptr;
    }
};
Result<std::shared_ptr<ExecutionBlocks const>> buildBlocks(ReportPtr const &report, JobContext const &job);
/// Updates the blocks to a report that has grown since `before`. Reuses the data of the compile.
Result<std::shared_ptr<ExecutionBlocks const>> growBlocks(std::shared_ptr<ExecutionBlocks const> const &before, ReportPtr const &report,
                                                          JobContext const &job);

/// A run as a stretch of time with placed patterns.
struct RunPlaces {
    int run = report::kNone;
    bool live = false; ///< unrolled from the compile's pattern during a run
    std::vector<report::PatternPlaceRow> places;
    TimeSpan extent{0, 1};
    TimeScale scale;
    bool exact = true; ///< false if a count was assumed
    /// Cycles since the start of the pattern at `time`.
    std::int64_t inPattern(std::int64_t time) const;
    /// Steps in one weight update; 0: unknown.
    std::int64_t stepsOfUpdate() const
    {
        return places.empty() || scale.ticksPerStep <= 0 ? 0 : (places.front().period + scale.ticksPerStep / 2) / scale.ticksPerStep;
    }
};
RunPlaces placesOf(ReportSnapshot const &report, int run);
/// The pattern of one step, unrolled over the emulated time so far.
RunPlaces livePlaces(ReportSnapshot const &report, std::int64_t cyclesDone);

/// First end of the program's step `program` after `time`, in cycles of the run; nullopt: no event of its pattern belongs to it.
std::optional<std::int64_t> endOfStep(ExecutionBlocks const &blocks, RunPlaces const &run, int program, std::int64_t time);
/// The moment at `time` of the run: its weight update, the cycle in it, and the program step that runs then, if any.
Moment momentAt(ExecutionBlocks const &blocks, RunPlaces const &run, std::int64_t time);
/// The time of a moment in the run: its cycle, or the begin of its program step, in its weight update (of another run: in the first one).
/// nullopt: the moment names neither, or no event of the pattern belongs to the program step.
std::optional<std::int64_t> timeOf(ExecutionBlocks const &blocks, RunPlaces const &run, Moment const &moment);

/// The blocks of lane `lane` at the run's placements; null if there are none.
std::shared_ptr<LaneTimeline const> placed(BlockMap const &blocks, int lane, RunPlaces const &run);

/// Lanes for a LanesWidget with the report's lane of each.
struct ExecutionLanes {
    LaneSet set;
    std::vector<int> laneOf;                                   ///< row of report lanes; -1: none
    std::vector<std::shared_ptr<LaneTimeline const>> overview; ///< those of IPUs
    bool empty() const { return set.lanes.empty(); }
};
using Blocks = std::shared_ptr<ExecutionBlocks const>;
/// "dense, backward"; of the model its title.
QString nestedName(ExecutionBlocks const &blocks, NestedType const &type);
/// Adds starts of steps with their numbers behind the lanes.
void markSteps(LaneSet &set, RunPlaces const &run);
ExecutionLanes flatLanes(Blocks const &blocks, RunPlaces const &run);
ExecutionLanes flameLanes(Blocks const &blocks, RunPlaces const &run);
ExecutionLanes exchangeLanes(Blocks const &blocks, RunPlaces const &run);
ExecutionLanes hostLanes(Blocks const &blocks);
/// Starts of steps of a run with their numbers; null: none.
std::shared_ptr<LaneTimeline const> stepStarts(RunPlaces const &run);
QString stepName(RunPlaces const &run, std::int64_t time);
/// Names of a lane and of the host's activities, translated.
QString laneName(report::LaneRow const &lane);
QString hostEventName(std::string const &name);

/// Report lanes of kind "ipu" in order of their IPU.
std::vector<int> ipuLanes(report::ReportData const &data);

} // namespace tilewright::views
