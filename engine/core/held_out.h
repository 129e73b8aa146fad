#pragma once

#include <cmath>
#include <cstdint>

namespace tilewright {

/// Of `all` samples those that are trained on where the last `fraction` is held out, as Keras's fit counts them.
inline std::int64_t keptSamples(std::int64_t all, double fraction)
{
    return static_cast<std::int64_t>(std::floor(static_cast<double>(all) * (1 - fraction)));
}

/// The fewest samples of which `kept` are trained on; 0 where no number comes to that.
inline std::int64_t samplesToKeep(std::int64_t kept, double fraction)
{
    if (fraction == 0) return kept;
    auto all = static_cast<std::int64_t>(static_cast<double>(kept) / (1 - fraction)) - 1; // rounding is off by one at most
    while (keptSamples(all, fraction) < kept) ++all;
    // A split that holds out nothing is none, and is refused.
    return keptSamples(all, fraction) == kept && all > kept ? all : 0;
}

} // namespace tilewright
