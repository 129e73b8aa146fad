#include "engine/core/csv_text.h"
#include "engine/core/files.h"
#include "engine/core/text.h"
#include "engine/store/export_report.h"
#include "engine/store/report_reader.h"
#include "engine/store/row_json.h"

namespace tilewright::store {

using namespace report;
using Json = nlohmann::ordered_json;

namespace {

std::string cellOf(Json const &value)
{
    if (value.is_null()) return "";
    if (value.is_string()) return csvCell(value.get<std::string>());
    return csvCell(value.dump());
}

/// Every table that has rows, as objects by column, in the order of the format.
std::vector<std::pair<std::string, std::vector<Json>>> allTables(ReportData const &data)
{
    std::vector<std::pair<std::string, std::vector<Json>>> tables;
    auto const add = [&](auto const &rows) {
        using Row = typename std::remove_cvref_t<decltype(rows)>::value_type;
        if (rows.empty()) return;
        auto &table = tables.emplace_back(TableOf<Row>::kName, std::vector<Json>{});
        for (std::size_t i = 0; i < rows.size(); ++i) table.second.push_back(rowToJson(rows[i], i));
    };
    auto &meta = tables.emplace_back("meta", std::vector<Json>{});
    for (auto const &[key, value] : data.meta) meta.second.push_back({{"key", validText(key)}, {"value", validText(value)}});
    add(data.parts);
    if (data.target.tilesPerIpu > 0) add(std::vector<TargetRow>{data.target});
    forEachTable(data, add);
    return tables;
}

/// What no row holds: vectors, placement, events and points, one value a row.
std::vector<std::pair<std::string, std::vector<Json>>> packedTables(ReportData const &data)
{
    std::vector<std::pair<std::string, std::vector<Json>>> tables;
    auto &vectors = tables.emplace_back("tile_vec", std::vector<Json>{});
    for (int v = 0; v < data.tileVecs.size(); ++v) {
        auto const &values = data.tileVecs.stretch(v);
        for (auto t = values.stretch().begin; t < values.stretch().end; ++t)
            if (values[t] != 0) vectors.second.push_back({{"vec", v}, {"tile", t}, {"value", values[t]}});
    }
    auto &layouts = tables.emplace_back("layout", std::vector<Json>{});
    for (int l = 0; l < data.layouts.size(); ++l)
        for (auto const &i : data.layouts.layout(l))
            layouts.second.push_back({{"layout", l},
                                      {"offset", i.offset},
                                      {"bytes", i.bytes},
                                      {"category", toText(i.category)},
                                      {"region", toText(i.region)},
                                      {"variable", i.variable < 0 ? Json(nullptr) : Json(i.variable)},
                                      {"class", i.livenessClass},
                                      {"alignment", i.alignment},
                                      {"flags", i.flags},
                                      {"gap_reason", toText(i.gapReason)}});
    auto &tiles = tables.emplace_back("tile_layout", std::vector<Json>{});
    for (std::size_t t = 0; t < data.tileLayout.size(); ++t)
        if (data.tileLayout[t] >= 0) tiles.second.push_back({{"tile", t}, {"layout", data.tileLayout[t]}});
    auto &events = tables.emplace_back("event", std::vector<Json>{});
    for (auto const &lane : data.events)
        for (std::size_t i = 0; i < lane.events.size(); ++i)
            events.second.push_back({{"pattern", lane.pattern},
                                     {"lane", lane.lane},
                                     {"start", lane.events.start[i]},
                                     {"duration", lane.events.duration[i]},
                                     {"type", lane.events.type[i]},
                                     {"argument", lane.events.argument[i]},
                                     {"vec", lane.events.vec[i] < 0 ? Json(nullptr) : Json(lane.events.vec[i])}});
    auto &points = tables.emplace_back("point", std::vector<Json>{});
    for (std::size_t s = 0; s < data.seriesPoints.size(); ++s)
        for (std::size_t i = 0; i < data.seriesPoints[s].x.size(); ++i)
            points.second.push_back({{"series", s}, {"x", data.seriesPoints[s].x[i]}, {"y", data.seriesPoints[s].y[i]}});
    std::erase_if(tables, [](auto const &table) { return table.second.empty(); });
    return tables;
}

std::string csvText(std::vector<Json> const &rows)
{
    std::string out;
    for (auto const &[name, value] : rows.front().items()) out += (out.empty() ? "" : ",") + csvCell(name);
    out += "\r\n";
    for (auto const &row : rows) {
        bool first = true;
        for (auto const &[name, value] : row.items()) {
            out += (first ? "" : ",") + cellOf(value);
            first = false;
        }
        out += "\r\n";
    }
    return out;
}

} // namespace

Result<ExportResult> exportCsv(ReportReader const &reader, std::filesystem::path const &path)
{
    TW_ASSIGN(auto const data, reader.readAll());
    auto tables = allTables(data);
    for (auto &table : packedTables(data)) tables.push_back(std::move(table));
    if (path.extension() == ".csv") {
        std::string out = "table,row,column,value\r\n";
        for (auto const &[name, rows] : tables)
            for (std::size_t r = 0; r < rows.size(); ++r)
                for (auto const &[column, value] : rows[r].items())
                    out += csvCell(name) + "," + std::to_string(r) + "," + csvCell(column) + "," + cellOf(value) + "\r\n";
        TW_TRY(writeOutputFile(path, std::string_view(out)));
        return ExportResult{path, 0, false};
    }
    std::error_code ignored;
    bool const ours = !std::filesystem::exists(path, ignored);
    TW_TRY(makeOutputFolder(path));
    for (auto const &[name, rows] : tables) {
        if (rows.empty()) continue;
        auto const written = writeOutputFile(path / (name + ".csv"), std::string_view(csvText(rows)));
        if (written.ok()) continue;
        if (ours) std::filesystem::remove_all(path, ignored); // half a set of tables is none
        return written.error();
    }
    return ExportResult{path, 0, false};
}

Result<ExportResult> exportJson(ReportReader const &reader, std::filesystem::path const &path)
{
    TW_ASSIGN(auto const data, reader.readAll());
    Json out;
    out["format"] = "tilewright-report";
    out["version"] = reader.version();
    out["meta"] = Json::object();
    for (auto const &[key, value] : data.meta) out["meta"][validText(key)] = validText(value);
    out["tables"] = Json::object();
    for (auto const &[name, rows] : allTables(data))
        if (name != "meta") out["tables"][name] = rows;
    Json vectors = Json::array();
    for (int v = 0; v < data.tileVecs.size(); ++v) vectors.push_back(data.tileVecs.values(v));
    out["tile_vecs"] = std::move(vectors);
    for (auto const &[name, rows] : packedTables(data))
        if (name != "tile_vec") out[name] = rows;
    TW_TRY(writeOutputFile(path, std::string_view(out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n")));
    return ExportResult{path, 0, false};
}

std::vector<std::string> const &exportFormats()
{
    static std::vector<std::string> const names{"perfetto", "csv", "json", "html"};
    return names;
}

Result<ExportResult> exportReport(ReportReader const &reader, std::string const &format, std::filesystem::path const &path)
{
    if (format == "perfetto") return exportPerfetto(reader, path);
    if (format == "csv") return exportCsv(reader, path);
    if (format == "json") return exportJson(reader, path);
    if (format == "html") return exportHtml(reader, path);
    auto const nearest = nearestName(format, exportFormats());
    return makeError(ErrorKind::Usage, "export.format", format, Message::of("a report cannot be exported to this format"),
                     nearest.empty() ? Message::of("Formats: %1.", joinText(exportFormats(), ", "))
                                     : Message::of("Did you mean '%1'?", nearest));
}

} // namespace tilewright::store
