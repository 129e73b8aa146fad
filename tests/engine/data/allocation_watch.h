#pragma once

#include <cstddef>

namespace tilewright::tests {

/// Size of the largest piece of memory that operator new was asked for since the last reset, in any thread.
std::size_t largestAllocation();
void resetLargestAllocation();

} // namespace tilewright::tests
