#include "engine/store/report_text.h"

#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/report/quantities.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::store {

using Json = nlohmann::json;

namespace {

std::string cellText(Json const &value)
{
    if (value.is_null()) return "";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_integer()) return groupedDigits(value.get<std::int64_t>());
    if (value.is_number()) {
        double const number = value.get<double>();
        bool const whole = number == std::floor(number) || std::abs(number) >= 1e5; // six digits are enough for people
        if (whole && std::abs(number) < 1e15) return groupedDigits(std::llround(number));
        return shortText(number, 6);
    }
    if (value.is_string()) return safeText(value.get<std::string>()); // a row stays a row
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json field(Json const &object, char const *name)
{
    auto const it = object.is_object() ? object.find(name) : object.end();
    return it == object.end() ? Json() : *it;
}

std::string heading(std::string const &text) { return "\n" + text + "\n"; }

void line(std::string &out, char const *label, Json const &value, char const *unit = "")
{
    if (value.is_null()) return;
    out += std::string(label) + ": " + cellText(value) + (*unit ? std::string(" ") + unit : std::string()) + "\n";
}

std::string percent(Json const &value)
{
    if (!value.is_number()) return "";
    return fixedText(100 * value.get<double>(), 1) + " %";
}

std::string runsText(Json const &runs)
{
    std::string out = heading("Runs")
        + textTable({"id", "name", "kind", "mode", "state", "steps", "samples", "cycles", "cycles_per_step", "samples_per_second",
                     "emulated_seconds", "host_seconds"},
                    runs);
    for (auto const &run : runs) {
        auto const &ipus = run["ipus"];
        if (ipus.empty()) continue;
        Json shown = ipus;
        for (auto &ipu : shown) {
            ipu["utilisation"] = percent(field(ipu, "utilisation"));
            ipu["tile_utilisation"] = percent(field(ipu, "tile_utilisation"));
        }
        out += heading("Cycles of run " + cellText(run["id"]) + " by IPU (" + cellText(run["origin"]) + ")")
            + textTable({"ipu", "compute", "internal_exchange", "global_exchange", "stream", "sync", "idle", "overlapped", "utilisation",
                         "tile_utilisation"},
                        shown);
    }
    return out;
}

/// "1 IPU", "4 IPUs".
std::string counted(Json const &number, char const *what) { return cellText(number) + " " + what + (number == 1 ? "" : "s"); }

/// A change as fields of `tilewright set`.
std::string changeText(Json const &change)
{
    std::string text;
    for (auto const &pair : change.contains("set") ? change["set"] : Json::array()) {
        auto const value = field(pair, "value");
        text += (text.empty() ? "" : " ") + cellText(field(pair, "path")) + "="
            + (value.is_string() ? safeText(value.get<std::string>()) : value.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    return text;
}

/// The changes of an insight: those that were compiled and gain, best first; else those of its action, the likeliest first.
std::string changesText(Json const &insight)
{
    if (insight.contains("tried")) {
        std::string text;
        for (auto const &change : insight["tried"])
            text += (text.empty() ? "" : "; or ") + changeText(change) + " (" + percent(field(change, "gain"))
                + (field(change, "gain_of") == "memory" ? " less memory)" : " more samples/s)");
        if (text.empty() && field(insight, "action").is_object()) return "none: the proposed changes gain nothing";
        return text;
    }
    auto const action = field(insight, "action");
    if (!action.is_object()) return "";
    auto text = changeText(action);
    for (auto const &other : action.contains("or") ? action["or"] : Json::array()) text += "; or " + changeText(other);
    return text;
}

/// The conditions of the rules and the changes; figures and evidence are in the JSON only.
std::string insightsText(Json const &insights)
{
    Json shown = insights;
    for (auto &one : shown) one["changes that may help"] = changesText(one);
    return textTable({"severity", "rule", "finding", "subject_kind", "subject_id", "gain_bytes", "gain_cycles", "changes that may help"},
                     shown);
}

/// The columns of `tilewright compile`: the figures of each IPU's worst tile.
std::string ipuMemoryText(Json const &ipus)
{
    std::vector<std::vector<Json>> rows;
    for (auto const &ipu : ipus) {
        auto const total = field(ipu, "total_bytes_with_gaps");
        rows.push_back({field(ipu, "id"), field(ipu, "worst_tile"), field(ipu, "max_tile_bytes_with_gaps"), field(ipu, "worst_tile_gaps"),
                        field(ipu, "worst_tile_need"), field(ipu, "limit_bytes"),
                        total.is_number() ? Json(bytesText(total.get<Bytes>())) : total});
    }
    return textTable({"IPU", "Worst tile", "Placed", "Gaps in it", "Need", "Limit", "Placed on all tiles"}, rows);
}

/// A tile metric in the words of the window and of `compile`; others keep their name in the file.
std::string metricTitle(std::string const &name)
{
    static std::map<std::string, char const *> const kTitles{{"with_gaps", "placed"},
                                                             {"without_gaps", "used"},
                                                             {"need", "need"},
                                                             {"headroom", "free"},
                                                             {"always_live", "always live"},
                                                             {"not_always_live_peak", "live at the peak only"},
                                                             {"overlap_union", "shared addresses"},
                                                             {"peak_step", "step of the peak"},
                                                             {"executable_room", "free for the executable's loader"}};
    auto const it = kTitles.find(name);
    return it == kTitles.end() ? name : it->second;
}

std::string summaryText(Json const &json)
{
    std::string out;
    auto const &meta = json["meta"];
    if (meta.contains("title")) out += meta["title"].get<std::string>() + "\n";
    auto const fits = json["fits"];
    if (!fits.is_null()) {
        out += fits.get<bool>() ? "Fits." : "Does not fit.";
        if (json.contains("worst_tile")) out += " " + worstTileSentence(json);
        out += "\n";
    }
    if (json["target"].is_object()) {
        auto const &t = json["target"];
        auto const name = field(meta, "target");
        out += "Target: "
            + (name.is_string() ? cellText(name) + " (" + cellText(t["architecture"]) + "), " : cellText(t["architecture"]) + ", ")
            + counted(t["ipus"], "IPU") + ", " + counted(t["replicas"], "replica") + "; " + cellText(t["tiles_per_ipu"])
            + " tiles per IPU, " + cellText(t["bytes_per_tile"]) + " bytes per tile, " + cellText(t["clock_hz"]) + " Hz\n";
    }
    std::string const origin = json["runs"].empty() ? "modelled" : cellText(json["runs"].back()["origin"]);
    line(out, ("Cycles per step (" + origin + ")").c_str(), field(json, "cycles_per_step"));
    line(out, ("Samples per second (" + origin + ")").c_str(), field(json, "samples_per_second"));
    if (json.contains("utilisation")) {
        out += "Utilisation: " + percent(json["utilisation"]) + " of the cycles are compute";
        if (json.contains("tile_utilisation"))
            out += "; vertices run in " + percent(json["tile_utilisation"]) + " of the cycles of all tiles";
        out += "\n";
    }
    if (json.contains("bubble_share")) out += "Bubble share: " + percent(json["bubble_share"]) + "\n";
    line(out, "Compute sets", field(json, "compute_sets"));
    line(out, "Vertices", field(json, "vertices"));
    line(out, "Exchanges", field(json, "exchanges"));
    if (!json["entries"].empty()) out += heading("Entries") + textTable({"name", "cycles_per_step", "samples_per_step"}, json["entries"]);
    out += heading("Memory by IPU") + ipuMemoryText(json["ipus"]);
    if (!json["runs"].empty()) out += runsText(json["runs"]);
    if (!json["options_changed"].empty())
        out += heading("Options that are not default")
            + textTable({"scope", "name", "value", "default_value", "source"}, json["options_changed"]);
    if (!json["insights"].empty()) out += heading("Insights") + insightsText(json["insights"]);
    out += heading("Parts") + textTable({"name", "state", "rows", "bytes", "watermark", "note"}, json["parts"]);
    return out;
}

std::string memoryText(Json const &json)
{
    std::string out;
    if (json.contains("tile")) {
        out = "Tile " + cellText(json["tile"]) + "\n";
        for (auto const *name : {"with_gaps", "without_gaps", "always_live", "not_always_live_peak", "headroom"})
            line(out, metricTitle(name).c_str(), field(json, name), "bytes");
        return out + "\n"
            + textTable({"offset", "bytes", "gap_before", "gap_reason", "region", "category", "name", "class", "alignment"},
                        json["placed"]);
    }
    out += "Memory by IPU\n" + ipuMemoryText(json["ipus"]);
    std::vector<std::vector<Json>> metrics;
    for (auto const &metric : json["metrics"])
        metrics.push_back({metricTitle(cellText(field(metric, "name"))), field(metric, "total"), field(metric, "min"), field(metric, "max"),
                           field(metric, "worst_tile")});
    out += heading("Figures of a tile") + textTable({"figure", "all tiles", "least", "most", "most on tile"}, metrics);
    out += heading("Bytes by category and region")
        + textTable({"category", "region", "overlapped", "total", "max", "worst_tile", "tiles"}, json["parts"]);
    std::vector<std::string> columns{"tile", "ipu"};
    std::vector<std::vector<Json>> worst(json["worst_tiles"].size());
    for (std::size_t i = 0; i < worst.size(); ++i) worst[i] = {json["worst_tiles"][i]["tile"], json["worst_tiles"][i]["ipu"]};
    for (auto const *name : {"with_gaps", "without_gaps", "need", "always_live", "not_always_live_peak", "headroom"}) {
        columns.push_back(metricTitle(name));
        for (std::size_t i = 0; i < worst.size(); ++i) worst[i].push_back(field(json["worst_tiles"][i], name));
    }
    out += heading("Worst tiles") + textTable(columns, worst);
    return out + heading("Largest variables")
        + textTable({"name", "op", "role", "dtype", "bytes", "bytes_on_worst_tile", "worst_tile", "always_live"},
                    json["largest_variables"]);
}

std::string livenessText(Json const &json)
{
    std::string out =
        cellText(json["steps"]) + " steps\n" + textTable({"scope", "scope_id", "always_live", "peak", "peak_step"}, json["curves"]);
    out += heading("Peaks") + textTable({"scope", "scope_id", "rank", "step", "bytes", "program", "op"}, json["peaks"]);
    if (json.contains("step"))
        out += heading("Live at step " + cellText(json["step"]) + ": " + cellText(json["live_bytes"]) + " bytes")
            + textTable({"name", "category", "bytes", "always_live", "born", "dies", "last_use"}, json["live"]);
    return out;
}

std::string programText(Json const &json)
{
    std::string out;
    for (auto const &function : json["functions"]) {
        out += heading("Function " + function["name"].get<std::string>() + (function["entry"].get<bool>() ? " (entry)" : ""));
        Json rows = function["programs"];
        for (auto &row : rows) {
            auto const depth = row["depth"].get<std::size_t>();
            row["kind"] = std::string(2 * std::min<std::size_t>(depth, 40), ' ')
                + (row.contains("label") ? cellText(row["label"]) + ": " : "") + row["kind"].get<std::string>()
                + (row.contains("repeat") ? " x" + cellText(row["repeat"]) : "")
                + (row.contains("at_most") ? " at most x" + cellText(row["at_most"]) : "");
        }
        out += textTable({"kind", "name", "op", "calls", "executions", "cycles", "cycles_estimated", "active_tiles", "vertices"}, rows);
    }
    out += heading("Vertex types") + textTable({"name", "code_bytes", "vertices", "state_bytes"}, json["vertex_types"]);
    return out + heading("Exchanges")
        + textTable({"program", "name", "kind", "bytes_sent", "bytes_received", "cycles", "code_bytes"}, json["exchanges"]);
}

std::string timelineText(Json const &json)
{
    std::string out = runsText(json["runs"]);
    out += heading("Patterns") + textTable({"id", "name", "cycles", "exact"}, json["patterns"]);
    out += heading("Placed") + textTable({"run", "seq", "pattern", "start_cycle", "repeats", "period", "first_step"}, json["places"]);
    out += heading("Lanes") + textTable({"id", "name", "kind", "time_base", "ipu", "depth", "events", "busy"}, json["lanes"]);
    Json top = json["programs"];
    if (top.size() > 20) top.erase(top.begin() + 20, top.end());
    out += heading("Programs by cycles")
        + textTable({"run", "ipu", "program", "kind", "name", "executions", "cycles", "cycles_min", "cycles_max", "active_tiles",
                     "tile_balance"},
                    top);
    if (!json["bubbles"].empty())
        out += heading("Bubbles") + textTable({"pattern", "ipu", "start_cycle", "end_cycle", "cause", "waiting_for"}, json["bubbles"]);
    return out;
}

} // namespace

std::string textTable(std::vector<std::string> const &columns, std::vector<std::vector<Json>> const &rows)
{
    if (rows.empty()) return "(none)\n";
    std::vector<std::size_t> widths;
    std::vector<bool> numeric(columns.size(), true);
    for (auto const &column : columns) widths.push_back(characterCount(column));
    std::vector<std::vector<std::string>> cells;
    for (auto const &row : rows) {
        auto &line_ = cells.emplace_back();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            Json const value = c < row.size() ? row[c] : Json();
            line_.push_back(cellText(value));
            widths[c] = std::max(widths[c], characterCount(line_.back()));
            if (!value.is_number() && !value.is_null()) numeric[c] = false;
        }
    }
    std::string out;
    auto const put = [&](std::vector<std::string> const &line_) {
        std::string text;
        for (std::size_t c = 0; c < columns.size(); ++c) {
            std::string const pad(widths[c] - characterCount(line_[c]), ' ');
            text += (c ? "  " : "") + (numeric[c] ? pad + line_[c] : line_[c] + pad);
        }
        while (!text.empty() && text.back() == ' ') text.pop_back();
        out += text + "\n";
    };
    put(columns);
    for (auto const &line_ : cells) put(line_);
    return out;
}

std::string textTable(std::vector<std::string> const &columns, Json const &objects)
{
    std::vector<std::vector<Json>> rows;
    for (auto const &object : objects) {
        auto &row = rows.emplace_back();
        for (auto const &column : columns) row.push_back(field(object, column.c_str()));
    }
    return textTable(columns, rows);
}

std::string worstTileSentence(Json const &summary)
{
    Json const tile = field(summary, "worst_tile"), placed = field(summary, "max_tile_bytes_with_gaps");
    if (!tile.is_number() || !placed.is_number()) return "";
    report::TileMemory memory;
    memory.tile = static_cast<int>(tile.get<double>());
    memory.placed = static_cast<Bytes>(placed.get<double>());
    if (Json const limit = field(field(summary, "target"), "bytes_per_tile"); limit.is_number()) memory.limit = limit.get<Bytes>();
    std::string text = report::worstTileSummary(memory) + ".";
    text.front() = 'W';
    return text;
}

std::string reportPartText(std::string const &part, Json const &json)
{
    std::string out;
    if (part == "summary") out = summaryText(json);
    if (part == "memory") out = memoryText(json);
    if (part == "liveness") out = livenessText(json);
    if (part == "program") out = programText(json);
    if (part == "operations")
        out = textTable({"op", "level", "kind", "name", "pass", "stage", "flops", "executions", "cycles", "cycles_per_step",
                         "cycles_estimated", "code_attributed", "variable_bytes"},
                        json["operations"]);
    if (part == "timeline") out = timelineText(json);
    if (part == "insights") {
        out = insightsText(json["insights"]);
        if (!json["insights"].empty())
            out += std::string("\nA gain is an upper bound, in cycles per weight update or in bytes on the worst tile. ")
                + (json["insights"].front().contains("tried")
                       ? "The changes were compiled, each alone:\ntheir gains are modelled. --json adds the figures and the evidence.\n"
                       : "The changes are not compiled yet:\n--try PROJECT compiles them and lists those that gain. --json adds the "
                         "figures and the evidence.\n");
    }
    if (part == "sql") {
        std::vector<std::vector<Json>> rows;
        for (auto const &row : json["rows"]) rows.emplace_back(row.begin(), row.end());
        out = textTable(json["columns"].get<std::vector<std::string>>(), rows);
        if (json["capped"].get<bool>()) out += "(more rows were left out)\n";
    }
    if (json.contains("note")) out = "Note: " + json["note"].get<std::string>() + "\n" + out;
    return out;
}

} // namespace tilewright::store
