#pragma once

#include "engine/report/check/check_tables.h"
#include "engine/store/report_reader.h"

namespace tilewright::store {

/// Checks a report at one moment: the properties of the file (stored heads, foreign keys, rows against `part`) and the invariants of its
/// tables (report::checkTables). Fails if the file cannot be read.
Result<std::vector<report::Violation>> checkReport(ReportReader const &reader);

} // namespace tilewright::store
