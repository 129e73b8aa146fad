// What the planner of products chose.
#include "engine/config/option_value.h"
#include "engine/config/validate.h"
#include "engine/core/json_text.h"
#include "engine/report/insights/changes.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kFarFromIdeal = 20.0; ///< estimated cycles against the arithmetic peak
constexpr double kMatters = 0.05;

/// The plan of an op, or a discarded value: reports of other origin may hold anything.
Json planOf(OpRow const &op) { return op.plan.size() > 2 ? orderedJsonOrDiscarded(op.plan) : Json(); }

double proportion(InsightContext const &context)
{
    if (auto const *given = context.option("ipu_config", "matmuls.poplar_options")) {
        auto const dict = orderedJsonOrDiscarded(*given);
        if (dict.is_object() && dict.contains("availableMemoryProportion")) {
            auto const &entry = dict["availableMemoryProportion"];
            auto const share = entry.is_string() ? config::parseMemoryProportion(entry.get<std::string>(), "") : Result<double>(0.0);
            double const value = entry.is_number() ? entry.get<double>() : share.ok() ? *share : 0.0;
            if (value > 0 && value <= 1) return value;
        }
    }
    return config::kStandardMemoryProportion;
}

std::string evidence(int op)
{
    return "SELECT n.text AS name, o.cycles_estimated, o.cycles_ideal, json_extract(o.plan, '$.chosen.split') AS split, "
           "json_extract(o.plan, "
           "'$.chosen.temporary_bytes') AS temporary_bytes FROM op o JOIN name n ON n.id = o.name WHERE o.id = "
        + std::to_string(op);
}

/// Products for which no plan kept its temporaries under the asked share of a tile.
void boundRelaxed(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    for (int id = 0; id < static_cast<int>(d.ops.size()); ++id) {
        auto const &op = rowAt(d.ops, id);
        auto const plan = planOf(op);
        if (!plan.is_object() || !plan.contains("chosen") || !plan["chosen"].is_object()) continue;
        auto const &chosen = plan["chosen"];
        if (chosen.value("within_memory_bound", true)) continue;
        auto const temporary = chosen.value("temporary_bytes", std::int64_t{0});
        double const asked = proportion(context);
        double const needed = d.target.bytesPerTile > 0 ? static_cast<double>(temporary) / static_cast<double>(d.target.bytesPerTile) : 0.0;
        InsightRow row;
        row.severity = "note"; // the planner went over the bound by itself: another value would change nothing
        row.subjectKind = "op";
        row.subjectId = id;
        row.numbers = Json{{"name", op.name}, {"proportion", asked}, {"needed", needed}, {"temporary_bytes", temporary}}.dump();
        row.evidence = evidence(id);
        found.push_back(std::move(row));
    }
}

/// Products that take long and are far from what the arithmetic could do.
void farFromPeak(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    if (context.run < 0) return;
    for (int id = 0; id < static_cast<int>(d.ops.size()); ++id) {
        auto const &op = rowAt(d.ops, id);
        if (op.cyclesIdeal <= 0 || op.cyclesEstimated <= 0) continue;
        double const factor = static_cast<double>(op.cyclesEstimated) / static_cast<double>(op.cyclesIdeal);
        double const share = context.share(op.cyclesEstimated);
        if (factor <= kFarFromIdeal || share <= kMatters) continue;
        InsightRow row;
        row.severity = "note";
        row.subjectKind = "op";
        row.subjectId = id;
        row.numbers = Json{{"name", op.name},       {"cycles", op.cyclesEstimated},    {"ideal", op.cyclesIdeal},
                           {"factor", factor},      {"share", share / context.ipus()}, {"ipu_share", share},
                           {"ipus", context.ipus()}}
                          .dump();
        row.evidence = evidence(id);
        row.gainCycles = op.cyclesEstimated - op.cyclesIdeal;
        row.action = Changes(context).doubleBatch().otherProductPlans().action();
        found.push_back(std::move(row));
    }
}

} // namespace

void addMatmulRules(std::vector<InsightRule> &all)
{
    all.push_back({"matmul.bound-relaxed", 2, "a product's plan needs more temporary memory than its limit", boundRelaxed});
    all.push_back(
        {"matmul.far-from-peak", 3, "a product takes over 5 % of the time and 20 times the cycles of its arithmetic", farFromPeak});
}

} // namespace tilewright::report
