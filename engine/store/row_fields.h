#pragma once

#include "engine/report/tables.h"

#include <concepts>
#include <type_traits>

// The columns of each table, told once and walked by whoever needs them: the writer binds them, the reader
// fills them, the exporters print them. A visitor offers integer, id (-1 is NULL), real, text, textOrNull
// (empty is NULL), name and nameOrNull (interned), optional, code (an enum with toText), shape (JSON),
// packed, packedReals and pairs (packed blobs).
namespace tilewright::store {

using namespace report;

template <typename R, typename T>
concept RowOf = std::same_as<std::remove_const_t<R>, T>;

/// SQL name, name of the id column ("" where the key is among the columns), and the order of reading.
template <typename T> struct TableOf;

#define TW_TABLE(T, sqlName, idColumn, order)                                                        \
    template <> struct TableOf<T> {                                                                  \
        static constexpr char const *kName = sqlName;                                                \
        static constexpr char const *kId = idColumn;                                                 \
        static constexpr char const *kOrder = order;                                                 \
    }

TW_TABLE(PartRow, "part", "", "name");
TW_TABLE(OptionRow, "option", "", "scope, name");
TW_TABLE(FigureRow, "figure", "", "name");
TW_TABLE(TargetRow, "target", "id", "id");
TW_TABLE(IpuRow, "ipu", "id", "id");
TW_TABLE(TilePlaceRow, "tile_place", "tile", "tile");
TW_TABLE(MemoryRegionRow, "memory_region", "id", "id");
TW_TABLE(LinkRow, "link", "id", "id");
TW_TABLE(DebugContextRow, "debug_context", "id", "id");
TW_TABLE(StageRow, "stage", "id", "id");
TW_TABLE(OpRow, "op", "id", "id");
TW_TABLE(OpEdgeRow, "op_edge", "", "from_op, to_op, variable");
TW_TABLE(OpProgramRow, "op_program", "", "op, program");
TW_TABLE(ProgramRow, "program", "id", "id");
TW_TABLE(ProgramChildRow, "program_child", "", "parent, position");
TW_TABLE(FunctionRow, "function", "id", "id");
TW_TABLE(ProgramVariableRow, "program_variable", "", "program, variable, access");
TW_TABLE(VertexTypeRow, "vertex_type", "id", "id");
TW_TABLE(ComputeSetRow, "compute_set", "id", "id");
TW_TABLE(ComputeSetVertexRow, "compute_set_vertex", "", "compute_set, vertex_type");
TW_TABLE(ExchangeRow, "exchange", "", "program");
TW_TABLE(StreamRow, "stream", "id", "id");
TW_TABLE(VariableRow, "variable", "id", "id");
TW_TABLE(LivenessClassRow, "liveness_class", "id", "id");
TW_TABLE(LivenessIntervalRow, "liveness_interval", "", "class, first_step");
TW_TABLE(LivenessStepRow, "liveness_step", "step", "step");
TW_TABLE(LiveCurveRow, "live_curve", "", "scope, scope_id");
TW_TABLE(LivePeakRow, "live_peak", "", "scope, scope_id, rank");
TW_TABLE(TileMetricRow, "tile_metric", "", "name");
TW_TABLE(MemoryPartRow, "memory_part", "", "category, region, overlapped");
TW_TABLE(RemoteBufferRow, "remote_buffer", "id", "id");
TW_TABLE(VerdictRow, "verdict", "", "scope, scope_id");
TW_TABLE(RunRow, "run", "id", "id");
TW_TABLE(PatternRow, "pattern", "id", "id");
TW_TABLE(PatternPlaceRow, "pattern_place", "", "run, seq");
TW_TABLE(LaneRow, "lane", "id", "id");
TW_TABLE(EventTypeRow, "event_type", "id", "id");
TW_TABLE(StepStatRow, "step_stat", "", "run, program, ipu");
TW_TABLE(StepOutlierRow, "step_outlier", "", "run, program, ipu, step");
TW_TABLE(IpuSplitRow, "ipu_split", "", "run, ipu");
TW_TABLE(RunTileMetricRow, "run_tile_metric", "", "run, name");
TW_TABLE(StageTaskRow, "stage_task", "", "pattern, ipu, seq");
TW_TABLE(BubbleRow, "bubble", "", "pattern, ipu, start_cycle");
TW_TABLE(FlowRow, "flow", "id", "id");
TW_TABLE(CriticalRow, "critical", "", "pattern, seq");
TW_TABLE(CompilePassRow, "compile_pass", "id", "id");
TW_TABLE(SeriesRow, "series", "id", "id");
TW_TABLE(HeatmapRow, "heatmap", "id", "id");
TW_TABLE(HeatmapColumnRow, "heatmap_column", "", "heatmap, x");
TW_TABLE(InsightRow, "insight", "id", "id");
TW_TABLE(LogRow, "log", "id", "id");
#undef TW_TABLE

template <typename V, RowOf<PartRow> R> void fields(V &v, R &r)
{
    v.text("name", r.name);
    v.code("state", r.state);
    v.integer("rows", r.rows);
    v.integer("bytes", r.bytes);
    v.integer("watermark", r.watermark);
    v.text("note", r.note);
}
template <typename V, RowOf<OptionRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.text("name", r.name);
    v.text("value", r.value);
    v.optional("default_value", r.defaultValue);
    v.text("source", r.source);
}
template <typename V, RowOf<FigureRow> R> void fields(V &v, R &r)
{
    v.text("name", r.name);
    v.real("value", r.value);
    v.text("unit", r.unit);
    v.text("origin", r.origin);
}
template <typename V, RowOf<TargetRow> R> void fields(V &v, R &r)
{
    v.text("kind", r.kind);
    v.text("architecture", r.architecture);
    v.integer("ipus", r.ipus);
    v.integer("replicas", r.replicas);
    v.integer("ipus_per_replica", r.ipusPerReplica);
    v.integer("tiles_per_ipu", r.tilesPerIpu);
    v.integer("io_tiles_per_ipu", r.ioTilesPerIpu);
    v.integer("bytes_per_tile", r.bytesPerTile);
    v.integer("worker_threads", r.workerThreads);
    v.integer("clock_hz", r.clockHz);
    v.integer("sync_cycles_internal", r.syncCyclesInternal);
    v.integer("sync_cycles_external", r.syncCyclesExternal);
    v.real("exchange_bytes_per_cycle", r.exchangeBytesPerCycle);
    v.integer("streaming_bytes", r.streamingBytes);
}
template <typename V, RowOf<IpuRow> R> void fields(V &v, R &r)
{
    v.integer("replica", r.replica);
    v.integer("index_in_replica", r.indexInReplica);
    v.integer("machine", r.machine);
    v.integer("board", r.board);
    v.integer("routing", r.routing);
}
template <typename V, RowOf<TilePlaceRow> R> void fields(V &v, R &r)
{
    v.integer("x", r.x);
    v.integer("y", r.y);
    v.integer("sync_delay", r.syncDelay);
    v.integer("io", r.io);
}
template <typename V, RowOf<MemoryRegionRow> R> void fields(V &v, R &r)
{
    v.code("kind", r.kind);
    v.integer("offset", r.offset);
    v.integer("bytes", r.bytes);
    v.integer("element_bytes", r.elementBytes);
    v.integer("executable", r.executable);
}
template <typename V, RowOf<LinkRow> R> void fields(V &v, R &r)
{
    v.text("kind", r.kind);
    v.id("ipu_a", r.ipuA);
    v.id("ipu_b", r.ipuB);
    v.integer("lanes", r.lanes);
    v.integer("bytes_per_second", r.bytesPerSecond);
}
template <typename V, RowOf<DebugContextRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.text("level", r.level);
    v.name("name", r.name);
    v.nameOrNull("file", r.file);
    v.id("line", r.line);
    v.text("detail", r.detail);
}
template <typename V, RowOf<StageRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("index_in_replica", r.indexInReplica);
}
template <typename V, RowOf<OpRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.text("level", r.level);
    v.name("name", r.name);
    v.name("kind", r.kind);
    v.text("pass", r.pass);
    v.id("stage", r.stage);
    v.id("context", r.context);
    v.integer("flops", r.flops);
    v.integer("code_exclusive", r.codeExclusive);
    v.integer("code_shared", r.codeShared);
    v.real("code_attributed", r.codeAttributed);
    v.integer("variable_bytes", r.variableBytes);
    v.integer("vertex_state_bytes", r.vertexStateBytes);
    v.integer("cycles_estimated", r.cyclesEstimated);
    v.integer("cycles_ideal", r.cyclesIdeal);
    v.text("plan", r.plan);
}
template <typename V, RowOf<OpEdgeRow> R> void fields(V &v, R &r)
{
    v.integer("from_op", r.fromOp);
    v.integer("to_op", r.toOp);
    v.integer("variable", r.variable);
}
template <typename V, RowOf<OpProgramRow> R> void fields(V &v, R &r)
{
    v.integer("op", r.op);
    v.integer("program", r.program);
}
template <typename V, RowOf<ProgramRow> R> void fields(V &v, R &r)
{
    v.text("kind", r.kind);
    v.name("name", r.name);
    v.id("op", r.op);
    v.id("context", r.context);
    v.id("compute_set", r.computeSet);
    v.id("callee", r.callee);
    v.id("repeat_count", r.repeatCount);
    v.id("stream", r.stream);
    v.id("control_code_vec", r.controlCodeVec);
    v.integer("code_bytes", r.codeBytes);
}
template <typename V, RowOf<ProgramChildRow> R> void fields(V &v, R &r)
{
    v.integer("parent", r.parent);
    v.integer("position", r.position);
    v.integer("child", r.child);
    v.text("label", r.label);
}
template <typename V, RowOf<FunctionRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("root", r.root);
    v.integer("entry", r.entry);
}
template <typename V, RowOf<ProgramVariableRow> R> void fields(V &v, R &r)
{
    v.integer("program", r.program);
    v.integer("variable", r.variable);
    v.text("access", r.access);
}
template <typename V, RowOf<VertexTypeRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("code_bytes", r.codeBytes);
    v.id("code_vec", r.codeVec);
}
template <typename V, RowOf<ComputeSetRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.id("op", r.op);
    v.integer("vertices", r.vertices);
    v.integer("cycles_vec", r.cyclesVec);
    v.integer("cycles_max", r.cyclesMax);
    v.integer("active_tiles", r.activeTiles);
}
template <typename V, RowOf<ComputeSetVertexRow> R> void fields(V &v, R &r)
{
    v.integer("compute_set", r.computeSet);
    v.integer("vertex_type", r.vertexType);
    v.integer("count", r.count);
    v.integer("count_vec", r.countVec);
    v.integer("state_bytes", r.stateBytes);
}
template <typename V, RowOf<ExchangeRow> R> void fields(V &v, R &r)
{
    v.integer("program", r.program);
    v.text("kind", r.kind);
    v.integer("bytes_sent", r.bytesSent);
    v.integer("bytes_received", r.bytesReceived);
    v.id("sent_vec", r.sentVec);
    v.id("received_vec", r.receivedVec);
    v.id("cycles_vec", r.cyclesVec);
    v.id("code_vec", r.codeVec);
    v.integer("header_bytes", r.headerBytes);
    v.pairs("pairs", r.pairs);
}
template <typename V, RowOf<StreamRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.text("direction", r.direction);
    v.text("memory", r.memory);
    v.integer("bytes_per_transfer", r.bytesPerTransfer);
    v.integer("buffering", r.buffering);
}
template <typename V, RowOf<VariableRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.id("op", r.op);
    v.id("context", r.context);
    v.text("role", r.role);
    v.text("dtype", r.dtype);
    v.shape("shape", r.shape);
    v.integer("elements", r.elements);
    v.integer("bytes", r.bytes);
    v.id("bytes_vec", r.bytesVec);
    v.integer("always_live", r.alwaysLive);
    v.id("first_step", r.firstStep);
    v.id("last_step", r.lastStep);
    v.id("last_use_step", r.lastUseStep);
}
template <typename V, RowOf<LivenessClassRow> R> void fields(V &v, R &r)
{
    v.integer("always_live", r.alwaysLive);
}
template <typename V, RowOf<LivenessIntervalRow> R> void fields(V &v, R &r)
{
    v.integer("class", r.livenessClass);
    v.integer("first_step", r.firstStep);
    v.integer("end_step", r.endStep);
}
template <typename V, RowOf<LivenessStepRow> R> void fields(V &v, R &r)
{
    v.integer("program", r.program);
    v.id("stage", r.stage);
    v.textOrNull("pass", r.pass);
}
template <typename V, RowOf<LiveCurveRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.integer("scope_id", r.scopeId);
    v.integer("always_live", r.alwaysLive);
    v.integer("peak", r.peak);
    v.integer("peak_step", r.peakStep);
    v.packed("data", r.notAlwaysLive);
}
template <typename V, RowOf<LivePeakRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.integer("scope_id", r.scopeId);
    v.integer("rank", r.rank);
    v.integer("step", r.step);
    v.integer("bytes", r.bytes);
}
template <typename V, RowOf<TileMetricRow> R> void fields(V &v, R &r)
{
    v.text("name", r.name);
    v.integer("vec", r.vec);
}
template <typename V, RowOf<MemoryPartRow> R> void fields(V &v, R &r)
{
    v.code("category", r.category);
    v.code("region", r.region);
    v.integer("overlapped", r.overlapped);
    v.integer("vec", r.vec);
}
template <typename V, RowOf<RemoteBufferRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.id("variable", r.variable);
    v.integer("bytes", r.bytes);
    v.integer("rows", r.rows);
}
template <typename V, RowOf<VerdictRow> R> void fields(V &v, R &r)
{
    v.text("scope", r.scope);
    v.integer("scope_id", r.scopeId);
    v.integer("fits", r.fits);
    v.integer("worst_tile", r.worstTile);
    v.integer("bytes", r.bytes);
    v.integer("capacity", r.capacity);
    v.textOrNull("cause", r.cause);
    v.id("peak_step", r.peakStep);
}
template <typename V, RowOf<RunRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.text("kind", r.kind);
    v.text("mode", r.mode);
    v.text("state", r.state);
    v.integer("cycles", r.cycles);
    v.integer("steps", r.steps);
    v.integer("samples", r.samples);
    v.integer("host_start_ns", r.hostStartNs);
    v.integer("host_ns", r.hostNs);
    v.optional("verify_error", r.verifyError);
}
template <typename V, RowOf<PatternRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.integer("cycles", r.cycles);
    v.integer("exact", r.exact);
}
template <typename V, RowOf<PatternPlaceRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("seq", r.seq);
    v.integer("pattern", r.pattern);
    v.integer("start_cycle", r.startCycle);
    v.integer("repeats", r.repeats);
    v.integer("period", r.period);
    v.integer("first_step", r.firstStep);
}
template <typename V, RowOf<LaneRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.name("name", r.name);
    v.text("kind", r.kind);
    v.text("time_base", r.timeBase);
    v.id("ipu", r.ipu);
    v.id("stage", r.stage);
    v.id("link", r.link);
    v.integer("depth", r.depth);
}
template <typename V, RowOf<EventTypeRow> R> void fields(V &v, R &r)
{
    v.name("name", r.name);
    v.text("phase", r.phase);
    v.id("program", r.program);
    v.id("op", r.op);
    v.id("stage", r.stage);
}
template <typename V, RowOf<StepStatRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("program", r.program);
    v.integer("ipu", r.ipu);
    v.integer("executions", r.executions);
    v.integer("cycles", r.cycles);
    v.integer("cycles_min", r.cyclesMin);
    v.integer("cycles_max", r.cyclesMax);
    v.integer("bytes_in", r.bytesIn);
    v.integer("bytes_out", r.bytesOut);
    v.integer("overlapped", r.overlapped);
    v.real("tile_balance", r.tileBalance);
    v.real("active_tile_balance", r.activeTileBalance);
    v.real("data_balance", r.dataBalance);
    v.integer("active_tiles", r.activeTiles);
}
template <typename V, RowOf<StepOutlierRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("program", r.program);
    v.integer("ipu", r.ipu);
    v.integer("step", r.step);
    v.integer("start_cycle", r.startCycle);
    v.integer("cycles", r.cycles);
}
template <typename V, RowOf<IpuSplitRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.integer("ipu", r.ipu);
    v.integer("compute", r.compute);
    v.integer("internal_exchange", r.internalExchange);
    v.integer("global_exchange", r.globalExchange);
    v.integer("stream", r.stream);
    v.integer("sync", r.sync);
    v.integer("idle", r.idle);
    v.integer("overlapped", r.overlapped);
    v.integer("tile_cycles", r.tileCycles);
}
template <typename V, RowOf<RunTileMetricRow> R> void fields(V &v, R &r)
{
    v.integer("run", r.run);
    v.text("name", r.name);
    v.integer("vec", r.vec);
}
template <typename V, RowOf<StageTaskRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.integer("ipu", r.ipu);
    v.integer("seq", r.seq);
    v.integer("slot", r.slot);
    v.integer("stage", r.stage);
    v.integer("micro_batch", r.microBatch);
    v.text("pass", r.pass);
    v.integer("start_cycle", r.startCycle);
    v.integer("end_cycle", r.endCycle);
    v.integer("slack", r.slack);
}
template <typename V, RowOf<BubbleRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.integer("ipu", r.ipu);
    v.integer("start_cycle", r.startCycle);
    v.integer("end_cycle", r.endCycle);
    v.text("cause", r.cause);
    v.id("waiting_for", r.waitingFor);
}
template <typename V, RowOf<FlowRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.text("kind", r.kind);
    v.integer("from_lane", r.fromLane);
    v.integer("from_time", r.fromTime);
    v.integer("to_lane", r.toLane);
    v.integer("to_time", r.toTime);
    v.integer("bytes", r.bytes);
    v.id("variable", r.variable);
}
template <typename V, RowOf<CriticalRow> R> void fields(V &v, R &r)
{
    v.integer("pattern", r.pattern);
    v.integer("seq", r.seq);
    v.integer("lane", r.lane);
    v.integer("event_type", r.eventType);
    v.integer("start_cycle", r.startCycle);
    v.integer("end_cycle", r.endCycle);
    v.id("culprit_tile", r.culpritTile);
}
template <typename V, RowOf<CompilePassRow> R> void fields(V &v, R &r)
{
    v.id("parent", r.parent);
    v.name("name", r.name);
    v.integer("start_ns", r.startNs);
    v.id("end_ns", r.endNs);
    v.id("items_before", r.itemsBefore);
    v.id("items_after", r.itemsAfter);
    v.id("peak_host_bytes", r.peakHostBytes);
    v.textOrNull("cache", r.cache);
    v.textOrNull("cache_reason", r.cacheReason);
    v.bytes("snapshot", r.snapshot);
}
template <typename V, RowOf<SeriesRow> R> void fields(V &v, R &r)
{
    v.id("run", r.run);
    v.name("name", r.name);
    v.text("unit", r.unit);
    v.text("axis", r.axis);
    v.textOrNull("subject_kind", r.subjectKind);
    v.id("subject_id", r.subjectId);
}
template <typename V, RowOf<HeatmapRow> R> void fields(V &v, R &r)
{
    v.id("run", r.run);
    v.name("name", r.name);
    v.text("unit", r.unit);
    v.text("axis", r.axis);
    v.id("op", r.op);
    v.packedReals("edges", r.edges);
}
template <typename V, RowOf<HeatmapColumnRow> R> void fields(V &v, R &r)
{
    v.integer("heatmap", r.heatmap);
    v.integer("x", r.x);
    v.integer("below", r.below);
    v.integer("above", r.above);
    v.integer("nans", r.nans);
    v.integer("zeros", r.zeros);
    v.packed("data", r.counts);
}
template <typename V, RowOf<InsightRow> R> void fields(V &v, R &r)
{
    v.text("rule", r.rule);
    v.integer("rule_version", r.ruleVersion);
    v.text("severity", r.severity);
    v.text("subject_kind", r.subjectKind);
    v.id("subject_id", r.subjectId);
    v.text("numbers", r.numbers);
    v.text("evidence", r.evidence);
    v.textOrNull("action", r.action);
    v.optional("gain_bytes", r.gainBytes);
    v.optional("gain_cycles", r.gainCycles);
}
template <typename V, RowOf<LogRow> R> void fields(V &v, R &r)
{
    v.integer("host_ns", r.hostNs);
    v.integer("level", r.level);
    v.text("component", r.component);
    v.text("code", r.code);
    v.text("text", r.text);
    v.integer("repeats", r.repeats);
    v.id("run", r.run);
    v.id("ipu", r.ipu);
    v.id("tile", r.tile);
    v.id("step", r.step);
    v.id("op", r.op);
}

