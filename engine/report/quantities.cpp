#include "engine/report/quantities.h"
#include "engine/report/rows.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"
#include "engine/target/machine.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace tilewright::report {

namespace {

constexpr std::array<std::string_view, kPhases> kPhaseIds{"compute", "internal_exchange", "global_exchange", "stream", "sync", "idle"};

Phase phaseOf(std::string_view id)
{
    auto const it = std::ranges::find(kPhaseIds, id);
    return it == kPhaseIds.end() ? Phase::Idle : static_cast<Phase>(it - kPhaseIds.begin());
}

} // namespace

std::string_view phaseId(Phase phase) { return kPhaseIds[static_cast<std::size_t>(phase)]; }

std::vector<int> runsWithStatistics(ReportData const &data)
{
    std::set<int> runs;
    for (auto const &split : data.ipuSplits) runs.insert(split.run);
    return {runs.begin(), runs.end()};
}

RunFrame runFrame(ReportData const &data, int run)
{
    RunFrame frame;
    if (run < 0)
        for (auto const &split : data.ipuSplits) run = std::max(run, split.run);
    if (!has(data.runs, run)) return frame;
    auto const &row = at(data.runs, run);
    frame.run = run;
    frame.cycles = row.cycles;
    frame.steps = row.steps;
    frame.measured = originOfRun(data.figures, row) == "measured";
    frame.replicas = std::max(1, data.target.replicas);
    for (auto const &place : data.patternPlaces)
        if (place.run == run) frame.patterns += place.repeats;
    for (auto const &split : data.ipuSplits)
        if (split.run == run) frame.ipus.push_back(split.ipu);
    std::ranges::sort(frame.ipus);
    return frame;
}

double RunCost::balance() const
{
    auto const compute = of(Phase::Compute);
    return compute > 0 ? balanceCycles / static_cast<double>(compute) : 1.0;
}

Phase RunCost::bound() const
{
    auto const longest = std::ranges::max_element(byPhase);
    return *longest > 0 ? static_cast<Phase>(longest - byPhase.begin()) : Phase::Idle;
}

void RunCost::add(RunCost const &part)
{
    cycles += part.cycles;
    for (std::size_t i = 0; i < byPhase.size(); ++i) byPhase[i] += part.byPhase[i];
    bytesIn += part.bytesIn;
    bytesOut += part.bytesOut;
    bytesMoved += part.bytesMoved;
    overlapped += part.overlapped;
    balanceCycles += part.balanceCycles;
    activeTiles = std::max(activeTiles, part.activeTiles);
    executions = std::max(executions, part.executions);
    ipuExecutions = std::max(ipuExecutions, part.ipuExecutions);
}

std::vector<RunCost> costsByProgram(ReportData const &data, int run, int ipu)
{
    std::vector<RunCost> costs(data.programs.size());
    for (auto const &stat : data.stepStats) {
        if (stat.run != run || (ipu >= 0 && stat.ipu != ipu)) continue;
        if (!has(data.programs, stat.program)) continue;
        auto &cost = at(costs, stat.program);
        auto const phase = phaseOf(phaseOfProgramKind(at(data.programs, stat.program).kind));
        cost.least = cost.executions == 0 ? stat.cyclesMin : std::min(cost.least, stat.cyclesMin);
        cost.most = std::max(cost.most, stat.cyclesMax);
        cost.executions = std::max(cost.executions, stat.executions);
        cost.ipuExecutions += stat.executions;
        cost.cycles += stat.cycles;
        cost.byPhase[static_cast<std::size_t>(phase)] += stat.cycles;
        cost.bytesIn += stat.bytesIn;
        cost.bytesOut += stat.bytesOut;
        cost.bytesMoved += std::max(stat.bytesIn, stat.bytesOut);
        cost.overlapped += stat.overlapped;
        cost.activeTiles = std::max(cost.activeTiles, stat.activeTiles);
        if (phase == Phase::Compute) cost.balanceCycles += static_cast<double>(stat.cycles) * stat.activeTileBalance;
    }
    return costs;
}

