#include "engine/core/files.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/store/export_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/report_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::store {

using namespace report;
using Json = nlohmann::json;

namespace {

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --line: #8884; --bar: #3b7dd8; --limit: #c33; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: .2rem .7rem .2rem 0; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: 12rem; background: #8881; }
p.note { font-style: italic; }
)css";

std::string escaped(std::string const &text)
{
    std::string out;
    for (char const c : safeText(text, Breaks::Kept)) {
        if (c == '&') out += "&amp;";
        else if (c == '<') out += "&lt;";
        else if (c == '>') out += "&gt;";
        else if (c == '"') out += "&quot;";
        else out += c;
    }
    return out;
}

std::string cell(Json const &value)
{
    if (value.is_null()) return "";
    if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
    if (value.is_number_integer()) return groupedDigits(value.get<std::int64_t>());
    if (value.is_number()) return shortText(value.get<double>(), 6);
    return escaped(value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string table(std::vector<std::string> const &columns, Json const &objects, std::size_t cap = 200)
{
    if (!objects.is_array() || objects.empty()) return "<p class=\"note\">none</p>\n";
    auto const valueOf = [](Json const &object, std::string const &name) { return object.contains(name) ? object[name] : Json(); };
    std::string out = "<div class=\"wide\"><table><tr>";
    std::vector<bool> numeric;
    for (auto const &column : columns) {
        numeric.push_back(std::all_of(objects.begin(), objects.end(),
                                      [&](Json const &o) { return valueOf(o, column).is_number() || valueOf(o, column).is_null(); }));
        std::string title = column;
        std::replace(title.begin(), title.end(), '_', ' ');
        out += std::string(numeric.back() ? "<th class=\"n\">" : "<th>") + escaped(title) + "</th>";
    }
    out += "</tr>\n";
    std::size_t shown = 0;
    for (auto const &object : objects) {
        if (shown++ == cap) break;
        out += "<tr>";
        for (std::size_t c = 0; c < columns.size(); ++c)
            out += std::string(numeric[c] ? "<td class=\"n\">" : "<td>") + cell(valueOf(object, columns[c])) + "</td>";
        out += "</tr>\n";
    }
    out += "</table></div>\n";
    if (objects.size() > cap)
        out +=
            "<p class=\"note\">" + groupedDigits(static_cast<std::int64_t>(objects.size() - cap)) + " more rows are in the report.</p>\n";
    return out;
}

/// Values as columns of a picture 1000 wide; of many values the largest under each column, so nothing hides.
std::string bars(std::vector<std::int64_t> const &values, std::int64_t limit, std::string const &label)
{
    if (values.empty()) return {};
    std::size_t const columns = std::min<std::size_t>(values.size(), 500);
    std::int64_t top = std::max<std::int64_t>(1, limit);
    for (auto const v : values) top = std::max(top, v);
    double const step = 1000.0 / static_cast<double>(columns);
    std::string out = "<svg viewBox=\"0 0 1000 200\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"" + escaped(label) + "\">";
    for (std::size_t c = 0; c < columns; ++c) {
        auto const begin = c * values.size() / columns, end = std::max(begin + 1, (c + 1) * values.size() / columns);
        auto const most =
            *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end));
        double const height = 190.0 * static_cast<double>(std::max<std::int64_t>(0, most)) / static_cast<double>(top);
        out += "<rect x=\"" + fixedText(static_cast<double>(c) * step, 2) + "\" y=\"" + fixedText(200 - height, 2) + "\" width=\""
            + fixedText(step, 2) + "\" height=\"" + fixedText(height, 2) + "\" fill=\"var(--bar)\"/>";
    }
    if (limit > 0) {
        auto const y = fixedText(200 - 190.0 * static_cast<double>(limit) / static_cast<double>(top), 2);
        out +=
            "<line x1=\"0\" x2=\"1000\" y1=\"" + y + "\" y2=\"" + y + "\" stroke=\"var(--limit)\" vector-effect=\"non-scaling-stroke\"/>";
    }
    return out + "</svg>\n<p>" + escaped(label) + "</p>\n";
}

std::string note(Json const &part) { return part.contains("note") ? "<p class=\"note\">" + cell(part["note"]) + "</p>\n" : std::string(); }

} // namespace

