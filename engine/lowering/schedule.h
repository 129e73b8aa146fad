#pragma once

#include "engine/core/pipeline_schedule.h"
#include "engine/lowering/traffic.h"
#include "engine/program/alike.h"
#include "engine/program/codelet.h"
#include "engine/program/phase.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewright::lowering {

using program::Phase;

/// Cycles of one compute set: by tile of the replica, and the slowest.
struct ComputeCost {
    ByTile<Cycles> byTile;
    Cycles max = 0;
    int activeTiles = 0;
    std::int64_t vertices = 0;
};
/// The stretch of tiles with vertices of the compute set.
ByTile<Cycles>::Stretch tilesOfSet(program::Program const &program, program::ComputeSet const &set);
ComputeCost computeCost(program::Program const &program, program::ComputeSet const &set, target::Machine const &machine);

/// One activity of one IPU. Start is in cycles from the start of the pattern.
struct Event {
    std::int32_t ipu = 0; ///< of the replica
    Phase phase = Phase::Compute;
    program::StepId step;
    Cycles start = 0, duration = 0;
    std::int32_t lane = 0; ///< of a parallel step; 0: the first one, or no lane
    Cycles overlapped = 0; ///< part of the duration in which the first lane works too
    bool operator==(Event const &) const = default;
};

/// A stage's work on one micro-batch in a slot of a pipeline.
struct Task {
    std::int32_t ipu = 0, slot = 0, stage = 0, microBatch = 0;
    StagePass pass = StagePass::Forward;
    Cycles start = 0, end = 0;
    bool operator==(Task const &) const = default;
};

/// A repetition of earlier events: events `first` to `end` of the list, their tasks, and the repetitions among them. `times` copies; the
/// first one `shift` cycles after the original, each further one `period` after the previous. It follows the first `at` events and `atTask`
/// tasks.
struct Again {
    std::size_t at = 0, atTask = 0, first = 0, end = 0, firstTask = 0, endTask = 0, firstAgain = 0, endAgain = 0;
    std::int64_t times = 1;
    Cycles shift = 0, period = 0;
    std::int32_t slotsOn = 0, microBatchesOn = 0; ///< increments per copy, of tasks in a round of a pipeline's steady state
    bool operator==(Again const &) const = default;
};

/// The static schedule of one weight update (the body of the outermost loop; without one, the whole program), cycle by cycle. BSP: a
/// superstep lasts as long as its slowest tile; a sync of the IPU precedes an exchange; the slots of a pipeline end together. IPUs wait for
/// each other at exchanges, syncs and host transfers, and are otherwise independent. Lanes begin together and end with the last.
/// Data-dependent control flow is assumed: the longer of two branches, and the maximum rounds of a loop, at most 64. Repetitions by loops
/// and calls are not unrolled: see timesOf and timelineOf.
struct Schedule {
    program::Distinct<ComputeCost> computeSets; ///< by compute set
    program::Distinct<Traffic> exchanges;       ///< by exchange
    std::vector<Event> events;                  ///< of one pattern, in the order of the program's steps
    std::vector<Task> tasks;
    std::vector<Again> again; ///< refers to earlier entries
    Cycles patternCycles = 0;
    std::int64_t patternRepeats = 1; ///< patterns in one run of the program
    Cycles runCycles() const { return patternCycles * patternRepeats; }
};

/// Unrolled: lists every round and every call; the reference in tests.
enum class Walk : std::uint8_t { Folded, Unrolled };
/// Empty if the job of `work` is cancelled.
Schedule makeSchedule(program::Program const &program, target::Machine const &machine, bool withPairs, HostWork const &work = {},
                      Walk walk = Walk::Folded);

/// The schedule of a further entry. The costs of its sets and exchanges are in the first entry's schedule, not in this one.
Schedule scheduleOfEntry(program::Program const &program, target::Machine const &machine, Schedule const &first, std::size_t entry);

/// Executions of each event of the schedule in one pattern.
std::vector<std::int64_t> timesOf(Schedule const &schedule);

/// One pattern with every execution as an event.
struct Timeline {
    std::vector<Event> events; ///< by IPU and start
    std::vector<Task> tasks;   ///< in program order
    Cycles patternCycles = 0;
};
Timeline timelineOf(Schedule const &schedule);

} // namespace tilewright::lowering
