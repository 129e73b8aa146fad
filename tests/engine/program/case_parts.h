#pragma once

#include "tests/engine/program/codelet_cases.h"
#include "tests/support/random_sizes.h"

/// The parts of case files.
namespace tilewright::tests {

using Random = RandomStream;

inline DType floating(Random &random) { return random.below(3) == 0 ? DType::F16 : DType::F32; }
inline double toleranceOf(DType type) { return type == DType::F16 ? 2e-3 : 1e-5; }

inline CaseField in(DType type, std::int64_t groups, std::int64_t rows, std::int64_t cols, double low = -1, double high = 1)
{
    return {type, groups, rows, cols, 0, 0, low, high, false, 1, 1, false, {}};
}
inline CaseField out(DType type, std::int64_t groups, std::int64_t rows, std::int64_t cols, double low = -1, double high = 1)
{
    return {type, groups, rows, cols, 0, 0, low, high, true, 1, 1, false, {}};
}

} // namespace tilewright::tests
