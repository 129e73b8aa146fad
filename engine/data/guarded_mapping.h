#pragma once

#include "engine/core/result.h"

#include <cstddef>
#include <memory>
#include <string>

namespace tilewright::data {

/// Maps a file that is too large to copy. If the file is truncated later, the lost pages read as zeros instead of ending the process, and
/// requireUnchanged (source.h) reports it. Errors are Data: "data.file".
Result<std::shared_ptr<std::byte const>> mapGuarded(int file, std::size_t size, std::string const &name);

} // namespace tilewright::data
