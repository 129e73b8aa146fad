// Steps that move data rather than compute.
#include "engine/report/insights/changes.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kSyncBound = 0.2;
constexpr double kShortSuperstep = 0.25; ///< of a pattern spent in compute phases shorter than their sync

std::string splitEvidence(int run)
{
    return "SELECT ipu, compute, internal_exchange, global_exchange, stream, sync, idle FROM ipu_split WHERE run = " + std::to_string(run);
}

void exchangeBound(InsightContext const &context, std::vector<InsightRow> &found)
{
    for (auto const &split : context.d.ipuSplits) {
        if (context.run < 0 || split.run != context.run) continue;
        Cycles const exchange = (split.internalExchange + split.globalExchange) / context.patterns,
                     compute = split.compute / context.patterns;
        if (exchange <= compute || compute == 0) continue; // an IPU without work meets the others in their exchanges
        // The exchange that takes most of it.
        int worst = kNone;
        for (auto const &row : context.d.exchanges)
            if (row.kind != "host" && (worst < 0 || context.cost(row.program).cycles > context.cost(worst).cycles)) worst = row.program;
        Json numbers{{"ipu", split.ipu},
                     {"exchange", exchange},
                     {"compute", compute},
                     {"share", context.shareOfStep({Phase::InternalExchange, Phase::GlobalExchange})},
                     {"ipu_share", context.share(exchange)},
                     {"ipus", context.ipus()}};
        if (worst >= 0) {
            numbers["largest"] = {
                {"program", worst}, {"name", rowAt(context.d.programs, worst).name}, {"cycles", context.cost(worst).cycles}};
        }
        numbers["layers"] = exchangingOps(context, "keras");
        numbers["ops"] = exchangingOps(context, "graph");
        InsightRow row;
        row.severity = "warning";
        row.subjectKind = "ipu";
        row.subjectId = split.ipu;
        row.numbers = numbers.dump();
        row.evidence =
            "SELECT p.id AS program, n.text AS name, s.cycles, s.executions, s.bytes_in, s.bytes_out, s.data_balance FROM step_stat s "
            "JOIN program p ON p.id = s.program JOIN name n ON n.id = p.name WHERE s.run = "
            + std::to_string(context.run) + " AND s.ipu = " + std::to_string(split.ipu)
            + " AND p.kind IN ('exchange', 'global_exchange') ORDER BY s.cycles DESC LIMIT 20";
        row.gainCycles = exchange - compute;
        row.action = Changes(context).doubleBatch().halfPartials().noOutlining().otherProductPlans().action();
        found.push_back(std::move(row));
        break; // IPUs do the same things: one is enough
    }
}

void syncBound(InsightContext const &context, std::vector<InsightRow> &found)
{
    for (auto const &split : context.d.ipuSplits) {
        if (context.run < 0 || split.run != context.run) continue;
        Cycles const sync = split.sync / context.patterns;
        if (context.share(sync) <= kSyncBound) continue;
        InsightRow row;
        row.severity = "advice";
        row.subjectKind = "ipu";
        row.subjectId = split.ipu;
        row.numbers = Json{{"ipu", split.ipu},
                           {"sync", sync},
                           {"share", context.shareOfStep({Phase::Sync})},
                           {"ipu_share", context.share(sync)},
                           {"ipus", context.ipus()},
                           {"cycles", context.patternCycles}}
                          .dump();
        row.evidence = splitEvidence(context.run);
        row.action = Changes(context).doubleBatch().action();
        found.push_back(std::move(row));
        break;
    }
}

/// Compute phases shorter than the barrier before an exchange: merging them would pay.
void shortSupersteps(InsightContext const &context, std::vector<InsightRow> &found)
{
    if (context.run < 0) return;
    Cycles const sync = context.d.target.syncCyclesInternal;
    std::int64_t sets = 0, executions = 0, all = 0;
    for (int id = 0; id < static_cast<int>(context.d.computeSets.size()); ++id) {
        auto const &set = rowAt(context.d.computeSets, id);
        auto const cost = context.computeSetCost(id);
        if (cost.executions == 0 || set.cyclesMax >= sync) continue;
        ++sets;
        executions += cost.executions;
        all += context.executionsOfSet(id);
    }
    double const share = context.share(executions * sync);
    if (share <= kShortSuperstep) return;
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "run";
    row.subjectId = context.run;
    row.numbers = Json{{"compute_sets", sets}, {"executions", executions}, {"sync", sync}, {"share", context.shareOfStep(all * sync)},
                       {"ipu_share", share},   {"ipus", context.ipus()}}
                      .dump();
    row.evidence =
        "SELECT c.id AS compute_set, n.text AS name, c.cycles_max, c.active_tiles FROM compute_set c JOIN name n ON n.id = c.name WHERE "
        "c.cycles_max < "
        + std::to_string(sync) + " ORDER BY c.cycles_max";
    row.gainCycles = executions * sync;
    row.action = Changes(context).doubleBatch().otherProductPlans().action();
    found.push_back(std::move(row));
}

} // namespace

void addExchangeRules(std::vector<InsightRule> &all)
{
    all.push_back({"exchange.bound", 3, "exchange takes more cycles than compute", exchangeBound});
    all.push_back({"sync.bound", 3, "barriers take over 20 % of the time", syncBound});
    all.push_back({"compute.short-supersteps", 3,
                   "so many compute phases are shorter than a barrier that their barriers take over 25 % of the time", shortSupersteps});
}

} // namespace tilewright::report
