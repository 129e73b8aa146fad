#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// "0.1.0": of the project.
std::string_view version();
/// What the linker wrote into the running program's file (the note NT_GNU_BUILD_ID of ELF), in hexadecimal digits: equal
/// exactly for equal programs. Empty where it is linked without.
std::string const &buildId();

} // namespace tilewright
