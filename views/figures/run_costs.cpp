#include "views/figures/run_costs.h"

#include <algorithm>
#include <set>

namespace tilewright::views {

using namespace report;

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
    if (run < 0 || run >= static_cast<int>(data.runs.size())) return frame;
    auto const &row = data.runs[static_cast<std::size_t>(run)];
    frame.run = run;
    frame.cycles = row.cycles;
    frame.steps = row.steps;
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

std::vector<RunCost> costsByProgram(ReportData const &data, int run, int ipu)
{
    std::vector<RunCost> costs(data.programs.size());
    for (auto const &stat : data.stepStats) {
        if (stat.run != run || (ipu >= 0 && stat.ipu != ipu)) continue;
        if (stat.program < 0 || stat.program >= static_cast<int>(costs.size())) continue;
        auto const program = static_cast<std::size_t>(stat.program);
        auto &cost = costs[program];
        auto const phase = phaseOf(phaseOfProgramKind(data.programs[program].kind));
        cost.least = cost.executions == 0 ? stat.cyclesMin : std::min(cost.least, stat.cyclesMin);
        cost.most = std::max(cost.most, stat.cyclesMax);
        cost.executions = std::max(cost.executions, stat.executions);
        cost.cycles += stat.cycles;
        cost.byPhase[static_cast<std::size_t>(phase)] += stat.cycles;
        cost.bytesIn += stat.bytesIn;
        cost.bytesOut += stat.bytesOut;
        cost.overlapped += stat.overlapped;
        cost.activeTiles = std::max(cost.activeTiles, stat.activeTiles);
        if (phase == Phase::Compute) cost.balanceCycles += static_cast<double>(stat.cycles) * stat.activeTileBalance;
    }
    return costs;
}

std::array<Cycles, kPhases> splitOf(ReportData const &data, int run, int ipu)
{
    std::array<Cycles, kPhases> sum{};
    for (auto const &split : data.ipuSplits) {
        if (split.run != run || (ipu >= 0 && split.ipu != ipu)) continue;
        std::array<Cycles, kPhases> const one{split.compute, split.internalExchange, split.globalExchange, split.stream, split.sync, split.idle};
        for (std::size_t i = 0; i < one.size(); ++i) sum[i] += one[i];
    }
    return sum;
}

} // namespace tilewright::views
