#pragma once

#include "engine/core/files.h"
#include "engine/store/sqlite.h"

#include <filesystem>

namespace tilewright::store {

/// Writes a new database file to `path` and replaces any existing file, whole or not at all. Removes journal and log of the old file.
Status replaceDatabase(std::filesystem::path const &path, Database const &inMemory, Sync sync);

/// An error of writing a file, as one of a database.
Diagnostic asStoreError(Diagnostic error);

} // namespace tilewright::store
