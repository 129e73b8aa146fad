#pragma once

#include "engine/core/files.h"
#include "engine/store/sqlite.h"

#include <filesystem>

namespace tilewright::store {

/// Puts a new database file where `path` says, in place of whatever has that name, whole or not at all. What belonged to
/// the old one (journal, log) goes with it.
Status replaceDatabase(std::filesystem::path const &path, Database const &inMemory, Sync sync);

} // namespace tilewright::store
