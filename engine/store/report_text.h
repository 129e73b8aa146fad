#pragma once

#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

// The output of `tilewright report FILE PART`: each part as JSON (the contract), and as text made from that JSON only.
namespace tilewright::store {

class ReportReader;

/// summary, memory, liveness, program, operations, timeline, insights, sql.
std::vector<std::string> const &reportPartNames();

/// `argument`: for sql the query, for memory a tile, for liveness a step; otherwise unused. Error report.no-part (Usage) names the nearest
/// part. A part that the report does not hold gives empty rows and a "note".
Result<nlohmann::json> reportPart(ReportReader const &reader, std::string const &part, std::string const &argument = {});

Result<nlohmann::json> summaryJson(ReportReader const &reader);
/// tile -1: totals, parts, worst tiles and largest variables; else the items on that tile.
Result<nlohmann::json> memoryJson(ReportReader const &reader, int tile = -1);
/// step -1: curves, peaks and variables live at the peak; else the variables live at that step.
Result<nlohmann::json> livenessJson(ReportReader const &reader, int step = -1);
Result<nlohmann::json> programJson(ReportReader const &reader);
Result<nlohmann::json> operationsJson(ReportReader const &reader);
Result<nlohmann::json> timelineJson(ReportReader const &reader);
Result<nlohmann::json> insightsJson(ReportReader const &reader);
Result<nlohmann::json> sqlJson(ReportReader const &reader, std::string const &query);

/// Text for people, made from the result of reportPart.
std::string reportPartText(std::string const &part, nlohmann::json const &json);

/// "Worst tile 736: 34 % of its memory (216,400 of 638,976 bytes placed)." from the JSON of summary; "" without a worst tile.
std::string worstTileSentence(nlohmann::json const &summary);

/// Aligned columns, numbers right-aligned and grouped by thousands; "(none)" without rows.
std::string textTable(std::vector<std::string> const &columns, std::vector<std::vector<nlohmann::json>> const &rows);
/// The fields of a list of objects as a table; missing fields stay blank.
std::string textTable(std::vector<std::string> const &columns, nlohmann::json const &objects);

} // namespace tilewright::store
