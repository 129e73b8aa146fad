#pragma once

#include "engine/report/check/check_tables.h"
#include "engine/store/report_reader.h"

namespace tilewright::store {

/// Whether the file is whole: what only a file has (stored heads, foreign keys, rows against `part`), and what its tables say
/// (report::checkTables), read at one moment. Errors: the file cannot be read at all.
Result<std::vector<report::Violation>> checkReport(ReportReader const &reader);

} // namespace tilewright::store
