#pragma once

#include "engine/report/build_report_run.h"
#include "engine/report/insights/insights.h"
#include "tests/engine/report/report_test_programs.h"

#include <algorithm>

/// Reports in which rules of insights find something.
namespace tilewright::testing {

using namespace report;

inline ReportData reportOf(Compiled const &compiled)
{
    auto const facts = compiled.facts();
    auto data = buildCompileReport(facts);
    RunFacts run;
    run.run.name = "profile";
    run.run.kind = "profile";
    run.run.state = "done";
    run.patterns = 4;
    int const pattern = appendPattern(data, facts);
    appendRun(data, facts, pattern, run);
    return data;
}

inline ReportData base()
{
    static ReportData const kBase = reportOf(analyse("gc200:tiles=8", productLoop("gc200:tiles=8")));
    return kBase;
}

inline ReportData pipelined(int stages, int batches, int unequal)
{
    return reportOf(analyse("pod4:tiles=4", pipeline("pod4:tiles=4", stages, batches, unequal)));
}

inline std::vector<InsightRow> of(ReportData const &data, std::string const &rule)
{
    std::vector<InsightRow> rows;
    for (auto const &row : findInsights(data))
        if (row.rule == rule) rows.push_back(row);
    return rows;
}

/// One compute set of the base takes `cycles` on the tiles; the pattern `pattern` cycles.
inline ReportData withCompute(std::vector<std::int64_t> cycles, Cycles pattern)
{
    auto data = base();
    auto &set = data.computeSets[0];
    set.cyclesVec = data.tileVecs.add(cycles);
    set.cyclesMax = *std::ranges::max_element(cycles);
    data.patterns[0].cycles = pattern;
    for (auto &place : data.patternPlaces) place.period = pattern;
    for (auto &stat : data.stepStats) {
        int const computeSet = data.programs[static_cast<std::size_t>(stat.program)].computeSet;
        if (computeSet == 0) stat.cycles = set.cyclesMax * stat.executions;
        else if (computeSet > 0) stat.cycles = stat.executions;
    }
    return data;
}

inline ReportData withSplit(IpuSplitRow split, Cycles pattern)
{
    auto data = base();
    data.patterns[0].cycles = pattern;
    for (auto &place : data.patternPlaces) place.period = pattern;
    data.ipuSplits = {split};
    return data;
}

/// Two copies of 1,000 bytes from streaming memory in each pattern, with so many cycles in the run.
inline ReportData withRemoteCopies(ReportData data, Cycles cycles)
{
    ProgramRow program = data.programs.front();
    program.kind = "stream_copy";
    data.programs.push_back(program);
    ExchangeRow exchange;
    exchange.kind = "remote";
    exchange.program = static_cast<int>(data.programs.size()) - 1;
    exchange.bytesReceived = 1000;
    data.exchanges.push_back(exchange);
    StepStatRow stat;
    stat.run = data.ipuSplits[0].run;
    stat.program = exchange.program;
    stat.executions = 4 * 2;
    stat.cycles = cycles;
    data.stepStats.push_back(stat);
    return data;
}

/// A step of 100,000 cycles of which so many exchange and 40,000 compute.
inline ReportData withExchange(Cycles exchange)
{
    IpuSplitRow split;
    split.compute = 4 * 40000;
    split.internalExchange = 4 * exchange;
    auto data = withSplit(split, 100000);
    for (auto &run : data.runs) run.cycles = 4 * 100000;
    return data;
}

inline void setMetric(ReportData &data, std::string const &name, std::vector<std::int64_t> values)
{
    for (auto &metric : data.tileMetrics)
        if (metric.name == name) metric.vec = data.tileVecs.add(values);
}

inline ReportData withVerdict(Bytes bytes)
{
    auto data = base();
    for (auto &verdict : data.verdicts) {
        verdict.bytes = bytes;
        verdict.fits = bytes <= verdict.capacity;
        verdict.cause = verdict.fits ? "" : "total";
    }
    auto values = std::vector<std::int64_t>(8, 1000);
    values[static_cast<std::size_t>(data.verdicts[0].worstTile)] = bytes;
    setMetric(data, "with_gaps", values);
    return data;
}

} // namespace tilewright::testing
