#include "engine/report/distribution.h"

#include <algorithm>

namespace tilewright::report {

Distribution distributionOf(std::vector<Weighted> values)
{
    Distribution found;
    std::erase_if(values, [](Weighted const &one) { return one.times <= 0; });
    if (values.empty()) return found;
    std::ranges::sort(values, {}, &Weighted::value);
    double sum = 0;
    for (auto const &one : values) {
        found.count += one.times;
        sum += static_cast<double>(one.value) * static_cast<double>(one.times);
    }
    found.mean = sum / static_cast<double>(found.count);
    found.least = values.front().value;
    found.most = values.back().value;
    auto const percentile = [&](std::int64_t percent) {
        // In integers, so that the rank is exact for any count. Hundreds and remainder separately, to avoid overflow.
        std::int64_t const rank = found.count / 100 * percent + (found.count % 100 * percent + 99) / 100;
        std::int64_t before = 0;
        for (auto const &one : values)
            if ((before += one.times) >= rank) return one.value;
        return found.most;
    };
    found.median = percentile(50);
    found.p75 = percentile(75);
    found.p90 = percentile(90);
    found.p99 = percentile(99);
    return found;
}

std::int64_t binWidth(std::int64_t largest, int most)
{
    std::int64_t width = 1;
    while (largest / width >= most) width *= 2;
    return width;
}

std::vector<std::int64_t> countsByBin(std::vector<Weighted> const &values, std::int64_t width)
{
    std::vector<std::int64_t> counts;
    for (auto const &one : values) {
        if (one.times <= 0) continue;
        auto const bin = static_cast<std::size_t>(std::max<std::int64_t>(0, one.value) / width);
        if (bin >= counts.size()) counts.resize(bin + 1, 0);
        counts[bin] += one.times;
    }
    return counts;
}

} // namespace tilewright::report
