#pragma once

#include <string>

namespace tilewright::compiler {

/// The chosen plan of a product in a line: "1 x 49 x 16 x 1 pieces of 32 x 16 x 16 on 784 tiles, 7,205 cycles; 4 other plans".
/// What is no such JSON comes back as it is.
std::string planText(std::string const &plan);

} // namespace tilewright::compiler
