#pragma once

#include "engine/core/types.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tilewright::interop {

/// Elements of `width` bytes with their axes in another order: axis i of the result is axis `order[i]` of `shape`.
std::vector<std::byte> turnedAxes(std::span<std::byte const> elements, std::size_t width, Shape const &shape,
                                  std::vector<std::size_t> const &order);

} // namespace tilewright::interop
