#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <vector>

// Exact distributions of values, without sampling.
namespace tilewright::report {

/// A value and how often it occurs.
struct Weighted {
    std::int64_t value = 0, times = 1;
    bool operator==(Weighted const &) const = default;
};

/// Percentiles by nearest rank: the smallest occurring value that this share of all values does not exceed. The median is the 50th.
struct Distribution {
    std::int64_t count = 0;
    double mean = 0;
    std::int64_t least = 0, median = 0, p75 = 0, p90 = 0, p99 = 0, most = 0;
    bool operator==(Distribution const &) const = default;
};
/// Ignores values with count 0. All zero without values.
Distribution distributionOf(std::vector<Weighted> values);

/// The power of two that cuts 0 … `largest` into at most `most` bins of equal width, and more than half as many if possible. Requires: most
/// > 0.
std::int64_t binWidth(std::int64_t largest, int most);

/// Number of values in each bin from 0 to the largest.
std::vector<std::int64_t> countsByBin(std::vector<Weighted> const &values, std::int64_t width);

} // namespace tilewright::report