std::vector<RunCost> costsByOp(ReportData const &data, std::vector<RunCost> const &byProgram)
{
    std::vector<RunCost> costs(data.ops.size());
    for (std::size_t p = 0; p < byProgram.size() && p < data.programs.size(); ++p) {
        if (byProgram[p].executions == 0) continue;
        int op = data.programs[p].op;
        for (std::size_t guard = 0; has(data.ops, op) && guard <= data.ops.size(); ++guard) {
            at(costs, op).add(byProgram[p]);
            op = at(data.ops, op).parent;
        }
    }
    return costs;
}

RunCost costOf(std::vector<RunCost> const &byProgram, std::span<int const> programs)
{
    RunCost sum;
    for (int const program : std::set<int>(programs.begin(), programs.end()))
        if (has(byProgram, program)) sum.add(at(byProgram, program));
    return sum;
}

double cyclesPerStep(RunFrame const &frame, Cycles ofRun, int ipu)
{
    double const steps = static_cast<double>(frame.steps) * (ipu >= 0 ? 1 : std::max(1, frame.replicas));
    return steps > 0 ? static_cast<double>(ofRun) / steps : 0;
}

Bytes bytesPerStep(RunFrame const &frame, Bytes ofRun, int ipu) { return std::llround(cyclesPerStep(frame, ofRun, ipu)); }

StepShare shareOfStep(RunFrame const &frame, Cycles ofRun, int ipu)
{
    int const ipus = ipu >= 0 ? 1 : std::max(1, static_cast<int>(frame.ipus.size()) / std::max(1, frame.replicas));
    return {cyclesPerStep(frame, ofRun, ipu), frame.cyclesOfStep() * ipus, ipus};
}

std::string_view originOfRun(std::vector<FigureRow> const &figures, RunRow const &run)
{
    bool const measured =
        run.mode == "tile" && run.kind == "train" && std::ranges::find(figures, kMeasuredCyclesPerStep, &FigureRow::name) != figures.end();
    return measured ? "measured" : "modelled";
}

Bytes bytesMoved(ExchangeRow const &exchange) { return std::max(exchange.bytesSent, exchange.bytesReceived); }

ExchangePeak exchangePeak(TargetRow const &target)
{
    double const out = target.exchangeBytesPerCycle * static_cast<double>(target.tilesPerIpu);
    for (auto const &machine : target::builtinMachines())
        if (machine.machine.chip.architecture == target.architecture) return {out * machine.machine.chip.tilesPerExchangeBus, out};
    return {out, out};
}

std::array<Cycles, kPhases> splitOf(ReportData const &data, int run, int ipu)
{
    std::array<Cycles, kPhases> sum{};
    for (auto const &split : data.ipuSplits) {
        if (split.run != run || (ipu >= 0 && split.ipu != ipu)) continue;
        std::array<Cycles, kPhases> const one{split.compute, split.internalExchange, split.globalExchange, split.stream, split.sync,
                                              split.idle};
        for (std::size_t i = 0; i < one.size(); ++i) sum[i] += one[i];
    }
    return sum;
}

std::vector<Cycles> cyclesOfExecution(ReportData const &data, int run, std::function<Cycles(int)> const &longest)
{
    std::vector<Cycles> cycles(data.programs.size(), -1);
    for (auto const &stat : data.stepStats)
        if (stat.run == run && stat.executions > 0 && has(data.programs, stat.program))
            at(cycles, stat.program) = std::max(at(cycles, stat.program), stat.cycles / stat.executions);
    for (std::size_t p = 0; p < cycles.size(); ++p)
        if (int const set = data.programs[p].computeSet; cycles[p] < 0 && has(data.computeSets, set))
            cycles[p] = at(data.computeSets, set).cyclesMax;
    for (auto const &exchange : data.exchanges) {
        if (!has(cycles, exchange.program) || at(cycles, exchange.program) >= 0 || exchange.cyclesVec < 0) continue;
        if (longest) at(cycles, exchange.program) = longest(exchange.cyclesVec);
        else if (data.tileVecs.valid(exchange.cyclesVec)) at(cycles, exchange.program) = data.tileVecs.head(exchange.cyclesVec).max;
    }
    return cycles;
}

bool isLayer(OpRow const &op)
{
    return op.level == "keras" && op.kind != kSyntheticKind && op.kind != kTrainingKind && op.kind != kFunctionKind;
}

std::int64_t layerCount(ReportData const &data)
{
    for (auto const &figure : data.figures)
        if (figure.name == "layers") return std::llround(figure.value);
    return std::ranges::count_if(data.ops, isLayer);
}

