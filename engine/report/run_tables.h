#pragma once

#include "engine/core/types.h"
#include "engine/report/table_basics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Runs and their events.
namespace tilewright::report {

/// State of a run whose process ended without finishing it.
inline constexpr char kInterrupted[] = "interrupted";

struct RunRow {
    std::string name;
    std::string kind = "train";    ///< train, evaluate, predict, profile (the static schedule of one step)
    std::string mode = "fused";    ///< tile, fused
    std::string state = "running"; ///< running, paused, done, stopped, failed; readers return kInterrupted if the process is gone
    Cycles cycles = 0;
    std::int64_t steps = 0, samples = 0;
    std::int64_t hostStartNs = 0, hostNs = 0;
    std::optional<double> verifyError;
    bool operator==(RunRow const &) const = default;
};

struct PatternRow {
    std::string name;
    Cycles cycles = 0;
    bool exact = true; ///< false if a count was assumed because control flow depends on data
    bool operator==(PatternRow const &) const = default;
};

/// `repeats` copies of `pattern`, the k-th at startCycle + k * period.
struct PatternPlaceRow {
    int run = 0, seq = 0, pattern = 0;
    Cycles startCycle = 0;
    std::int64_t repeats = 1;
    Cycles period = 0;
    std::int64_t firstStep = 0;
    bool operator==(PatternPlaceRow const &) const = default;
};

struct LaneRow {
    int parent = kNone;
    std::string name;
    std::string kind;               ///< ipu, io_tiles, stage, link, stream, host_thread
    std::string timeBase = "cycle"; ///< cycle, ns
    int ipu = kNone, stage = kNone, link = kNone;
    int depth = 0;
    bool operator==(LaneRow const &) const = default;
};

struct EventTypeRow {
    std::string name;
    std::string phase; ///< compute, internal_exchange, global_exchange, stream, sync, idle, host, marker
    int program = kNone, op = kNone, stage = kNone;
    bool operator==(EventTypeRow const &) const = default;
};

/// Columns of equal length, sorted by start, without overlaps. Duration 0 is an instant.
struct EventColumns {
    std::vector<std::int64_t> start, duration; ///< cycles or ns from the start of the pattern
    std::vector<std::int64_t> type;            ///< event_type
    std::vector<std::int64_t> argument;        ///< micro-batch, bytes or iteration by phase
    std::vector<std::int64_t> vec;             ///< tile vec with cycles by tile of this phase, -1 = none

    std::size_t size() const { return start.size(); }
    void add(std::int64_t startTime, std::int64_t length, int eventType, std::int64_t arg = 0, int tileVec = kNone)
    {
        start.push_back(startTime);
        duration.push_back(length);
        type.push_back(eventType);
        argument.push_back(arg);
        vec.push_back(tileVec);
    }
    bool operator==(EventColumns const &) const = default;
};

/// All events of one lane in one pattern; the store cuts them into chunks. Host lanes use pattern 0.
struct LaneEvents {
    int pattern = 0, lane = 0;
    EventColumns events;
    bool operator==(LaneEvents const &) const = default;
};

struct StepStatRow {
    int run = 0, program = 0, ipu = 0;
    std::int64_t executions = 0;
    Cycles cycles = 0, cyclesMin = 0, cyclesMax = 0;
    Bytes bytesIn = 0, bytesOut = 0;
    Cycles overlapped = 0;
    double tileBalance = 1, activeTileBalance = 1, dataBalance = 1;
    int activeTiles = 0;
    bool operator==(StepStatRow const &) const = default;
};

struct StepOutlierRow {
    int run = 0, program = 0, ipu = 0;
    std::int64_t step = 0;
    Cycles startCycle = 0, cycles = 0;
    bool operator==(StepOutlierRow const &) const = default;
};

/// The six phases sum to the run's cycles.
struct IpuSplitRow {
    int run = 0, ipu = 0;
    Cycles compute = 0, internalExchange = 0, globalExchange = 0, stream = 0, sync = 0, idle = 0;
    Cycles overlapped = 0;
    Cycles tileCycles = 0; ///< sum over tiles and phases of the cycles spent in vertices
    bool operator==(IpuSplitRow const &) const = default;
};

/// Names: compute, waited, caused_wait, bytes_sent, bytes_received. Vectors cover all tiles of all IPUs.
struct RunTileMetricRow {
    int run = 0;
    std::string name;
    int vec = 0;
    bool operator==(RunTileMetricRow const &) const = default;
};

struct StageTaskRow {
    int pattern = 0, ipu = 0, seq = 0, slot = 0, stage = 0, microBatch = 0;
    std::string pass = "forward";
    Cycles startCycle = 0, endCycle = 0, slack = 0;
    bool operator==(StageTaskRow const &) const = default;
};

struct BubbleRow {
    int pattern = 0, ipu = 0;
    Cycles startCycle = 0, endCycle = 0;
    std::string cause; ///< ramp_up, ramp_down, imbalance, schedule, transfer, host, update
    int waitingFor = kNone;
    bool operator==(BubbleRow const &) const = default;
};

struct FlowRow {
    int pattern = 0;
    std::string kind; ///< activation, gradient, stream, collective
    int fromLane = 0;
    Cycles fromTime = 0;
    int toLane = 0;
    Cycles toTime = 0;
    Bytes bytes = 0;
    int variable = kNone;
    bool operator==(FlowRow const &) const = default;
};

struct CriticalRow {
    int pattern = 0, seq = 0, lane = 0, eventType = 0;
    Cycles startCycle = 0, endCycle = 0;
    int culpritTile = kNone;
    bool operator==(CriticalRow const &) const = default;
};

} // namespace tilewright::report
