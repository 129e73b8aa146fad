#pragma once

#include "engine/store/sqlite.h"

namespace tilewright::store {

// The schema of a database is code: views, triggers, generated columns, checks and expression indices run when the file is read or
// written. Those of a file from an unknown source may never end, or discard written data. The schema of a file is therefore compared
// with ours before any other content is read. Errors are Invalid, "store.foreign-schema".

/// A project is written to, so its tables must equal ours word for word. Further plain tables are ignored. Views, triggers and further
/// indices are refused.
Status checkProjectSchema(Database const &db);
/// A report must have our columns and, if it has views, ours word for word. Checks of another version are accepted, triggers refused.
Status checkReportSchema(Database const &db);

} // namespace tilewright::store