bool isOperation(OpRow const &op) { return op.level == "graph"; }

std::int64_t operationCount(ReportData const &data) { return std::ranges::count_if(data.ops, isOperation); }

std::int64_t programSteps(ReportData const &data)
{
    return std::ranges::count_if(data.programs, [](auto const &program) { return !isControlKind(program.kind); });
}

Bytes codeOf(OpRow const &op) { return std::llround(op.codeAttributed); }

Bytes codeOnTiles(ReportData const &data)
{
    double sum = 0;
    for (auto const &op : data.ops)
        if (op.parent < 0) sum += op.codeAttributed;
    return std::llround(sum);
}

bool isCode(MemoryCategory category)
{
    switch (category) {
    case MemoryCategory::VertexCode:
    case MemoryCategory::InternalExchangeCode:
    case MemoryCategory::GlobalExchangeCode:
    case MemoryCategory::HostExchangeCode:
    case MemoryCategory::ControlCode:
    case MemoryCategory::SharedCode: return true;
    default: return false;
    }
}

LiveOnTile liveOnTile(ReportData const &data, int tile, int step)
{
    LiveOnTile live;
    if (tile < 0 || static_cast<std::size_t>(tile) >= data.tileLayout.size() || at(data.tileLayout, tile) < 0) return live;
    std::vector<bool> isLive;
    isLive.reserve(data.livenessClasses.size());
    for (auto const &one : data.livenessClasses) isLive.push_back(one.alwaysLive);
    for (auto const &i : data.livenessIntervals)
        if (i.firstStep <= step && step < i.endStep && has(data.livenessClasses, i.livenessClass))
            isLive[static_cast<std::size_t>(i.livenessClass)] = true;
    std::map<int, Bytes> bytes; // by variable
    for (auto const &item : data.layouts.layout(at(data.tileLayout, tile))) {
        if (!isLive[static_cast<std::size_t>(item.livenessClass)]) continue;
        live.bytes += item.bytes;
        if (item.variable >= 0) bytes[item.variable] += item.bytes;
    }
    for (auto const &[variable, size] : bytes) live.variables.push_back({variable, size});
    std::ranges::stable_sort(live.variables, std::ranges::greater(), &VariableOnTile::bytes);
    return live;
}

namespace {

std::optional<Bytes> valueOf(std::span<std::int64_t const> values, int tile)
{
    if (tile < 0 || static_cast<std::size_t>(tile) >= values.size()) return std::nullopt;
    return values[static_cast<std::size_t>(tile)];
}

void addDetails(TileMemory &memory, TileMetrics const &metrics)
{
    memory.need = valueOf(metrics.need, memory.tile);
    if (auto const used = valueOf(metrics.withoutGaps, memory.tile)) memory.gaps = std::max<Bytes>(0, memory.placed - *used);
}

} // namespace

TileMemory tileMemory(VerdictRow const &verdict, TileMetrics const &metrics)
{
    TileMemory memory{verdict.worstTile, std::nullopt, verdict.bytes, std::nullopt, verdict.capacity, verdict.fits};
    addDetails(memory, metrics);
    return memory;
}

TileMemory tileMemory(int tile, Bytes limit, TileMetrics const &metrics)
{
    Bytes const placed = valueOf(metrics.withGaps, tile).value_or(0);
    TileMemory memory{tile, std::nullopt, placed, std::nullopt, limit, placed <= limit};
    addDetails(memory, metrics);
    return memory;
}

std::string worstTileSummary(TileMemory const &memory)
{
    // As the window prints shares: one decimal below 10 %.
    double const percent = 100 * memory.placedShare();
    std::string const share = fixedText(percent, percent != 0 && percent < 9.95 ? 1 : 0);
    return "worst tile " + std::to_string(memory.tile) + ": " + share + " % of its memory (" + groupedDigits(memory.placed) + " of "
        + groupedDigits(memory.limit) + " bytes placed)";
}

VerdictRow const *verdictOfAll(ReportData const &data)
{
    auto const found = std::ranges::find(data.verdicts, "all", &VerdictRow::scope);
    return found == data.verdicts.end() ? nullptr : &*found;
}

} // namespace tilewright::report
