#pragma once

#include "engine/core/result.h"

#include <cstddef>
#include <memory>
#include <string>

namespace tilewright::data {

/// Maps a file too large to be copied. When it is shortened later, its lost pages read as zeros instead of ending the
/// process, and requireUnchanged (source.h) tells. Errors are Data: "data.file".
Result<std::shared_ptr<std::byte const>> mapGuarded(int file, std::size_t size, std::string const &name);

} // namespace tilewright::data
