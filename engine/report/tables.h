#pragma once

#include "engine/core/types.h"
#include "engine/report/tile_vec.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

// The report as plain values: one struct per table of the report format, and ReportData holding a vector
// of each. Ids are dense from 0 and equal the index in the vector, so structs carry no id of their own.
// An id or step of kNone (-1) means "none" and is stored as NULL. Strings are stored here as they are;
// the writer interns them. Whoever fills these rows sorts them as it wants them stored: the same input
// has to give the same rows in the same order.
namespace tilewright::report {

inline constexpr int kNone = -1;
/// `OpRow::kind` of what belongs to no layer: loop control, infeed, collectives. Such an op may stand at
/// any level without a parent.
inline constexpr char kSyntheticKind[] = "synthetic";
/// Events and series points in one stored chunk, at most.
inline constexpr int kChunkItems = 8192;
/// Of an exchange's tile pairs the largest are kept; the rest is summed in one pair (-1, -1, bytes).
inline constexpr int kExchangePairs = 4096;

// ---- identity -------------------------------------------------------------------------------------

enum class PartState { Absent, Writing, Complete, Truncated, Failed };

/// One part of the file. Names: target, graph, program, memory, liveness, run, host, series, log, insight.
struct PartRow {
    std::string name;
    PartState state = PartState::Absent;
    std::int64_t rows = 0, bytes = 0;
    std::int64_t watermark = 0; ///< cycle, step or ns up to which the part is whole
    std::string note;
    bool operator==(PartRow const &) const = default;
};

struct OptionRow {
    std::string scope; ///< ipu_config, engine, pipeline, training, environment
    std::string name, value;
    std::optional<std::string> defaultValue;
    std::string source = "default"; ///< default, project, run, derived
    bool operator==(OptionRow const &) const = default;
};

/// A headline number of the compile that no table holds as such: cycles_per_step, samples_per_second,
/// flops_per_step, compute_sets, vertices, exchanges, samples_per_step, ... Names as in the JSON of `compile`.
struct FigureRow {
    std::string name;
    double value = 0;
    std::string unit;                ///< cycles, bytes, hertz, count, seconds, "1/s", ...
    std::string origin = "modelled"; ///< modelled, estimated, measured
    bool operator==(FigureRow const &) const = default;
};

// ---- machine --------------------------------------------------------------------------------------

struct TargetRow {
    std::string kind = "emulated_ipu"; ///< emulated_ipu, ipu_model, cpu
    std::string architecture;          ///< ipu1, ipu2, ipu21
    int ipus = 1, replicas = 1, ipusPerReplica = 1;
    int tilesPerIpu = 0, ioTilesPerIpu = 0;
    Bytes bytesPerTile = 0;
    int workerThreads = 6;
    std::int64_t clockHz = 0;
    Cycles syncCyclesInternal = 0, syncCyclesExternal = 0;
    double exchangeBytesPerCycle = 0; ///< one tile, one direction
    Bytes streamingBytes = 0;         ///< remote buffer capacity
    bool operator==(TargetRow const &) const = default;
};

struct IpuRow {
    int replica = 0, indexInReplica = 0, machine = 0, board = 0, routing = 0;
    bool operator==(IpuRow const &) const = default;
};

/// Index = tile in its IPU; the same for all IPUs.
struct TilePlaceRow {
    int x = 0, y = 0;
    int syncDelay = 0;
    bool io = false;
    bool operator==(TilePlaceRow const &) const = default;
};

enum class Region : std::uint8_t { NonInterleaved, Interleaved, Overflowed };

/// `offset`, `bytes`: addresses of one tile. The overflowed region begins at the end of the tile; its
/// bytes are what the worst tile needs of it (0 when all fits).
struct MemoryRegionRow {
    Region kind = Region::NonInterleaved;
    Bytes offset = 0, bytes = 0;
    Bytes elementBytes = 0; ///< memory element (bank) size
    bool executable = false;
    bool operator==(MemoryRegionRow const &) const = default;
};

struct LinkRow {
    std::string kind = "ipu"; ///< ipu, gateway, host
    int ipuA = kNone, ipuB = kNone;
    int lanes = 1;
    std::int64_t bytesPerSecond = 0;
    bool operator==(LinkRow const &) const = default;
};

// ---- where things come from ------------------------------------------------------------------------

struct DebugContextRow {
    int parent = kNone;
    std::string level; ///< keras, graph, library, lowered
    std::string name;
    std::string file; ///< empty = none
    int line = kNone;
    std::string detail = "{}"; ///< JSON
    bool operator==(DebugContextRow const &) const = default;
};

struct StageRow {
    std::string name;
    int indexInReplica = 0; ///< the IPU of the replica it runs on
    bool operator==(StageRow const &) const = default;
};

struct OpRow {
    int parent = kNone;
    std::string level; ///< keras, graph, library, compute_set
    std::string name, kind;
    std::string pass = "other"; ///< forward, recompute, backward, update, other
    int stage = kNone, context = kNone;
    std::int64_t flops = 0;
    Bytes codeExclusive = 0, codeShared = 0;
    /// Code of all its kinds (vertex, exchange, control, shared code) on all tiles, children included:
    /// exclusive + shared part divided by its number of users. Ops without a parent sum to all code there is.
    double codeAttributed = 0;
    Bytes variableBytes = 0, vertexStateBytes = 0;
    Cycles cyclesEstimated = 0, cyclesIdeal = 0;
    std::string plan = "{}"; ///< JSON: the planner's choice and alternatives
    bool operator==(OpRow const &) const = default;
};

struct OpEdgeRow {
    int fromOp = 0, toOp = 0, variable = kNone; ///< kNone is stored as -1
    bool operator==(OpEdgeRow const &) const = default;
};

struct OpProgramRow {
    int op = 0, program = 0;
    bool operator==(OpProgramRow const &) const = default;
};

// ---- programs, vertices, exchanges -----------------------------------------------------------------

/// Kinds: sequence, repeat, repeat_while, if, switch, switch_per_tile, call, execute, exchange,
/// global_exchange, stream_begin, stream_copy, stream_end, sync_internal, sync_external, collective,
/// write_undefined, assume_equal, set_consensus, abort, trap, other.
struct ProgramRow {
    std::string kind, name;
    int op = kNone, context = kNone;
    int computeSet = kNone;
    int callee = kNone;            ///< function of a `call`
    std::int64_t repeatCount = -1; ///< of `repeat`; of `repeat_while` at most; -1 (NULL) when it depends on data
    int stream = kNone;            ///< of `stream_*`
    int controlCodeVec = kNone;    ///< tile vec: control code bytes by tile
    Bytes codeBytes = 0;
    bool operator==(ProgramRow const &) const = default;
};

struct ProgramChildRow {
    int parent = 0, position = 0, child = 0;
    std::string label; ///< branch of if / switch
    bool operator==(ProgramChildRow const &) const = default;
};

struct FunctionRow {
    std::string name;
    int root = 0;
    bool entry = false; ///< callable by the host
    bool operator==(FunctionRow const &) const = default;
};

struct ProgramVariableRow {
    int program = 0, variable = 0;
    std::string access; ///< read, write, update (reads and writes)
    bool operator==(ProgramVariableRow const &) const = default;
};

struct VertexTypeRow {
    std::string name;
    Bytes codeBytes = 0;
    int codeVec = kNone; ///< bytes by tile where the code is present
    bool operator==(VertexTypeRow const &) const = default;
};

struct ComputeSetRow {
    std::string name;
    int op = kNone;
    std::int64_t vertices = 0;
    int cyclesVec = 0; ///< cycles by tile of the compute phase
    Cycles cyclesMax = 0;
    int activeTiles = 0;
    bool operator==(ComputeSetRow const &) const = default;
};

struct ComputeSetVertexRow {
    int computeSet = 0, vertexType = 0;
    std::int64_t count = 0;
    int countVec = 0;
    Bytes stateBytes = 0;
    bool operator==(ComputeSetVertexRow const &) const = default;
};

struct ExchangePair {
    int from = 0, to = 0; ///< global tiles; -1, -1 in the remainder
    Bytes bytes = 0;
    bool operator==(ExchangePair const &) const = default;
};

struct ExchangeRow {
    int program = 0;
    std::string kind = "internal"; ///< internal, global, host, remote
    Bytes bytesSent = 0, bytesReceived = 0;
    int sentVec = kNone, receivedVec = kNone, cyclesVec = kNone, codeVec = kNone;
    Bytes headerBytes = 0;
    std::vector<ExchangePair> pairs; ///< the writer keeps the largest kExchangePairs and a remainder
    bool operator==(ExchangeRow const &) const = default;
};

struct StreamRow {
    std::string name;
    std::string direction = "to_device"; ///< to_device, from_device
    std::string memory = "host";         ///< host, remote
    Bytes bytesPerTransfer = 0;
    int buffering = 1;
    bool operator==(StreamRow const &) const = default;
};

// ---- variables, placement, lifetimes, memory -------------------------------------------------------

struct VariableRow {
    std::string name;
    int op = kNone, context = kNone;
    std::string role = "other"; ///< weight, optimizer_state, activation, gradient, accumulator, input,
                                ///< output, constant, partial, temporary, message, other
    std::string dtype;          ///< f16, f32, i32, u8, bool
    Shape shape;
    std::int64_t elements = 0;
    Bytes bytes = 0;      ///< sum of its lowered pieces over the tiles of replica 0
    int bytesVec = kNone; ///< the same by tile
    bool alwaysLive = false;
    int firstStep = kNone, lastStep = kNone; ///< first and last liveness step at which it is live (inclusive)
    int lastUseStep = kNone;                 ///< last step that reads or writes it
    bool operator==(VariableRow const &) const = default;
};

enum class MemoryCategory : std::uint8_t {
    Variable, Constant, Output,
    VertexCode, VertexState, VertexFields,
    InternalExchangeCode, GlobalExchangeCode, HostExchangeCode,
    GlobalPacketHeader, HostPacketHeader,
    ExchangeBuffer, Rearrangement,
    ControlCode, ControlTable, ControlId,
    CopyDescriptor, VectorListDescriptor,
    Stack, Instrumentation, SharedCode
};
inline constexpr int kMemoryCategories = 21;

/// Why the bytes between the previous item's end and this one's offset are unused.
enum class GapReason : std::uint8_t { None, Alignment, Element, RegionEnd, Fragmentation };

inline constexpr std::uint8_t kLoweredConstant = 1;     ///< read-only data
inline constexpr std::uint8_t kLoweredExecutable = 2;   ///< must lie where code can run
inline constexpr std::uint8_t kLoweredLowMemory = 4;    ///< must lie in low memory
inline constexpr std::uint8_t kLoweredNoShareNext = 8;  ///< must not share a memory element with the next item

/// Contiguous bytes on one tile that came from a variable or were invented by the compiler.
struct LoweredVariable {
    int variable = kNone;
    MemoryCategory category = MemoryCategory::Variable;
    Bytes offset = 0, bytes = 0;
    int alignment = 1;
    int livenessClass = 0;
    Region region = Region::NonInterleaved;
    std::uint8_t flags = 0;
    int group = kNone; ///< element constraint group
    GapReason gapReason = GapReason::None;
    bool operator==(LoweredVariable const &) const = default;
};

/// What lies on a tile, sorted by (offset, bytes, variable); tiles with equal content share one.
using TileLayout = std::vector<LoweredVariable>;

struct LivenessClassRow {
    bool alwaysLive = false;
    bool operator==(LivenessClassRow const &) const = default;
};

/// Half open [firstStep, endStep). An always-live class has one interval over all steps.
struct LivenessIntervalRow {
    int livenessClass = 0, firstStep = 0, endStep = 0;
    bool operator==(LivenessIntervalRow const &) const = default;
};

/// Index = step. Steps are the leaves met walking the entry functions in order of their ids, a loop body
/// once, a call into the callee's tree each time it is met.
struct LivenessStepRow {
    int program = 0;
    int stage = kNone;
    std::string pass; ///< empty = none
    bool operator==(LivenessStepRow const &) const = default;
};

/// Live bytes of a scope by liveness step. Scopes: "all" (id 0; the tiles of replica 0), "ipu" (index in
/// the replica), "stage" (pieces of variables whose op belongs to that stage).
struct LiveCurveRow {
    std::string scope = "all";
    int scopeId = 0;
    Bytes alwaysLive = 0;
    Bytes peak = 0; ///< always live + the largest of notAlwaysLive
    int peakStep = 0; ///< first one on a tie
    std::vector<Bytes> notAlwaysLive;
    bool operator==(LiveCurveRow const &) const = default;
};

struct LivePeakRow {
    std::string scope = "all";
    int scopeId = 0, rank = 0, step = 0;
    Bytes bytes = 0; ///< always live + not always live at that step
    bool operator==(LivePeakRow const &) const = default;
};

/// Names: with_gaps, without_gaps, overlap_union, always_live, not_always_live_peak, peak_step, need,
/// headroom, executable_room. Vectors cover the tiles of replica 0 (ipusPerReplica * tilesPerIpu).
struct TileMetricRow {
    std::string name;
    int vec = 0;
    bool operator==(TileMetricRow const &) const = default;
};

struct MemoryPartRow {
    MemoryCategory category = MemoryCategory::Variable;
    Region region = Region::NonInterleaved;
    bool overlapped = false;
    int vec = 0;
    bool operator==(MemoryPartRow const &) const = default;
};

struct RemoteBufferRow {
    std::string name;
    int variable = kNone;
    Bytes bytes = 0;
    std::int64_t rows = 0;
    bool operator==(RemoteBufferRow const &) const = default;
};

/// Scope "all" (id 0) or "ipu" (index in the replica). `bytes` is with gaps, of the worst tile.
struct VerdictRow {
    std::string scope = "all";
    int scopeId = 0;
    bool fits = true;
    int worstTile = 0;
    Bytes bytes = 0, capacity = 0;
    std::string cause; ///< empty when it fits; total, executable_region, interleaved_region, gaps
    int peakStep = kNone;
    bool operator==(VerdictRow const &) const = default;
};

// ---- runs and timeline -----------------------------------------------------------------------------

struct RunRow {
    std::string name;
    std::string kind = "train";    ///< train, evaluate, predict, profile (the static schedule of one step)
    std::string mode = "fused";    ///< tile, fused
    std::string state = "running"; ///< running, paused, done, stopped, failed
    Cycles cycles = 0;
    std::int64_t steps = 0, samples = 0;
    std::int64_t hostStartNs = 0, hostNs = 0;
    std::optional<double> verifyError;
    bool operator==(RunRow const &) const = default;
};

struct PatternRow {
    std::string name;
    Cycles cycles = 0;
    bool exact = true; ///< false where control flow depends on data and a count was assumed
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

/// Columns of equal length, sorted by start, never overlapping. Duration 0 marks an instant.
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
    std::string cause; ///< ramp_up, ramp_down, imbalance, transfer, host, update
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

// ---- compile log, series, heat maps, insights, log -------------------------------------------------

struct CompilePassRow {
    int parent = kNone;
    std::string name;
    std::int64_t startNs = 0, endNs = -1; ///< -1: did not end
    std::int64_t itemsBefore = -1, itemsAfter = -1, peakHostBytes = -1; ///< -1: not known
    std::string cache;       ///< hit, miss, off; empty = does not apply
    std::string cacheReason; ///< first differing field
    std::string snapshot;    ///< bytes; empty = none
    bool operator==(CompilePassRow const &) const = default;
};

struct SeriesRow {
    int run = kNone;
    std::string name, unit;
    std::string axis = "step"; ///< step, epoch, cycle, ns
    std::string subjectKind;   ///< empty = none
    int subjectId = kNone;
    bool operator==(SeriesRow const &) const = default;
};

/// x ascending; y may be NaN.
struct SeriesPoints {
    std::vector<std::int64_t> x;
    std::vector<double> y;
    bool operator==(SeriesPoints const &) const = default;
};

struct HeatmapRow {
    int run = kNone;
    std::string name, unit, axis = "step";
    int op = kNone;
    std::vector<double> edges; ///< ascending, bins + 1 of them
    bool operator==(HeatmapRow const &) const = default;
};

struct HeatmapColumnRow {
    int heatmap = 0;
    std::int64_t x = 0;
    std::int64_t below = 0, above = 0, nans = 0, zeros = 0;
    std::vector<std::int64_t> counts; ///< by bin
    bool operator==(HeatmapColumnRow const &) const = default;
};

struct InsightRow {
    std::string rule;
    int ruleVersion = 1;
    std::string severity = "note"; ///< error, warning, advice, note
    std::string subjectKind;
    int subjectId = kNone;
    std::string numbers = "{}"; ///< JSON that fills the translated message
    std::string evidence;       ///< SELECT that shows why
    std::string action;         ///< JSON edit of model or config; empty = none
    std::optional<std::int64_t> gainBytes, gainCycles;
    bool operator==(InsightRow const &) const = default;
};

struct LogRow {
    std::int64_t hostNs = 0;
    int level = 0; ///< 0 debug, 1 info, 2 warning, 3 error
    std::string component, code, text;
    std::int64_t repeats = 1;
    int run = kNone, ipu = kNone, tile = kNone;
    std::int64_t step = -1;
    int op = kNone;
    bool operator==(LogRow const &) const = default;
};

// ---- the whole -------------------------------------------------------------------------------------

/// Everything one report holds. Compile-time tables describe replica 0, run-time tables every IPU.
struct ReportData {
    /// report_uuid, title, writer_version, model_hash, config_hash, data_hash, executable_hash, seed,
    /// execution_mode (none, tile, fused), parent_report_uuid, time_created_utc, time_compile_ms, host_*.
    std::map<std::string, std::string> meta;
    /// As the reader found them. For the writer: what is said here of a part (state, note) goes before
    /// what it sees itself (rows there: complete; none: absent).
    std::vector<PartRow> parts;
    std::vector<OptionRow> options;
    std::vector<FigureRow> figures;

