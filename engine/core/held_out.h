#pragma once

#include <cmath>
#include <cstdint>

namespace tilewright {

/// The number of training samples when the last `fraction` of `all` is held out, as Keras's fit computes it.
inline std::int64_t keptSamples(std::int64_t all, double fraction)
{
    return static_cast<std::int64_t>(std::floor(static_cast<double>(all) * (1 - fraction)));
}

/// The smallest number of samples of which `kept` are trained on; 0 if no number gives that.
inline std::int64_t samplesToKeep(std::int64_t kept, double fraction)
{
    if (fraction == 0) return kept;
    auto all = static_cast<std::int64_t>(static_cast<double>(kept) / (1 - fraction)) - 1; // rounding error: one at most
    while (keptSamples(all, fraction) < kept) ++all;
    // A split that holds out no sample is refused.
    return keptSamples(all, fraction) == kept && all > kept ? all : 0;
}

} // namespace tilewright
