#pragma once

#include <string>

namespace tilewright {

/// What a user can do about an errno of a file; "" when there is nothing to say.
std::string remedyForFileError(int number);

} // namespace tilewright
