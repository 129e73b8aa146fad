#include "tests/engine/store/sample_report.h"

namespace tilewright::tests {

using namespace report;

namespace {

using Values = std::vector<std::int64_t>;

/// Tiles 0-3 hold the first value, 4-7 the second.
Values halves(std::int64_t first, std::int64_t second)
{
    Values v(8, first);
    for (std::size_t i = 4; i < 8; ++i) v[i] = second;
    return v;
}

LoweredVariable item(int variable, MemoryCategory category, Bytes offset, Bytes bytes, int alignment, int livenessClass,
                     GapReason gap = GapReason::None)
{
    LoweredVariable v;
    v.variable = variable;
    v.category = category;
    v.offset = offset;
    v.bytes = bytes;
    v.alignment = alignment;
    v.livenessClass = livenessClass;
    v.gapReason = gap;
    return v;
}

void addMachine(ReportData &d)
{
    d.meta = {{"report_uuid", "0001"}, {"title", "sample"}, {"writer_version", "0.1.0"}, {"execution_mode", "fused"}};
    d.options = {{"ipu_config", "auto_select_ipus", "2", "1", "project"},
                 {"training", "pipeline_schedule", "\"grouped\"", std::nullopt, "project"}};
    d.figures = {{"cycles_per_step", 300, "cycles", "modelled"}, {"samples_per_step", 32, "count", "modelled"}};
    auto &t = d.target;
    t.architecture = "ipu2";
    t.ipus = t.ipusPerReplica = 2;
    t.tilesPerIpu = 4;
    t.bytesPerTile = 1024;
    t.clockHz = 1'000'000'000;
    t.exchangeBytesPerCycle = 4;
    d.ipus = {{0, 0, 0, 0, 0}, {0, 1, 0, 0, 1}};
    d.tilePlaces = {{0, 0, 0, false}, {1, 0, 1, false}, {1, 1, 2, false}, {0, 1, 3, false}};
    d.memoryRegions = {{Region::NonInterleaved, 0, 512, 128, true}, {Region::Interleaved, 512, 512, 256, false}};
    d.links = {{"ipu", 0, 1, 2, 1'000'000'000}};
}

void addGraph(ReportData &d)
{
    d.debugContexts = {{kNone, "keras", "dense", "model.py", 12, R"({"units":8})"}, {0, "graph", "dense/matmul", "", kNone, "{}"}};
    d.stages = {{"stage 0", 0}, {"stage 1", 1}};
    auto const op = [&](int parent, char const *level, char const *name, char const *kind, int stage, Bytes code) {
        OpRow r;
        r.parent = parent;
        r.level = level;
        r.name = name;
        r.kind = kind;
        r.pass = "forward";
        r.stage = stage;
        r.codeExclusive = code;
        r.codeAttributed = static_cast<double>(code);
        d.ops.push_back(r);
    };
    op(kNone, "keras", "dense", "Dense", 0, 160);
    op(kNone, "keras", "dense_1", "Dense", 1, 160);
    op(0, "graph", "dense/matmul", "matmul", 0, 160);
    op(1, "graph", "dense_1/matmul", "matmul", 1, 160);
    op(kNone, "graph", "loop control", kSyntheticKind, kNone, 0);
    d.ops[0].context = 0;
    d.ops[2].context = 1;
    d.ops[2].flops = 4096;
    d.ops[2].plan = R"({"chosen":1})";
    d.opEdges = {{2, 3, 1}};
    d.opPrograms = {{2, 2}, {2, 4}, {3, 7}, {4, 1}};
}

void addPrograms(ReportData &d)
{
    auto const program = [&](char const *kind, char const *name, int op, int computeSet = kNone, int callee = kNone, int stream = kNone) {
        ProgramRow r;
        r.kind = kind;
        r.name = name;
        r.op = op;
        r.computeSet = computeSet;
        r.callee = callee;
        r.stream = stream;
        d.programs.push_back(r);
    };
    program("sequence", "main", 4);
    program("stream_copy", "images", 4, kNone, kNone, 0);
    program("execute", "dense/matmul", 2, 0);
    program("sync_internal", "sync", 4);
    program("global_exchange", "dense to dense_1", 2);
    program("call", "dense_1", 3, kNone, 1);
    program("sequence", "dense_1", 3);
    program("execute", "dense_1/matmul", 3, 1);
    program("write_undefined", "dense_1/input", 3);
    d.programChildren = {{0, 0, 1, ""}, {0, 1, 2, ""}, {0, 2, 3, ""}, {0, 3, 4, ""}, {0, 4, 5, ""}, {6, 0, 7, ""}, {6, 1, 8, ""}};
    d.functions = {{"main", 0, true}, {"dense_1", 6, false}};
    d.programVariables = {{2, 0, "read"}, {2, 1, "write"}, {4, 1, "read"}, {4, 2, "write"},
                          {7, 2, "read"}, {7, 3, "read"},  {7, 4, "write"}};
    d.vertexTypes = {{"MatMul<half>", 40, d.tileVecs.add(Values(8, 40))}};
    d.computeSets = {{"dense/matmul", 2, 4, d.tileVecs.add({100, 80, 60, 40, 0, 0, 0, 0}), 100, 4},
                     {"dense_1/matmul", 3, 4, d.tileVecs.add({0, 0, 0, 0, 50, 50, 50, 30}), 50, 4}};
    d.computeSetVertices = {{0, 0, 4, d.tileVecs.add(halves(1, 0)), 16}, {1, 0, 4, d.tileVecs.add(halves(0, 1)), 16}};
    ExchangeRow e;
    e.program = 4;
    e.kind = "global";
    e.bytesSent = e.bytesReceived = 128;
    e.sentVec = d.tileVecs.add(halves(32, 0));
    e.receivedVec = d.tileVecs.add(halves(0, 32));
    e.pairs = {{0, 4, 32}, {1, 5, 32}, {2, 6, 32}, {3, 7, 32}};
    d.exchanges = {e};
    d.streams = {{"images", "to_device", "host", 256, 2}};
}

void addMemory(ReportData &d)
{
    auto const variable = [&](char const *name, int op, char const *role, Bytes first, Bytes second, bool always, int from, int to,
                              int last) {
        VariableRow r;
        r.name = name;
        r.op = op;
        r.role = role;
        r.dtype = "f16";
        r.bytes = 4 * (first + second);
        r.shape = {4, (first + second) / 2};
        r.elements = r.bytes / 2;
        r.bytesVec = d.tileVecs.add(halves(first, second));
        r.alwaysLive = always;
        r.firstStep = from;
        r.lastStep = to;
        r.lastUseStep = last;
        d.variables.push_back(r);
    };
    variable("dense/kernel", 0, "weight", 64, 0, true, kNone, kNone, 1);
    variable("dense/output", 2, "activation", 32, 0, false, 1, 3, 3);
    variable("dense_1/input", 3, "message", 0, 32, false, 3, 4, 4);
    variable("dense_1/kernel", 1, "weight", 0, 16, true, kNone, kNone, 4);
    variable("dense/partials", 2, "partial", 48, 0, false, 4, 5, 4);
    TileLayout first{item(kNone, MemoryCategory::VertexCode, 0, 40, 8, 0),
                     item(0, MemoryCategory::Variable, 48, 64, 16, 0, GapReason::Alignment),
                     item(1, MemoryCategory::Variable, 112, 32, 8, 1), item(4, MemoryCategory::Variable, 112, 48, 8, 3),
                     item(kNone, MemoryCategory::Stack, 512, 16, 16, 0, GapReason::RegionEnd)};
    first[0].flags = kLoweredExecutable;
    first[4].region = Region::Interleaved;
    first[4].group = 3;
    TileLayout second{item(kNone, MemoryCategory::VertexCode, 0, 40, 8, 0),
                      item(3, MemoryCategory::Variable, 48, 16, 16, 0, GapReason::Alignment),
                      item(2, MemoryCategory::ExchangeBuffer, 64, 32, 8, 2)};
    second[0].flags = kLoweredExecutable;
    d.layouts = {first, second};
    d.tileLayout = {0, 0, 0, 0, 1, 1, 1, 1};
    d.livenessClasses = {{true}, {false}, {false}, {false}};
    d.livenessIntervals = {{0, 0, 6}, {1, 1, 4}, {2, 3, 5}, {3, 4, 6}};
    d.livenessSteps = {{1, kNone, ""}, {2, 0, "forward"}, {3, kNone, ""}, {4, 0, "forward"}, {7, 1, "forward"}, {8, 1, "forward"}};
    d.liveCurves = {{"all", 0, 704, 1024, 4, {0, 128, 128, 256, 320, 192}},
                    {"ipu", 0, 480, 672, 4, {0, 128, 128, 128, 192, 192}},
                    {"ipu", 1, 224, 352, 3, {0, 0, 0, 128, 128, 0}},
                    {"stage", 0, 256, 448, 4, {0, 128, 128, 128, 192, 192}},
                    {"stage", 1, 64, 192, 3, {0, 0, 0, 128, 128, 0}}};
    d.livePeaks = {{"all", 0, 0, 4, 1024}, {"ipu", 0, 0, 4, 672}};
    auto const metric = [&](char const *name, std::int64_t a, std::int64_t b) {
        d.tileMetrics.push_back({name, d.tileVecs.add(halves(a, b))});
    };
    metric("always_live", 120, 56);
    metric("headroom", 496, 928);
    metric("need", 168, 88);
    metric("not_always_live_peak", 48, 32);
    metric("overlap_union", 32, 0);
    metric("peak_step", 4, 3);
    metric("with_gaps", 528, 96);
    metric("without_gaps", 168, 88);
    auto const part = [&](MemoryCategory category, Region region, bool overlapped, Bytes a, Bytes b) {
        d.memoryParts.push_back({category, region, overlapped, d.tileVecs.add(halves(a, b))});
    };
    part(MemoryCategory::ExchangeBuffer, Region::NonInterleaved, false, 0, 32);
    part(MemoryCategory::Stack, Region::Interleaved, false, 16, 0);
    part(MemoryCategory::Variable, Region::NonInterleaved, false, 80, 16);
    part(MemoryCategory::Variable, Region::NonInterleaved, true, 32, 0);
    part(MemoryCategory::VertexCode, Region::NonInterleaved, false, 40, 40);
    d.remoteBuffers = {{"optimizer state", 0, 1024, 2}};
    d.verdicts = {{"all", 0, true, 0, 528, 1024, "", 4}, {"ipu", 0, true, 0, 528, 1024, "", 4}, {"ipu", 1, true, 4, 96, 1024, "", 3}};
}

void addTimeline(ReportData &d)
{
    d.runs = {{"training", "train", "fused", "done", 900, 3, 96, 5, 7'000'000, 1e-6},
              {"batch", "profile", "fused", "done", 400, 1, 3, 0, 0, std::nullopt}};
    d.patterns = {{"recording", 0, true}, {"step", 300, true}, {"pipeline batch", 400, false}};
    d.patternPlaces = {{0, 0, 0, 0, 1, 0, 0}, {0, 1, 1, 0, 3, 300, 0}, {1, 0, 2, 0, 1, 400, 0}};
    d.lanes = {{kNone, "IPU 0", "ipu", "cycle", 0, kNone, kNone, 0},
               {kNone, "IPU 1", "ipu", "cycle", 1, kNone, kNone, 0},
               {0, "IPU 0 operations", "ipu", "cycle", 0, kNone, kNone, 1},
               {kNone, "main thread", "host_thread", "ns", kNone, kNone, kNone, 0}};
    d.eventTypes = {{"images", "stream", 1, 4, kNone},      {"dense/matmul", "compute", 2, 2, 0},
                    {"sync", "sync", 3, 4, kNone},          {"dense to dense_1", "global_exchange", 4, 2, kNone},
                    {"dense_1/matmul", "compute", 7, 3, 1}, {"idle", "idle", kNone, kNone, kNone},
                    {"dense", "marker", kNone, 0, 0},       {"host step", "host", kNone, kNone, kNone}};
    LaneEvents host{0, 3, {}}, first{1, 0, {}}, second{1, 1, {}}, nested{1, 2, {}};
    host.events.add(1000, 500, 7, 0);
    host.events.add(2000, 600, 7, 1);
    first.events.add(0, 20, 0, 256);
    first.events.add(20, 100, 1, 0, d.computeSets[0].cyclesVec);
    first.events.add(120, 10, 2);
    first.events.add(130, 30, 3, 128);
    first.events.add(160, 140, 5);
    second.events.add(0, 120, 5);
    second.events.add(120, 10, 2);
    second.events.add(130, 30, 3, 128);
    second.events.add(160, 50, 4, 0, d.computeSets[1].cyclesVec);
    second.events.add(210, 90, 5);
    nested.events.add(30, 40, 6);
    d.events = {host, first, second, nested};
    auto const stat = [&](int program, int ipu, Cycles cycles, Bytes in, Bytes out, int active) {
        StepStatRow r;
        r.program = program;
        r.ipu = ipu;
        r.executions = 3;
        r.cycles = 3 * cycles;
        r.cyclesMin = r.cyclesMax = cycles;
        r.bytesIn = in;
        r.bytesOut = out;
        r.activeTiles = active;
        r.tileBalance = active ? 0.75 : 1;
        d.stepStats.push_back(r);
    };
    stat(1, 0, 20, 768, 0, 0);
    stat(2, 0, 100, 0, 0, 4);
    stat(3, 0, 10, 0, 0, 0);
    stat(3, 1, 10, 0, 0, 0);
    stat(4, 0, 30, 0, 384, 0);
    stat(4, 1, 30, 384, 0, 0);
    stat(7, 1, 50, 0, 0, 4);
    d.stepOutliers = {{0, 2, 0, 1, 320, 100}};
    d.ipuSplits = {{0, 0, 300, 0, 90, 60, 30, 420, 0, 840}, {0, 1, 150, 0, 90, 0, 30, 630, 0, 540}};
    d.runTileMetrics = {{0, "compute", d.tileVecs.add({300, 240, 180, 120, 150, 150, 150, 90})}};
    for (int m = 0; m < 3; ++m) d.stageTasks.push_back({2, 0, m, m, 0, m, "forward", 100 * m, 100 * m + 100, 0});
    for (int m = 0; m < 3; ++m) d.stageTasks.push_back({2, 1, m, m + 1, 1, m, "forward", 100 * m + 100, 100 * m + 200, 0});
    d.bubbles = {{2, 0, 300, 400, "ramp_down", kNone}, {2, 1, 0, 100, "ramp_up", 0}};
    d.flows = {{1, "activation", 0, 160, 1, 160, 128, 1}};
    d.criticals = {{2, 0, 0, 1, 0, 100, 0}, {2, 1, 1, 4, 100, 400, kNone}};
}

} // namespace

ReportData sampleReport()
{
    ReportData d;
    addMachine(d);
    addGraph(d);
    addPrograms(d);
    addMemory(d);
    addTimeline(d);
    d.compilePasses = {{kNone, "compile", 0, 900, 5, 9, 1 << 20, "miss", "model.layers", ""},
                       {0, "lowering", 100, -1, -1, -1, -1, "", "", "bytes"}};
    d.series = {{0, "loss", "", "step", "", kNone}, {0, "gradient norm", "", "step", "op", 2}};
    d.seriesPoints = {{{1, 2, 3}, {2.5, 1.25, 0.1}}, {{3}, {0.5}}};
    d.heatmaps = {{0, "weights", "", "step", 2, {0, 0.5, 1}}};
    d.heatmapColumns = {{0, 1, 0, 1, 0, 3, {4, 5}}};
    InsightRow insight;
    insight.rule = "memory.headroom";
    insight.severity = "advice";
    insight.subjectKind = "tile";
    insight.subjectId = 0;
    insight.numbers = R"({"headroom":496})";
    insight.evidence = "SELECT * FROM v_tile_memory WHERE metric = 'headroom'";
    insight.gainBytes = 64;
    d.insights = {insight};
    LogRow log;
    log.hostNs = 12;
    log.level = 1;
    log.component = "compile";
    log.code = "compile.done";
    log.text = "compiled";
    log.run = 0;
    d.log = {log};
    return d;
}

} // namespace tilewright::tests
