#pragma once

#include "engine/core/random.h"
#include "engine/kernels/vector_math.h"

#include <cstdint>

namespace tilewright::kernels {

/// What a node draws by: the run's seed, the replica, the number of its stream with what its caller adds (none: null), the
/// counter of its executions.
inline std::uint64_t drawingSeed(std::uint64_t run, int replica, std::uint64_t stream, std::int32_t const *added, std::int32_t counter)
{
    if (added) stream += static_cast<std::uint32_t>(*added);
    return deriveSeed(deriveSeed(deriveSeed(run, static_cast<std::uint64_t>(replica)), stream), static_cast<std::uint64_t>(counter));
}

/// Normal noise by counter, as the machine's own instruction approximates it: the sum of twelve uniform numbers of 16 bits.
/// Mean and standard deviation are exact; beyond six deviations there is nothing.
inline float standardNormal(std::uint64_t seed, std::uint64_t element)
{
    std::uint32_t sum = 0;
    for (std::uint64_t k = 0; k < 3; ++k) {
        auto const bits = randomBits(seed, 3 * element + k);
        sum += static_cast<std::uint32_t>((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
    }
    return static_cast<float>(static_cast<std::int32_t>(sum) - 393210) * 0x1p-16f;
}

inline float normalValue(std::uint64_t seed, std::uint64_t element, float mean, float deviation)
{
    return fmadd(deviation, standardNormal(seed, element), mean);
}

} // namespace tilewright::kernels
