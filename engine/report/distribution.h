#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <vector>

// How values spread: exact figures of all of them, no samples.
namespace tilewright::report {

/// A value and how often it occurs.
struct Weighted {
    std::int64_t value = 0, times = 1;
    bool operator==(Weighted const &) const = default;
};

/// Of a percentile: the smallest value that is not exceeded by that share of all of them (the nearest rank), so it is one
/// that occurs. The median is the 50th.
struct Distribution {
    std::int64_t count = 0;
    double mean = 0;
    std::int64_t least = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, most = 0;
    bool operator==(Distribution const &) const = default;
};
/// Values that occur no times are none. All zero without any.
Distribution distributionOf(std::vector<Weighted> values);

/// The power of two that cuts 0 … `largest` into at most `most` bins of equal width, and more than half as many where there
/// is enough to cut. Requires: most > 0.
std::int64_t binWidth(std::int64_t largest, int most);

/// How many of the values lie in each of the bins from 0 to the largest.
std::vector<std::int64_t> countsByBin(std::vector<Weighted> const &values, std::int64_t width);

} // namespace tilewright::report