Result<ExportResult> exportHtml(ReportReader const &reader, std::filesystem::path const &path)
{
    TW_ASSIGN(auto const summary, summaryJson(reader));
    TW_ASSIGN(auto const memory, memoryJson(reader));
    TW_ASSIGN(auto const liveness, livenessJson(reader));
    TW_ASSIGN(auto const operations, operationsJson(reader));
    TW_ASSIGN(auto const timeline, timelineJson(reader));
    TW_ASSIGN(auto const insights, insightsJson(reader));
    TW_ASSIGN(auto const target, reader.target());
    std::string const title = summary["meta"].contains("title") ? summary["meta"]["title"].get<std::string>() : path.stem().string();
    std::string out =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>"
        + escaped(title) + "</title><style>" + kStyle + "</style></head><body>\n<h1>" + escaped(title) + "</h1>\n";
    if (summary["fits"].is_boolean()) {
        out += std::string("<p>") + (summary["fits"].get<bool>() ? "Fits" : "Does not fit") + ".";
        if (summary.contains("worst_tile")) out += " " + worstTileSentence(summary);
        out += "</p>\n";
    }
    out += "<h2>Headline numbers</h2>\n" + table({"name", "value", "unit", "origin"}, summary["figures"]);
    out += "<h2>Memory</h2>\n" + note(memory);
    TW_ASSIGN(auto const metrics, reader.rows<TileMetricRow>());
    for (auto const &metric : metrics) {
        if (metric.name != "with_gaps") continue;
        TW_ASSIGN(auto const values, reader.tileVec(metric.vec));
        out += bars(values, target.bytesPerTile, "Bytes placed on each tile, gaps included; the line is the limit");
    }
    out += table(
        {"id", "worst_tile", "max_tile_bytes_with_gaps", "worst_tile_gaps", "worst_tile_need", "limit_bytes", "total_bytes_with_gaps"},
        memory["ipus"]);
    out += table({"category", "region", "overlapped", "total", "max", "worst_tile", "tiles"}, memory["parts"]);
    out += "<h2>Largest variables</h2>\n"
        + table({"name", "op", "role", "dtype", "bytes", "bytes_on_worst_tile", "worst_tile", "always_live"}, memory["largest_variables"]);
    out += "<h2>Liveness</h2>\n" + note(liveness);
    auto const curve = reader.liveCurve("all", 0);
    // None is nothing to draw; one that cannot be read makes no page with a hole.
    if (!curve.ok() && curve.error().code != "report.no-curve") return curve.error();
    if (curve.ok()) {
        auto values = curve->notAlwaysLive;
        for (auto &v : values) v += curve->alwaysLive;
        out += bars(values, 0, "Live bytes of all tiles by step");
    }
    out += table({"scope", "scope_id", "always_live", "peak", "peak_step"}, liveness["curves"]);
    out += "<h2>Operations</h2>\n" + note(operations)
        + table({"op", "level", "kind", "name", "pass", "stage", "flops", "executions", "cycles", "cycles_estimated", "code_attributed",
                 "variable_bytes"},
                operations["operations"], 500);
    out += "<h2>Runs</h2>\n" + note(timeline)
        + table({"id", "name", "kind", "mode", "state", "steps", "samples", "cycles", "cycles_per_step", "samples_per_second",
                 "host_seconds"},
                timeline["runs"]);
    for (auto const &run : timeline["runs"])
        if (!run["ipus"].empty())
            out += table(
                {"ipu", "compute", "internal_exchange", "global_exchange", "stream", "sync", "idle", "utilisation", "tile_utilisation"},
                run["ipus"]);
    out += "<h2>Insights</h2>\n"
        + table({"severity", "rule", "subject_kind", "subject_id", "numbers", "gain_bytes", "gain_cycles"}, insights["insights"]);
    out += "<h2>Options that are not default</h2>\n"
        + table({"scope", "name", "value", "default_value", "source"}, summary["options_changed"]);
    out += "<h2>Parts of the report</h2>\n" + table({"name", "state", "rows", "bytes", "note"}, summary["parts"]) + "</body></html>\n";
    TW_TRY(writeOutputFile(path, std::string_view(out)));
    return ExportResult{path, 0, false};
}

} // namespace tilewright::store
