// Rules about the fit and the remaining room.
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kNearlyFull = 0.9;
constexpr double kCodeRoom = 0.05;      ///< of the executable region
constexpr double kRoomElsewhere = 0.25; ///< of the tile
constexpr double kUnequalIpus = 1.5;    ///< ratio of an IPU's worst tile to the mean of all IPUs' worst tiles

std::string tileEvidence(int tile)
{
    return "SELECT category, region, variable, offset, bytes FROM placed(" + std::to_string(tile) + ") ORDER BY bytes DESC LIMIT 20";
}

Json largestParts(InsightContext const &context, int tile)
{
    std::vector<std::pair<Bytes, std::string>> parts;
    for (auto const &part : context.d.memoryParts) {
        Bytes const bytes = rowAt(context.d.tileVecs.stretch(part.vec), tile);
        if (bytes > 0)
            parts.emplace_back(bytes,
                               std::string(toText(part.category)) + "/" + std::string(toText(part.region))
                                   + (part.overlapped ? "/overlapped" : ""));
    }
    std::ranges::sort(parts, [](auto const &a, auto const &b) { return std::pair(-a.first, a.second) < std::pair(-b.first, b.second); });
    Json json = Json::array();
    for (std::size_t i = 0; i < std::min<std::size_t>(5, parts.size()); ++i)
        json.push_back({{"part", parts[i].second}, {"bytes", parts[i].first}});
    return json;
}

void doesNotFit(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const *withGaps = context.metric("with_gaps");
    auto const *need = context.metric("need");
    auto const perIpu = context.perIpu();
    for (auto const &verdict : context.d.verdicts) {
        if (verdict.scope != "ipu" || verdict.fits) continue;
        Json numbers{{"ipu", verdict.scopeId},
                     {"tile", context.indexOf(verdict.worstTile)},
                     {"bytes", verdict.bytes},
                     {"capacity", verdict.capacity},
                     {"cause", verdict.cause}};
        if (need) numbers["need"] = rowAt(*need, verdict.worstTile);
        if (withGaps) {
            std::int64_t over = 0;
            for (std::int64_t t = 0; t < perIpu; ++t) over += rowAt(*withGaps, verdict.scopeId * perIpu + t) > verdict.capacity;
            numbers["tiles_over"] = over;
            numbers["tiles"] = perIpu;
        }
        numbers["parts"] = largestParts(context, verdict.worstTile);
        numbers["largest"] = largestAtPeak(context.d, verdict);
        InsightRow row;
        row.severity = "error";
        row.subjectKind = "ipu";
        row.subjectId = verdict.scopeId;
        row.numbers = numbers.dump();
        row.evidence = tileEvidence(verdict.worstTile);
        row.gainBytes = verdict.bytes - verdict.capacity;
        found.push_back(std::move(row));
    }
}

void nearlyFull(InsightContext const &context, std::vector<InsightRow> &found)
{
    for (auto const &verdict : context.d.verdicts) {
        if (verdict.scope != "ipu" || !verdict.fits || verdict.capacity <= 0) continue;
        double const used = static_cast<double>(verdict.bytes) / static_cast<double>(verdict.capacity);
        if (used <= kNearlyFull) continue;
        InsightRow row;
        row.severity = "warning";
        row.subjectKind = "tile";
        row.subjectId = verdict.worstTile;
        row.numbers = Json{{"ipu", verdict.scopeId},
                           {"tile", context.indexOf(verdict.worstTile)},
                           {"bytes", verdict.bytes},
                           {"capacity", verdict.capacity},
                           {"share", used},
                           {"parts", largestParts(context, verdict.worstTile)},
                           {"largest", largestAtPeak(context.d, verdict)}}
                          .dump();
        row.evidence = tileEvidence(verdict.worstTile);
        found.push_back(std::move(row));
    }
}

void codeRegionFull(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const *room = context.metric("executable_room");
    auto const *headroom = context.metric("headroom");
    if (!room || !headroom) return;
    Bytes region = 0;
    for (auto const &row : context.d.memoryRegions)
        if (row.executable) region += row.bytes;
    std::int64_t tiles = 0;
    int worst = kNone;
    for (std::size_t t = 0; t < room->size(); ++t) {
        bool const tight = static_cast<double>((*room)[t]) < kCodeRoom * static_cast<double>(region)
            && static_cast<double>((*headroom)[t]) > kRoomElsewhere * static_cast<double>(context.d.target.bytesPerTile);
        if (!tight) continue;
        ++tiles;
        if (worst < 0 || (*room)[t] < rowAt(*room, worst)) worst = static_cast<int>(t);
    }
    if (tiles == 0) return;
    InsightRow row;
    row.severity = "warning";
    row.subjectKind = "tile";
    row.subjectId = worst;
    row.numbers = Json{{"ipu", context.ipuOf(worst)},
                       {"tile", context.indexOf(worst)},
                       {"tiles", tiles},
                       {"room", rowAt(*room, worst)},
                       {"region", region},
                       {"headroom", rowAt(*headroom, worst)}}
                      .dump();
    row.evidence = "SELECT t.name AS vertex_type, v.value AS code_bytes FROM (SELECT n.text AS name, code_vec FROM vertex_type JOIN name n "
                   "ON n.id = vertex_type.name) t JOIN tile_values(t.code_vec) v WHERE v.tile = "
        + std::to_string(worst) + " AND v.value > 0 ORDER BY v.value DESC";
    found.push_back(std::move(row));
}

void unequalIpus(InsightContext const &context, std::vector<InsightRow> &found)
{
    double sum = 0;
    int ipus = 0;
    VerdictRow const *worst = nullptr;
    for (auto const &verdict : context.d.verdicts) {
        if (verdict.scope != "ipu") continue;
        sum += static_cast<double>(verdict.bytes);
        ++ipus;
        if (!worst || verdict.bytes > worst->bytes) worst = &verdict;
    }
    if (ipus < 2 || static_cast<double>(worst->bytes) <= kUnequalIpus * sum / ipus) return;
    if (2 * worst->bytes < worst->capacity) return; // enough room on all tiles
    auto const mean = static_cast<std::int64_t>(sum / ipus);
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "ipu";
    row.subjectId = worst->scopeId;
    row.numbers = Json{{"ipu", worst->scopeId}, {"bytes", worst->bytes}, {"mean", mean}, {"capacity", worst->capacity}}.dump();
    row.evidence = "SELECT scope_id AS ipu, worst_tile, bytes, capacity FROM verdict WHERE scope = 'ipu' ORDER BY bytes DESC";
    row.gainBytes = worst->bytes - mean;
    found.push_back(std::move(row));
}

} // namespace

void addFitRules(std::vector<InsightRule> &all)
{
    all.push_back({"memory.does-not-fit", 2, "a tile needs more bytes than it has", doesNotFit});
    all.push_back({"memory.nearly-full", 2, "the worst tile of an IPU is over 90 % full", nearlyFull});
    all.push_back({"memory.code-region-full", 1, "less than 5 % of the executable region is free although a quarter of the tile is free",
                   codeRegionFull});
    all.push_back({"memory.unequal-ipus", 1, "one IPU's worst tile holds 1.5 times the mean, and over half of its memory", unequalIpus});
}

} // namespace tilewright::report
