#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::store {

class ReportReader;

struct ExportResult {
    std::filesystem::path path;
    std::int64_t events = 0; ///< of a trace: number of written events
    bool capped = false;     ///< of a trace: more events exist
};

/// perfetto, csv, json, html.
std::vector<std::string> const &exportFormats();
/// Errors: export.format (Usage) with the nearest name; file.write; those of the reader. Files are written whole or not at all.
Result<ExportResult> exportReport(ReportReader const &reader, std::string const &format, std::filesystem::path const &path);

/// A trace for Chrome and Perfetto: one process per run and IPU, one thread per lane, times in microseconds of the device clock (host
/// lanes: of the host clock). Patterns are unrolled in order of time up to `cap` events; "otherData" tells whether more exist.
Result<ExportResult> exportPerfetto(ReportReader const &reader, std::filesystem::path const &path, std::int64_t cap = 200'000);
/// If the path ends in .csv: one file with the columns table, row, column, value. Else a folder with one file per non-empty table, with the
/// columns of the report.
Result<ExportResult> exportCsv(ReportReader const &reader, std::filesystem::path const &path);
/// All tables, vectors, layouts, events and points in one JSON document.
Result<ExportResult> exportJson(ReportReader const &reader, std::filesystem::path const &path);
/// One self-contained page: head line, memory, liveness, operations, timeline, insights.
Result<ExportResult> exportHtml(ReportReader const &reader, std::filesystem::path const &path);

} // namespace tilewright::store
