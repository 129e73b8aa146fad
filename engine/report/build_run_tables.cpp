// Totals of a run of equal patterns.
#include "engine/report/build_report_run.h"

#include "engine/report/build_report_parts.h"

#include <algorithm>
#include <array>

namespace tilewright::report {

namespace {

using lowering::Phase;

/// Costs of the steps of one pattern.
std::vector<program::StepCost> scheduledCosts(lowering::Schedule const &schedule)
{
    std::map<std::tuple<std::size_t, int, bool>, program::StepCost> costs; // by step, IPU, sync
    auto const times = lowering::timesOf(schedule);
    for (std::size_t i = 0; i < times.size(); ++i) {
        auto const &event = schedule.events[i];
        auto &cost = costs[{event.step.index, event.ipu, event.phase == Phase::Sync}];
        cost.step = event.step;
        cost.ipu = event.ipu;
        cost.phase = event.phase;
        cost.add(event.duration, times[i], event.overlapped);
    }
    std::vector<program::StepCost> list;
    for (auto const &[key, cost] : costs) list.push_back(cost);
    return list;
}

struct Balance {
    double all = 1, active = 1;
    int activeTiles = 0;
    std::int64_t sum = 0, most = 0;
    int slowest = 0; ///< index within the IPU
};

/// Of a vector or a ByTile.
template <typename Values> Balance balanceOf(Values const &byTile, int ipu, int tilesPerIpu)
{
    Balance b;
    for (int t = 0; t < tilesPerIpu; ++t) {
        auto const value = byTile[static_cast<std::size_t>(ipu) * static_cast<std::size_t>(tilesPerIpu) + static_cast<std::size_t>(t)];
        b.sum += value;
        b.activeTiles += value > 0;
        if (value > b.most) {
            b.most = value;
            b.slowest = t;
        }
    }
    if (b.most > 0) {
        b.all = static_cast<double>(b.sum) / (static_cast<double>(b.most) * tilesPerIpu);
        b.active = static_cast<double>(b.sum) / (static_cast<double>(b.most) * b.activeTiles);
    }
    return b;
}

} // namespace

RunFacts staticSchedule()
{
    RunFacts facts;
    facts.run.name = "static schedule";
    facts.run.kind = "profile";
    facts.run.mode = "fused";
    facts.run.state = "done";
    return facts;
}

RunTables runTables(ReportData const &data, CompileFacts const &facts, int pattern, int run, RunFacts const &runFacts)
{
    auto const &p = facts.program;
    auto const &schedule = facts.schedule;
    auto const ids = programIds(p);
    auto const &measured = runFacts.measured;
    // Sums over one pattern, which is then multiplied by the number of runs; or over everything that ran.
    std::int64_t const n = measured ? 1 : runFacts.patterns;
    auto const costs = measured ? measured->steps : scheduledCosts(schedule);
    int const perIpu = p.tilesPerIpu;
    RunTables tables;
    tables.run = runFacts.run;
    tables.run.cycles = measured ? measured->total : schedule.patternCycles * n;
    tables.run.steps = runFacts.patterns * facts.stepsPerPattern;
    tables.run.samples = runFacts.patterns * facts.samplesPerPattern;
    tables.place = {run, 0, pattern, 0, std::max<std::int64_t>(1, runFacts.patterns), schedule.patternCycles, runFacts.firstStep};

    std::map<std::pair<int, int>, program::StepCost> shares; // by IPU of the replica, program of the report
    std::vector<std::array<Cycles, 6>> split(static_cast<std::size_t>(p.ipus), std::array<Cycles, 6>{});
    std::vector<Cycles> overlapped(static_cast<std::size_t>(p.ipus), 0);
    for (auto const &cost : costs) {
        bool const barrier = cost.phase == Phase::Sync && ids.barrierOf[cost.step.index] >= 0;
        int const program = barrier ? ids.barrierOf[cost.step.index] : ids.byStep[cost.step.index];
        shares[{cost.ipu, program}] = cost;
        at(split, cost.ipu)[static_cast<std::size_t>(cost.phase)] += cost.cycles - cost.overlapped;
        at(overlapped, cost.ipu) += cost.overlapped;
    }
    std::map<int, int> exchangeOf; // by program
    for (int e = 0; e < count(data.exchanges); ++e) exchangeOf[at(data.exchanges, e).program] = e;

    auto const tiles = static_cast<std::size_t>(p.tiles());
    std::array<char const *, 5> const names{"bytes_received", "bytes_sent", "caused_wait", "compute", "waited"};
    std::array<std::vector<std::int64_t>, 5> sums; // by tile of the replica, of one pattern
    for (auto &sum : sums) sum.assign(tiles, 0);
    auto &[received, sent, caused, compute, waited] = sums;
    std::vector<Cycles> tileCycles(static_cast<std::size_t>(p.ipus), 0);
    std::vector<StepStatRow> stats; // of one replica
    for (auto const &[key, share] : shares) {
        auto const &[ipu, program] = key;
        StepStatRow row;
        row.run = run;
        row.program = program;
        row.ipu = ipu;
        row.executions = share.executions * n;
        row.cycles = share.cycles * n;
        row.cyclesMin = share.least;
        row.cyclesMax = share.most;
        row.overlapped = share.overlapped * n;
        std::int64_t const first = static_cast<std::int64_t>(ipu) * perIpu;
        // All tiles wait for the slowest tile of the phase.
        auto const wait = [&](auto const &byTile, Balance const &balance) {
            std::int64_t total = 0;
            for (int t = 0; t < perIpu; ++t) {
                auto const idle = (balance.most - byTile[static_cast<std::size_t>(first + t)]) * share.executions;
                at(waited, first + t) += idle;
                total += idle;
            }
            at(caused, first + balance.slowest) += total;
        };
        if (share.phase == Phase::Compute) {
            auto const &byTile = schedule.computeSets[p.step(share.step).computeSet.index].byTile;
            auto const balance = balanceOf(byTile, ipu, perIpu);
            row.tileBalance = balance.all;
            row.activeTileBalance = balance.active;
            row.activeTiles = balance.activeTiles;
            at(tileCycles, ipu) += balance.sum * share.executions;
            for (int t = 0; t < perIpu; ++t) at(compute, first + t) += byTile[static_cast<std::size_t>(first + t)] * share.executions;
            wait(byTile, balance);
        } else if (auto const known = exchangeOf.find(program); known != exchangeOf.end()) {
            auto const &exchange = at(data.exchanges, known->second);
            auto const move = [&](int vec, std::vector<std::int64_t> &total) {
                Balance balance;
                if (vec < 0) return balance;
                auto const &bytes = data.tileVecs.stretch(vec);
                balance = balanceOf(bytes, ipu, perIpu);
                for (int t = 0; t < perIpu; ++t) at(total, first + t) += bytes[static_cast<std::size_t>(first + t)] * share.executions;
                return balance;
            };
            auto const in = move(exchange.receivedVec, received), out = move(exchange.sentVec, sent);
            row.bytesIn = in.sum * share.executions * n;
            row.bytesOut = out.sum * share.executions * n;
            row.dataBalance = exchange.receivedVec >= 0 ? in.all : out.all;
            if (exchange.cyclesVec >= 0) {
                auto const balance = balanceOf(data.tileVecs.stretch(exchange.cyclesVec), ipu, perIpu);
                row.tileBalance = balance.all;
                row.activeTileBalance = balance.active;
                row.activeTiles = balance.activeTiles;
                wait(data.tileVecs.stretch(exchange.cyclesVec), balance);
            } else {
                row.activeTiles = std::max(in.activeTiles, out.activeTiles);
            }
        }
        stats.push_back(row);
    }
    for (int replica = 0; replica < p.replicas; ++replica)
        for (auto row : stats) {
            row.ipu += replica * p.ipus;
            tables.stepStats.push_back(row);
        }
    std::ranges::sort(tables.stepStats,
                      [](auto const &a, auto const &b) { return std::pair(a.program, a.ipu) < std::pair(b.program, b.ipu); });
    for (int replica = 0; replica < p.replicas; ++replica)
        for (int ipu = 0; ipu < p.ipus; ++ipu) {
            auto const &phases = at(split, ipu);
            auto const cycles = [&](Phase phase) { return phases[static_cast<std::size_t>(phase)] * n; };
            IpuSplitRow row;
            row.run = run;
            row.ipu = replica * p.ipus + ipu;
            row.compute = cycles(Phase::Compute);
            row.internalExchange = cycles(Phase::InternalExchange);
            row.globalExchange = cycles(Phase::GlobalExchange);
            row.stream = cycles(Phase::Stream);
            row.sync = cycles(Phase::Sync);
            // Time without an event is waiting for other IPUs.
            row.idle = tables.run.cycles - row.compute - row.internalExchange - row.globalExchange - row.stream - row.sync;
            row.overlapped = at(overlapped, ipu) * n;
            row.tileCycles = at(tileCycles, ipu) * n;
            tables.ipuSplits.push_back(row);
        }
    for (std::size_t m = 0; m < names.size(); ++m) {
        std::vector<std::int64_t> values;
        values.reserve(tiles * static_cast<std::size_t>(p.replicas));
        for (int replica = 0; replica < p.replicas; ++replica)
            for (auto const value : sums[m]) values.push_back(value * n);
        tables.tileMetrics.emplace_back(names[m], std::move(values));
    }
    return tables;
}

int appendRun(ReportData &data, CompileFacts const &facts, int pattern, RunFacts const &runFacts)
{
    int const run = count(data.runs);
    auto tables = runTables(data, facts, pattern, run, runFacts);
    data.runs.push_back(tables.run);
    if (runFacts.patterns > 0) data.patternPlaces.push_back(tables.place);
    data.stepStats.insert(data.stepStats.end(), tables.stepStats.begin(), tables.stepStats.end());
    data.ipuSplits.insert(data.ipuSplits.end(), tables.ipuSplits.begin(), tables.ipuSplits.end());
    for (auto &[name, values] : tables.tileMetrics) data.runTileMetrics.push_back({run, name, data.tileVecs.add(values)});
    return run;
}

} // namespace tilewright::report
