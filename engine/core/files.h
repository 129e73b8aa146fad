#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>

namespace tilewright {

/// Whole content of a file, or its first `atMost` bytes. Errors are Invalid, code "file.read", and name the path.
Result<std::string> readFile(std::filesystem::path const &path, std::int64_t atMost = std::numeric_limits<std::int64_t>::max());

/// Writes the parts one after the other so that other processes see either the old file or the whole new
/// one: a temporary neighbour, then rename. Does not wait for the disk. Errors are Invalid, code "file.write";
/// nothing is left behind then.
Status writeFileAtomically(std::filesystem::path const &path, std::span<std::string_view const> parts);
Status writeFileAtomically(std::filesystem::path const &path, std::string_view content);

/// Makes the folder (and its parents), readable by this user only, unless it exists. Refuses a folder that
/// is not writable or, when `mustBeOwn`, belongs to another user (a shared temporary folder).
/// Errors are Invalid, code "file.folder".
Status ensureFolder(std::filesystem::path const &path, bool mustBeOwn = false);

/// Where emulated devices are registered: TILEWRIGHT_RUN_DIR, else XDG_RUNTIME_DIR/tilewright, else
/// XDG_CACHE_HOME/tilewright/run, else HOME/.cache/tilewright/run, else a folder of this user under the
/// system's temporary folder. The first that can be made; a set TILEWRIGHT_RUN_DIR is the only candidate.
Result<std::filesystem::path> runFolder();

/// A folder below the user's cache: XDG_CACHE_HOME/tilewright/LEAF, else HOME/.cache/tilewright/LEAF, else
/// the temporary folder as above.
Result<std::filesystem::path> cacheFolder(std::string_view leaf);

} // namespace tilewright
