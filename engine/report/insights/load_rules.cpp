// What tiles wait for: uneven work, and exchanges, by operation.
#include "engine/report/insights/changes.h"
#include "engine/report/insights/context.h"
#include "engine/report/op_tiles.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMuchWaiting = 0.15;  ///< of a pattern
constexpr double kMuchExchange = 0.15; ///< of a pattern
constexpr double kNamed = 0.01;        ///< of what all operations wait or exchange: one below that is not named
constexpr std::size_t kMostOps = 5;

/// The operation of a level that an operation is or belongs to; itself where there is none.
int opOfLevel(ReportData const &d, int op, std::string_view level)
{
    for (int i = op; i >= 0 && i < static_cast<int>(d.ops.size()); i = rowAt(d.ops, i).parent)
        if (rowAt(d.ops, i).level == level) return i;
    return op;
}

struct NamedOp {
    int op = kNone;
    double cycles = 0; ///< of a pattern, of all IPUs of a replica
};

/// The largest operations, with the tile of each that `tileOf` names.
Json namedOps(InsightContext const &context, std::vector<NamedOp> ops, double whole, std::function<int(int op)> const &tileOf)
{
    std::ranges::stable_sort(ops, std::ranges::greater(), &NamedOp::cycles);
    double all = 0;
    for (auto const &one : ops) all += one.cycles;
    Json list = Json::array();
    for (auto const &one : ops) {
        if (list.size() == kMostOps || one.cycles < kNamed * all) break;
        int const tile = tileOf(one.op);
        list.push_back({{"op", one.op},
                        {"name", rowAt(context.d.ops, one.op).name},
                        {"cycles", static_cast<Cycles>(one.cycles)},
                        {"share", one.cycles / whole},
                        {"tile", context.indexOf(tile)},
                        {"ipu", context.ipuOf(tile)}});
        if (rowAt(context.d.ops, one.op).kind == kSyntheticKind) list.back()["synthetic"] = true; // no layer: its name is not the user's
    }
    return list;
}

int fullest(std::vector<double> const &values)
{
    return values.empty() ? 0 : static_cast<int>(std::ranges::max_element(values) - values.begin());
}

/// Compute phases end with their slowest tile: what the others wait then, by operation.
void waitingTiles(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    if (context.run < 0) return;
    std::map<int, double> waiting, layers; // by operation, and by layer
    std::vector<double> busy;              // by tile of a replica
    double all = 0, computed = 0;
    for (int id = 0; id < static_cast<int>(d.computeSets.size()); ++id) {
        auto const &set = rowAt(d.computeSets, id);
        auto const cost = context.computeSetCost(id);
        if (cost.executions == 0) continue;
        auto const values = context.tilesOf(set.cyclesVec, cost.ipu);
        if (values.empty()) continue;
        auto const first = context.firstTileOf(cost.ipu);
        busy.resize(std::max(busy.size(), first + values.size()), 0.0);
        double sum = 0, most = 0;
        for (std::size_t t = 0; t < values.size(); ++t) {
            auto const cycles = static_cast<double>(values[t]);
            sum += cycles;
            most = std::max(most, cycles);
            busy[first + t] += cycles * static_cast<double>(cost.executions);
        }
        double const lost = (most - sum / static_cast<double>(values.size())) * static_cast<double>(cost.executions);
        all += lost;
        computed += most * static_cast<double>(cost.executions);
        if (set.op < 0) continue;
        waiting[opOfLevel(d, set.op, "graph")] += lost;
        layers[opOfLevel(d, set.op, "keras")] += lost;
    }
    double const whole = context.replicaCycles();
    if (whole <= 0 || computed <= 0 || all <= kMuchWaiting * whole) return;
    auto const frame = runFrame(d, context.run);
    auto const vec = tileVecsOf(d);
    auto const listOf = [&](std::map<int, double> const &byOp) {
        std::vector<NamedOp> ops;
        for (auto const &[op, cycles] : byOp) ops.push_back({op, cycles});
        return namedOps(context, std::move(ops), whole, [&](int op) { return fullest(opCycles(d, op, frame, vec).compute); });
    };
    int const tile = fullest(busy);
    double mean = 0;
    for (double const cycles : busy) mean += cycles / static_cast<double>(busy.size());
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "tile";
    row.subjectId = tile;
    row.numbers = Json{{"ipu", context.ipuOf(tile)},
                       {"tile", context.indexOf(tile)},
                       {"busy", static_cast<Cycles>(busy[static_cast<std::size_t>(tile)])},
                       {"mean", static_cast<Cycles>(mean)},
                       {"waiting", static_cast<Cycles>(all)},
                       {"share", all / whole},
                       {"ipus", context.ipus()},
                       {"balance", 1 - all / computed},
                       {"layers", listOf(layers)},
                       {"ops", listOf(waiting)}}
                      .dump();
    row.evidence =
        "SELECT c.id AS compute_set, n.text AS name, c.cycles_max, c.active_tiles, s.executions, s.tile_balance FROM step_stat s JOIN "
        "program p ON p.id = s.program JOIN compute_set c ON c.id = p.compute_set JOIN name n ON n.id = c.name WHERE s.run = "
        + std::to_string(context.run) + " ORDER BY s.cycles * (1 - s.tile_balance) DESC LIMIT 20";
    row.gainCycles = static_cast<Cycles>(all / whole * static_cast<double>(context.patternCycles));
    row.action = Changes(context).doubleBatch().noOutlining().otherProductPlans().action();
    found.push_back(std::move(row));
}

