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
    std::int64_t events = 0; ///< of a trace: how many were written
    bool capped = false;     ///< of a trace: there are more
};

/// perfetto, csv, json, html.
std::vector<std::string> const &exportFormats();
/// Errors: export.format (Usage) names the nearest; file.write; those of the reader. Files are written whole
/// or not at all.
Result<ExportResult> exportReport(ReportReader const &reader, std::string const &format, std::filesystem::path const &path);

/// Trace events as Chrome and Perfetto read them: one process per run and IPU, one thread per lane, times in
/// microseconds of the device clock (host lanes: of the host's). Patterns are unrolled in order of time up to
/// `cap` events; "otherData" says when there would be more.
Result<ExportResult> exportPerfetto(ReportReader const &reader, std::filesystem::path const &path, std::int64_t cap = 200'000);
/// A path that ends in .csv: one file of the columns table, row, column, value. Else a folder with one file
/// per table that has rows, its columns as in the report.
Result<ExportResult> exportCsv(ReportReader const &reader, std::filesystem::path const &path);
/// All tables, vectors, layouts, events and points in one JSON document.
Result<ExportResult> exportJson(ReportReader const &reader, std::filesystem::path const &path);
/// One page that needs no other file: head line, memory, liveness, operations, timeline, insights.
Result<ExportResult> exportHtml(ReportReader const &reader, std::filesystem::path const &path);

} // namespace tilewright::store
