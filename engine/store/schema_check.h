#pragma once

#include "engine/store/sqlite.h"

namespace tilewright::store {

// The schema of a database is code: views, triggers, generated columns, checks and expression indices run when the file is read or
// written. A file from elsewhere may hold some that never end or that drop what is written, so its schema is compared with ours before
// anything else of it is read. Errors are Invalid, "store.foreign-schema".

/// A project holds our tables word for word, since it is written to; other plain tables are left alone. No views, no triggers, no
/// further indices.
Status checkProjectSchema(Database const &db);
/// A report holds our columns, and of views ours word for word; the checks of its tables may be those of another version. No triggers.
Status checkReportSchema(Database const &db);

} // namespace tilewright::store