    TargetRow target;
    std::vector<IpuRow> ipus;
    std::vector<TilePlaceRow> tilePlaces;
    std::vector<MemoryRegionRow> memoryRegions;
    std::vector<LinkRow> links;

    std::vector<DebugContextRow> debugContexts;
    std::vector<StageRow> stages;
    std::vector<OpRow> ops;
    std::vector<OpEdgeRow> opEdges;
    std::vector<OpProgramRow> opPrograms;

    std::vector<ProgramRow> programs;
    std::vector<ProgramChildRow> programChildren;
    std::vector<FunctionRow> functions;
    std::vector<ProgramVariableRow> programVariables;
    std::vector<VertexTypeRow> vertexTypes;
    std::vector<ComputeSetRow> computeSets;
    std::vector<ComputeSetVertexRow> computeSetVertices;
    std::vector<ExchangeRow> exchanges;
    std::vector<StreamRow> streams;

    std::vector<VariableRow> variables;
    std::vector<TileLayout> layouts;
    std::vector<int> tileLayout; ///< layout by global tile of replica 0; empty = not known
    std::vector<LivenessClassRow> livenessClasses;
    std::vector<LivenessIntervalRow> livenessIntervals;
    std::vector<LivenessStepRow> livenessSteps;
    std::vector<LiveCurveRow> liveCurves;
    std::vector<LivePeakRow> livePeaks;
    TileVecTable tileVecs;
    std::vector<TileMetricRow> tileMetrics;
    std::vector<MemoryPartRow> memoryParts;
    std::vector<RemoteBufferRow> remoteBuffers;
    std::vector<VerdictRow> verdicts;

