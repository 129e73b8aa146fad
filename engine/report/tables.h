#pragma once

#include "engine/report/graph_tables.h"
#include "engine/report/host_tables.h"
#include "engine/report/identity_tables.h"
#include "engine/report/insight_tables.h"
#include "engine/report/layout_table.h"
#include "engine/report/machine_tables.h"
#include "engine/report/memory_tables.h"
#include "engine/report/program_tables.h"
#include "engine/report/run_tables.h"
#include "engine/report/series_tables.h"
#include "engine/report/tile_vec.h"

#include <map>
#include <string>
#include <vector>

// The report as plain values: one struct per table of the report format, by subject in the headers above (include only the ones you need),
// and ReportData with a vector of each. Ids are dense from 0 and equal the index in the vector, so structs have no id field. An id or step
// of kNone (-1) means "none" and is stored as NULL. Strings are stored as they are; the writer interns them. The caller determines the
// order of rows: equal input must give equal rows in equal order.
namespace tilewright::report {

/// Everything one report holds. Compile-time tables describe replica 0, run-time tables every IPU.
struct ReportData {
    /// report_uuid, title, writer_version, model_hash, config_hash, data_hash, executable_hash, seed,
    /// execution_mode (none, tile, fused), parent_report_uuid, time_created_utc, time_compile_ms, host_*.
    std::map<std::string, std::string> meta;
    /// As found by the reader. For the writer: a given state and note of a part override the derived state (rows: complete; no rows:
    /// absent).
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
    LayoutTable layouts;
    std::vector<int> tileLayout; ///< layout by global tile of replica 0; empty = unknown
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

} // namespace tilewright::report
