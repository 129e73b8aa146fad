#pragma once

#include "engine/cli/command.h"
#include "engine/workspace/project_store.h"

#include <filesystem>

namespace tilewright::cli {

/// `export --to executable`.
Result<int> exportExecutable(Context &context, workspace::OpenProject const &open, std::filesystem::path const &out);
/// `run`.
Command runCommand();

} // namespace tilewright::cli
