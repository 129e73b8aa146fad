#pragma once

#include "engine/core/message.h"

namespace tilewright {

/// The remedy for a file error with this errno; "" if there is none.
Message remedyForFileError(int number);

} // namespace tilewright
