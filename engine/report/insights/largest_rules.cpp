// What takes the room.
#include "engine/report/insights/changes.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kMuchCode = 0.5;   ///< of a tile's always-live bytes
constexpr double kWorthALook = 0.1; ///< of a tile: below that nobody needs advice on memory
constexpr double kManyFloats = 0.5; ///< of the worst tile in 32-bit variables
constexpr double kHalfFull = 0.5;
constexpr std::size_t kListed = 5;

/// Optimiser state, partial sums and constants keep their precision.
bool mayBeNarrow(std::string const &role)
{
    return role == "weight" || role == "activation" || role == "gradient" || role == "message" || role == "input";
}

/// The largest variables on the worst tile at its peak.
void worstTileAtPeak(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    auto const *verdict = verdictOfAll(d);
    if (!verdict || d.tileLayout.empty() || verdict->peakStep < 0) return;
    auto const live = liveOnTile(d, verdict->worstTile, verdict->peakStep);
    if (live.variables.empty()) return;
    InsightRow row;
    row.severity = "note";
    row.subjectKind = "variable";
    row.subjectId = live.variables.front().variable;
    row.numbers = Json{{"ipu", context.ipuOf(verdict->worstTile)},
                       {"tile", context.indexOf(verdict->worstTile)},
                       {"step", verdict->peakStep},
                       {"live", live.bytes},
                       {"largest", largestAtPeak(d, *verdict)}}
                      .dump();
    row.evidence = "SELECT l.variable, n.text AS name, l.bytes, l.always_live, l.born, l.dies FROM live_at("
        + std::to_string(verdict->peakStep) + ", " + std::to_string(verdict->worstTile)
        + ") l LEFT JOIN variable v ON v.id = l.variable LEFT JOIN name n ON n.id = v.name ORDER BY l.bytes DESC LIMIT 20";
    found.push_back(std::move(row));
}

void muchCode(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    auto const *always = context.metric("always_live");
    if (!always || d.target.bytesPerTile <= 0) return;
    std::vector<Bytes> code(always->size(), 0);
    for (auto const &part : d.memoryParts) {
        switch (part.category) {
        case MemoryCategory::VertexCode:
        case MemoryCategory::InternalExchangeCode:
        case MemoryCategory::GlobalExchangeCode:
        case MemoryCategory::HostExchangeCode:
        case MemoryCategory::ControlCode:
        case MemoryCategory::SharedCode: break;
        default: continue;
        }
        auto const &values = d.tileVecs.values(part.vec);
        for (std::size_t t = 0; t < std::min(code.size(), values.size()); ++t) code[t] += values[t];
    }
    auto const worst = std::ranges::max_element(code) - code.begin();
    if (code.empty()) return;
    Bytes const bytes = rowAt(code, worst), live = rowAt(*always, worst);
    if (static_cast<double>(bytes) <= kMuchCode * static_cast<double>(live)
        || static_cast<double>(bytes) <= kWorthALook * static_cast<double>(d.target.bytesPerTile))
        return;
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "tile";
    row.subjectId = static_cast<int>(worst);
    row.numbers = Json{{"ipu", context.ipuOf(worst)},
                       {"tile", context.indexOf(worst)},
                       {"code", bytes},
                       {"always_live", live},
                       {"share", static_cast<double>(bytes) / static_cast<double>(live)}}
                      .dump();
    row.evidence =
        "SELECT n.text AS operation, o.level, o.code_exclusive, o.code_shared, o.code_attributed FROM op o JOIN name n ON n.id = o.name "
        "WHERE o.level = 'keras' ORDER BY o.code_attributed DESC LIMIT 20";
    found.push_back(std::move(row));
}

/// 32-bit variables that would take half the room: only where room is scarce.
void halfPrecision(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    auto const *verdict = verdictOfAll(d);
    if (!verdict || d.tileLayout.empty() || verdict->capacity <= 0) return;
    if (static_cast<double>(verdict->bytes) < kHalfFull * static_cast<double>(verdict->capacity)) return;
    Bytes floats = 0;
    std::int64_t candidates = 0;
    for (auto const &[id, bytes] : liveOnTile(d, verdict->worstTile, std::max(0, verdict->peakStep)).variables) {
        auto const &variable = rowAt(d.variables, id);
        if (variable.dtype != "f32" || !mayBeNarrow(variable.role)) continue;
        floats += bytes;
        ++candidates;
    }
    if (static_cast<double>(floats) < kManyFloats * static_cast<double>(verdict->bytes)) return;
    InsightRow row;
    row.severity = "note"; // whether the model bears it only its loss can tell
    row.subjectKind = "tile";
    row.subjectId = verdict->worstTile;
    row.numbers = Json{{"ipu", context.ipuOf(verdict->worstTile)},
                       {"tile", context.indexOf(verdict->worstTile)},
                       {"bytes", floats},
                       {"variables", candidates},
                       {"total", verdict->bytes}}
                      .dump();
    row.evidence =
        "SELECT n.text AS name, v.role, v.dtype, v.bytes FROM variable v JOIN name n ON n.id = v.name WHERE v.dtype = 'f32' AND v.role IN "
        "('weight', 'activation', 'gradient', 'message', 'input') ORDER BY v.bytes DESC LIMIT 20";
    row.gainBytes = floats / 2;
    row.action = Changes(context).halfLayers().action();
    found.push_back(std::move(row));
}

} // namespace

Json largestAtPeak(ReportData const &d, VerdictRow const &verdict)
{
    Json list = Json::array();
    if (d.tileLayout.empty() || verdict.peakStep < 0) return list;
    for (auto const &[variable, bytes] : liveOnTile(d, verdict.worstTile, verdict.peakStep).variables) {
        if (list.size() == kListed) break;
        list.push_back({{"variable", variable}, {"name", rowAt(d.variables, variable).name}, {"bytes", bytes}});
    }
    return list;
}

void addLargestRules(std::vector<InsightRule> &all)
{
    all.push_back({"memory.largest-at-peak", 1, "the largest variables of the worst tile at its peak", worstTileAtPeak});
    all.push_back({"memory.much-code", 1, "code is over half of a tile's always-live memory and over a tenth of its memory", muchCode});
    all.push_back({"memory.half-precision", 2, "a tile is over half full, mostly with 32-bit variables", halfPrecision});
}

} // namespace tilewright::report
