#pragma once

#include <string>

namespace tilewright {

/// The remedy for a file error with this errno; "" if there is none.
std::string remedyForFileError(int number);

} // namespace tilewright
