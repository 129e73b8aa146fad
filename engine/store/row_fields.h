#pragma once

#include "engine/store/graph_fields.h"
#include "engine/store/host_fields.h"
#include "engine/store/identity_fields.h"
#include "engine/store/insight_fields.h"
#include "engine/store/machine_fields.h"
#include "engine/store/memory_fields.h"
#include "engine/store/program_fields.h"
#include "engine/store/run_fields.h"
#include "engine/store/series_fields.h"

#include <string>
#include <vector>

// The columns of each table, declared once. The writer binds them, the reader fills them, and the exporters print them. They are in
// SUBJECT_fields.h, the rows in SUBJECT_tables.h. A visitor provides integer, id (-1 is NULL), real, text, textOrNull (empty is NULL), name
// and nameOrNull (interned), optional, code (an enum with toText), shape (JSON), packed, packedReals and pairs (packed blobs).
namespace tilewright::store {

/// SQL name, name of the id column ("" if the key is among the columns), and the reading order.
template <typename T> struct TableOf;

#define TW_TABLE(T, sqlName, idColumn, order)                                                                                              \
    template <> struct TableOf<T> {                                                                                                        \
        static constexpr char const *kName = sqlName;                                                                                      \
        static constexpr char const *kId = idColumn;                                                                                       \
        static constexpr char const *kOrder = order;                                                                                       \
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

/// Calls f(vector) for every vector of rows that has its own table, in the order of the format.
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
