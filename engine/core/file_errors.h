#pragma once

#include "engine/core/message.h"

namespace tilewright {

/// What a user can do about an errno of a file; "" when there is nothing to say.
Message remedyForFileError(int number);

} // namespace tilewright
