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
/// The tiles that its vertices are on lie in this stretch.
ByTile<Cycles>::Stretch tilesOfSet(program::Program const &program, program::ComputeSet const &set);
ComputeCost computeCost(program::Program const &program, program::ComputeSet const &set, target::Machine const &machine);

/// One thing one IPU does. Start is in cycles from the start of the pattern.
struct Event {
    std::int32_t ipu = 0; ///< of the replica
    Phase phase = Phase::Compute;
    program::StepId step;
    Cycles start = 0, duration = 0;
    bool operator==(Event const &) const = default;
};

/// A stage's work on one micro-batch in a slot of a pipeline.
struct Task {
    std::int32_t ipu = 0, slot = 0, stage = 0, microBatch = 0;
    StagePass pass = StagePass::Forward;
    Cycles start = 0, end = 0;
    bool operator==(Task const &) const = default;
};

/// What happens once more: the events from `first` to `end` of the list, the tasks of theirs, and what comes again among them.
/// `times` copies, the first `shift` cycles after them, the others `period` after the one before. Stands behind the first `at` events
/// and `atTask` tasks.
struct Again {
    std::size_t at = 0, atTask = 0, first = 0, end = 0, firstTask = 0, endTask = 0, firstAgain = 0, endAgain = 0;
    std::int64_t times = 1;
    Cycles shift = 0, period = 0;
    std::int32_t slotsOn = 0, microBatchesOn = 0; ///< in each copy: of tasks in a round of a pipeline's steady state
    bool operator==(Again const &) const = default;
};

/// The static schedule: what one weight update (the body of the outermost loop; the whole program when there
/// is none) costs, cycle by cycle. BSP: a superstep lasts as long as its slowest tile; an exchange is
/// preceded by a sync of its IPU; slots of a pipeline end together. IPUs wait for one another where they exchange, sync or meet
/// the host, and else go on by themselves. What the device's numbers decide is assumed: the longer of
/// two branches; a loop as often as it may run, but 64 times at most. What a loop or a call does again is not there again: see
/// timesOf and timelineOf.
struct Schedule {
    program::Distinct<ComputeCost> computeSets; ///< by compute set
    program::Distinct<Traffic> exchanges;       ///< by exchange
    std::vector<Event> events;                  ///< of one pattern, in the order of the program's steps
    std::vector<Task> tasks;
    std::vector<Again> again; ///< refers to what stands before it
    Cycles patternCycles = 0;
    std::int64_t patternRepeats = 1; ///< patterns in one run of the program
    Cycles runCycles() const { return patternCycles * patternRepeats; }
};

/// Unrolled: each round and each call walked and listed by itself; what the other is checked with.
enum class Walk : std::uint8_t { Folded, Unrolled };
/// Empty when the job of `work` is cancelled meanwhile.
Schedule makeSchedule(program::Program const &program, target::Machine const &machine, bool withPairs, HostWork const &work = {},
                      Walk walk = Walk::Folded);

/// That of a further entry of the program: what its sets and exchanges cost is taken from the first one's schedule, and is not in it.
Schedule scheduleOfEntry(program::Program const &program, target::Machine const &machine, Schedule const &first, std::size_t entry);

/// How often each of the schedule's events happens in one pattern.
std::vector<std::int64_t> timesOf(Schedule const &schedule);

/// One pattern event by event, each as often as it happens.
struct Timeline {
    std::vector<Event> events; ///< by IPU and start
    std::vector<Task> tasks;   ///< in the order of the program's steps
    Cycles patternCycles = 0;
};
Timeline timelineOf(Schedule const &schedule);

} // namespace tilewright::lowering
