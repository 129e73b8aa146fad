#pragma once

#include <cstddef>

namespace tilewright::tests {

/// Size of the largest request to operator new since the last reset, in any thread.
std::size_t largestAllocation();
void resetLargestAllocation();

} // namespace tilewright::tests
