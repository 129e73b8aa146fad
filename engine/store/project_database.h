#pragma once

#include "engine/store/sqlite.h"

#include <filesystem>

namespace tilewright::store {

/// Errors: store.wrong-kind, store.newer-version, store.foreign-schema (engine/store/schema_check.h).
Status checkProjectKind(Database const &db);
Result<Database> openProjectForReading(std::filesystem::path const &path);
/// Every commit reaches the disk before it returns.
Result<Database> openProjectForWriting(std::filesystem::path const &path);

} // namespace tilewright::store
