#pragma once

#include "engine/core/result.h"

#include <optional>
#include <string_view>

namespace tilewright {

/// What to say about a field that does not exist but is a name of Keras, of Keras on IPUs or of its functions: that it is not supported
/// yet, or which field stands for it here. `path`: as written, such as "training.steps_per_epoch"; its last part is looked up.
/// Code "field.not-yet" or "field.other-name". Adding one: a row of the table.
std::optional<Diagnostic> aboutKnownName(std::string_view path);

} // namespace tilewright