/// Exchange that takes much of the time although computing takes more, by operation.
void largeExchange(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    if (context.run < 0) return;
    auto const frame = runFrame(d, context.run);
    auto const split = splitOf(d, context.run);
    auto const of = [&](Phase phase) { return static_cast<double>(split[static_cast<std::size_t>(phase)]); };
    double const whole = frame.ipuCycles(), exchange = of(Phase::InternalExchange) + of(Phase::GlobalExchange);
    if (whole <= 0 || exchange <= kMuchExchange * whole || exchange > of(Phase::Compute)) return; // the latter is exchange.bound
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "run";
    row.subjectId = context.run;
    auto const ops = exchangingOps(context, "graph");
    if (!ops.empty()) {
        row.subjectKind = "op";
        row.subjectId = ops.front()["op"];
    }
    double const patterns = static_cast<double>(std::max<std::int64_t>(1, context.patterns)) * static_cast<double>(frame.ipus.size());
    row.numbers = Json{
        {"exchange", static_cast<Cycles>(exchange / patterns)},
        {"share", context.shareOfStep({Phase::InternalExchange, Phase::GlobalExchange})},
        {"ipus", context.ipus()},
        {"layers", exchangingOps(context, "keras")},
        {"ops", ops}}.dump();
    row.evidence = "SELECT p.id AS program, n.text AS name, s.ipu, s.cycles, s.executions, s.bytes_in, s.bytes_out, s.data_balance FROM "
                   "step_stat s JOIN program p ON p.id = s.program JOIN name n ON n.id = p.name WHERE s.run = "
        + std::to_string(context.run) + " AND p.kind IN ('exchange', 'global_exchange') ORDER BY s.cycles DESC LIMIT 20";
    row.gainCycles = static_cast<Cycles>(exchange / whole * static_cast<double>(context.patternCycles));
    row.action = Changes(context).doubleBatch().halfPartials().noOutlining().otherProductPlans().action();
    found.push_back(std::move(row));
}

} // namespace

Json exchangingOps(InsightContext const &context, std::string_view level)
{
    auto const &d = context.d;
    auto const frame = runFrame(d, context.run);
    double const whole = frame.ipuCycles();
    if (context.run < 0 || whole <= 0) return Json::array();
    auto const costs = costsByOp(d, costsByProgram(d, context.run));
    auto const vec = tileVecsOf(d);
    std::vector<NamedOp> ops;
    double const replica = context.replicaCycles();
    for (int op = 0; op < static_cast<int>(d.ops.size()); ++op) {
        if (rowAt(d.ops, op).level != level) continue;
        auto const &cost = costs[static_cast<std::size_t>(op)];
        auto const cycles = static_cast<double>(cost.of(Phase::InternalExchange) + cost.of(Phase::GlobalExchange));
        if (cycles > 0) ops.push_back({op, cycles / whole * replica});
    }
    return namedOps(context, std::move(ops), replica, [&](int op) { return fullest(opCycles(d, op, frame, vec).exchange); });
}

void addLoadRules(std::vector<InsightRule> &all)
{
    all.push_back({"tiles.waiting", 1, "tiles wait over 15 % of the time for slower ones to finish their compute phases", waitingTiles});
    all.push_back({"exchange.large", 1, "exchange takes over 15 % of the time, though less than compute", largeExchange});
}

} // namespace tilewright::report