    std::vector<RunRow> runs;
    std::vector<PatternRow> patterns;
    std::vector<PatternPlaceRow> patternPlaces;
    std::vector<LaneRow> lanes;
    std::vector<EventTypeRow> eventTypes;
    std::vector<LaneEvents> events;
    std::vector<StepStatRow> stepStats;
    std::vector<StepOutlierRow> stepOutliers;
    std::vector<IpuSplitRow> ipuSplits;
    std::vector<RunTileMetricRow> runTileMetrics;
    std::vector<StageTaskRow> stageTasks;
    std::vector<BubbleRow> bubbles;
    std::vector<FlowRow> flows;
    std::vector<CriticalRow> criticals;

    std::vector<CompilePassRow> compilePasses;
    std::vector<SeriesRow> series;
    std::vector<SeriesPoints> seriesPoints; ///< by series
    std::vector<HeatmapRow> heatmaps;
    std::vector<HeatmapColumnRow> heatmapColumns;
    std::vector<InsightRow> insights;
    std::vector<LogRow> log;

    bool operator==(ReportData const &) const = default;
};

/// The stable names the file and the command line use ("non_interleaved", "vertex_code", "complete", ...).
std::string_view toText(PartState state);
std::string_view toText(Region region);
std::string_view toText(MemoryCategory category);
std::string_view toText(GapReason reason);
std::optional<PartState> parsePartState(std::string_view text);
std::optional<Region> parseRegion(std::string_view text);
std::optional<MemoryCategory> parseMemoryCategory(std::string_view text);
std::optional<GapReason> parseGapReason(std::string_view text);

/// Whether programs of this kind hold other programs and are no step of their own.
bool isControlKind(std::string_view programKind);
/// The phase of the cycle split that cycles of a program kind belong to (compute, internal_exchange,
/// global_exchange, stream, sync), or "" for kinds that take none of their own.
std::string_view phaseOfProgramKind(std::string_view programKind);

} // namespace tilewright::report