/// Calls f(vector) for every vector of rows that maps to a table of its own, in the order of the format.
template <typename D, typename F> void forEachTable(D &data, F &&f)
{
    f(data.options);
    f(data.figures);
    f(data.ipus);
    f(data.tilePlaces);
    f(data.memoryRegions);
    f(data.links);
    f(data.debugContexts);
    f(data.stages);
    f(data.ops);
    f(data.opEdges);
    f(data.opPrograms);
    f(data.programs);
    f(data.programChildren);
    f(data.functions);
    f(data.programVariables);
    f(data.vertexTypes);
    f(data.computeSets);
    f(data.computeSetVertices);
    f(data.exchanges);
    f(data.streams);
    f(data.variables);
    f(data.livenessClasses);
    f(data.livenessIntervals);
    f(data.livenessSteps);
    f(data.liveCurves);
    f(data.livePeaks);
    f(data.tileMetrics);
    f(data.memoryParts);
    f(data.remoteBuffers);
    f(data.verdicts);
    f(data.runs);
    f(data.patterns);
    f(data.patternPlaces);
    f(data.lanes);
    f(data.eventTypes);
    f(data.stepStats);
    f(data.stepOutliers);
    f(data.ipuSplits);
    f(data.runTileMetrics);
    f(data.stageTasks);
    f(data.bubbles);
    f(data.flows);
    f(data.criticals);
    f(data.compilePasses);
    f(data.series);
    f(data.heatmaps);
    f(data.heatmapColumns);
    f(data.insights);
    f(data.log);
}

/// The names of the columns, in the order of fields().
class ColumnNames {
public:
    std::vector<std::string> names;
    template <typename T> void integer(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void id(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void real(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void text(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void textOrNull(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void name(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void nameOrNull(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void optional(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void code(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void shape(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void packed(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void packedReals(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void pairs(char const *n, T &) { names.emplace_back(n); }
    template <typename T> void bytes(char const *n, T &) { names.emplace_back(n); }
};

/// Columns of T's table, the id column first where there is one.
template <typename T> std::vector<std::string> columnsOf()
{
    ColumnNames visitor;
    if (*TableOf<T>::kId) visitor.names.emplace_back(TableOf<T>::kId);
    T const row{};
    fields(visitor, row);
    return visitor.names;
}

} // namespace tilewright::store
