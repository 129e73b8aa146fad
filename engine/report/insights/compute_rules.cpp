// Compute sets that leave tiles idle.
#include "engine/report/insights/changes.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kUneven = 0.5; ///< mean over active tiles against the slowest
constexpr double kFewTiles = 0.25;
constexpr double kMatters = 0.05; ///< of the pattern's cycles

struct Use {
    std::int64_t sum = 0, most = 0, active = 0, tiles = 0;
    std::int64_t slowestTile = 0; ///< in the IPU
    double share = 0;             ///< on the busiest IPU
    InsightContext::Cost cost;
};

Use useOf(InsightContext const &context, int id)
{
    Use use;
    auto const &set = rowAt(context.d.computeSets, id);
    use.cost = context.computeSetCost(id);
    use.share = context.share(use.cost.cycles);
    for (auto const cycles : context.tilesOf(set.cyclesVec, use.cost.ipu)) {
        use.sum += cycles;
        if (cycles > use.most) use.slowestTile = use.tiles;
        use.most = std::max(use.most, cycles);
        use.active += cycles > 0;
        ++use.tiles;
    }
    return use;
}

InsightRow rowFor(InsightContext const &context, int id, Use const &use, double balance)
{
    auto const &set = rowAt(context.d.computeSets, id);
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "compute_set";
    row.subjectId = id;
    row.numbers = Json{{"name", set.name},
                       {"cycles", use.cost.cycles},
                       {"executions", use.cost.executions},
                       {"share", context.shareOfStep(context.cyclesOfSet(id))},
                       {"ipu_share", use.share},
                       {"ipus", context.ipus()},
                       {"balance", balance},
                       {"active_tiles", use.active},
                       {"tiles", use.tiles},
                       {"slowest", use.most},
                       {"ipu", context.ipuOf(static_cast<std::int64_t>(context.firstTileOf(use.cost.ipu)))},
                       {"tile", use.slowestTile}}
                      .dump();
    row.evidence =
        "SELECT tile, ipu, x, y, value AS cycles FROM tile_values(" + std::to_string(set.cyclesVec) + ") ORDER BY value DESC LIMIT 50";
    return row;
}

void uneven(InsightContext const &context, std::vector<InsightRow> &found)
{
    if (context.run < 0) return;
    for (int id = 0; id < static_cast<int>(context.d.computeSets.size()); ++id) {
        auto const use = useOf(context, id);
        if (use.most == 0 || use.share <= kMatters) continue;
        double const balance = static_cast<double>(use.sum) / (static_cast<double>(use.most) * static_cast<double>(use.active));
        if (balance >= kUneven) continue;
        auto row = rowFor(context, id, use, balance);
        row.gainCycles = (use.most - ceilDiv(use.sum, use.active)) * use.cost.executions;
        row.action = Changes(context).doubleBatch().otherProductPlans().action();
        found.push_back(std::move(row));
    }
}

void fewTiles(InsightContext const &context, std::vector<InsightRow> &found)
{
    if (context.run < 0) return;
    for (int id = 0; id < static_cast<int>(context.d.computeSets.size()); ++id) {
        auto const use = useOf(context, id);
        if (use.most == 0 || use.share <= kMatters || static_cast<double>(use.active) >= kFewTiles * static_cast<double>(use.tiles))
            continue;
        auto row =
            rowFor(context, id, use, static_cast<double>(use.sum) / (static_cast<double>(use.most) * static_cast<double>(use.tiles)));
        row.gainCycles = (use.most - ceilDiv(use.sum, use.tiles)) * use.cost.executions;
        row.action = Changes(context).doubleBatch().otherProductPlans().action();
        found.push_back(std::move(row));
    }
}

} // namespace

void addComputeRules(std::vector<InsightRule> &all)
{
    all.push_back({"compute.uneven", 3,
                   "a compute set takes over 5 % of the time, and its active tiles are on average less than half as busy as the slowest",
                   uneven});
    all.push_back({"compute.few-tiles", 3, "a compute set takes over 5 % of the time on less than a quarter of the tiles", fewTiles});
}

} // namespace tilewright::report
