#include "engine/report/insights/insights.h"

#include "engine/report/insights/context.h"

#include <algorithm>
#include <tuple>

namespace tilewright::report {

InsightContext::InsightContext(ReportData const &reportData) : d(reportData)
{
    for (auto const &stat : d.stepStats) run = std::max(run, stat.run);
    if (run < 0) return;
    Cycles cycles = 0;
    for (auto const &place : d.patternPlaces) {
        if (place.run != run) continue;
        Cycles const length = rowAt(d.patterns, place.pattern).cycles;
        if (length <= 0) continue;
        patterns += place.repeats;
        cycles += length * place.repeats;
    }
    if (patterns == 0) {
        run = kNone;
        return;
    }
    patternCycles = cycles / patterns;
    m_frame = runFrame(d, run);
    std::map<std::pair<int, int>, Cost> setCosts; // by compute set and IPU
    for (auto const &stat : d.stepStats) {
        if (stat.run != run) continue;
        Cost const one{stat.executions / patterns, stat.cycles / patterns, stat.ipu};
        auto &cost = m_costs[stat.program];
        if (one.cycles > cost.cycles) cost = one;
        int const set = rowAt(d.programs, stat.program).computeSet;
        if (set < 0) continue;
        m_setSums[set].executions += stat.executions;
        m_setSums[set].cycles += stat.cycles;
        auto &sum = setCosts[{set, stat.ipu}];
        sum.executions += one.executions;
        sum.cycles += one.cycles;
        sum.ipu = stat.ipu;
    }
    for (auto const &[key, sum] : setCosts) {
        auto &cost = m_setCosts[key.first];
        if (sum.cycles > cost.cycles) cost = sum;
    }
}

ByTile<std::int64_t> const *InsightContext::metric(std::string_view name) const
{
    for (auto const &row : d.tileMetrics)
        if (row.name == name && d.tileVecs.valid(row.vec)) return &d.tileVecs.stretch(row.vec);
    return nullptr;
}

std::string const *InsightContext::option(std::string_view scope, std::string_view name) const
{
    for (auto const &row : d.options)
        if (row.scope == scope && row.name == name) return &row.value;
    return nullptr;
}

double InsightContext::figure(std::string_view name, double fallback) const
{
    for (auto const &row : d.figures)
        if (row.name == name) return row.value;
    return fallback;
}

std::size_t InsightContext::firstTileOf(int ipu) const
{
    int const index = d.ipus.empty() ? 0 : rowAt(d.ipus, ipu).indexInReplica;
    return static_cast<std::size_t>(std::max(0, index)) * static_cast<std::size_t>(perIpu());
}

std::vector<std::int64_t> InsightContext::tilesOf(int vec, int ipu) const
{
    auto const values = d.tileVecs.values(vec);
    auto const first = firstTileOf(ipu), count = static_cast<std::size_t>(perIpu());
    if (first + count > values.size()) return values;
    auto const begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

InsightContext::Cost InsightContext::cost(int program) const
{
    auto const it = m_costs.find(program);
    return it == m_costs.end() ? Cost{} : it->second;
}

InsightContext::Cost InsightContext::computeSetCost(int computeSet) const
{
    auto const it = m_setCosts.find(computeSet);
    return it == m_setCosts.end() ? Cost{} : it->second;
}

double InsightContext::shareOfStep(std::initializer_list<Phase> phases) const
{
    auto const split = splitOf(d, run);
    Cycles sum = 0;
    for (Phase const phase : phases) sum += split[static_cast<std::size_t>(phase)];
    return shareOfStep(sum);
}

Cycles InsightContext::cyclesOfSet(int computeSet) const
{
    auto const it = m_setSums.find(computeSet);
    return it == m_setSums.end() ? 0 : it->second.cycles;
}

std::int64_t InsightContext::executionsOfSet(int computeSet) const
{
    auto const it = m_setSums.find(computeSet);
    return it == m_setSums.end() ? 0 : it->second.executions;
}

std::span<InsightRule const> builtinInsightRules()
{
    static std::vector<InsightRule> const kAll = [] {
        std::vector<InsightRule> all;
        addFitRules(all);
        addLargestRules(all);
        addComputeRules(all);
        addExchangeRules(all);
        addHostRules(all);
        addMatmulRules(all);
        addPipelineRules(all);
        addLoadRules(all);
        return all;
    }();
    return kAll;
}

namespace {

int rank(InsightRow const &row)
{
    if (row.severity == "error") return 0;
    if (row.severity == "warning") return 1;
    return row.severity == "advice" ? 2 : 3;
}

std::pair<std::int64_t, std::int64_t> gain(InsightRow const &row) { return {-row.gainCycles.value_or(0), -row.gainBytes.value_or(0)}; }

} // namespace

std::vector<InsightRow> findInsights(ReportData const &data)
{
    InsightContext const context(data);
    std::vector<InsightRow> all;
    for (auto const &rule : builtinInsightRules()) {
        std::vector<InsightRow> found;
        rule.find(context, found);
        std::ranges::stable_sort(found, [](auto const &a, auto const &b) { return gain(a) < gain(b); });
        if (static_cast<int>(found.size()) > kInsightsPerRule) found.resize(kInsightsPerRule);
        for (auto &row : found) {
            row.rule = rule.name;
            row.ruleVersion = rule.version;
            all.push_back(std::move(row));
        }
    }
    std::ranges::stable_sort(all, [](auto const &a, auto const &b) {
        return std::tuple_cat(std::tuple(rank(a)), gain(a)) < std::tuple_cat(std::tuple(rank(b)), gain(b));
    });
    return all;
}

} // namespace tilewright::report
