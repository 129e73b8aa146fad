#pragma once

#include <string>
#include <string_view>

namespace tilewright {

/// Version of the project: "0.1.0".
std::string_view version();
/// Build id that the linker wrote into the running program (ELF note NT_GNU_BUILD_ID), in hexadecimal digits. Equal programs have equal
/// ids. Empty if the program was linked without one.
std::string const &buildId();

} // namespace tilewright
