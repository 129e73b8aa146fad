#pragma once

#include "engine/core/message.h"

#include <optional>

namespace tilewright {

/// "an integer of at least 1", "an integer from 1 to 9": what a value may be.
Message integerText(std::optional<double> least, std::optional<double> most);
/// "a number from 0 to 1".
Message realText(std::optional<double> least, std::optional<double> most);

} // namespace tilewright
