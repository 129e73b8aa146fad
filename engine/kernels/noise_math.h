#pragma once

#include "engine/core/random.h"
#include "engine/core/replica_seeds.h"
#include "engine/kernels/vector_math.h"

#include <cstdint>

namespace tilewright::kernels {

/// Seed of a node's draw: the run's seed, the replica, the number of its stream plus the caller's addend (null: none), the counter of its
/// executions.
inline std::uint64_t drawingSeed(std::uint64_t run, int replica, std::uint64_t stream, std::int32_t const *added, std::int32_t counter)
{
    if (added) stream += static_cast<std::uint32_t>(*added);
    auto const ofReplica = deriveSeed(runSeed(run), static_cast<std::uint64_t>(drawingReplica(run, replica)));
    return deriveSeed(deriveSeed(ofReplica, stream), static_cast<std::uint64_t>(counter));
}

/// Normal noise by counter, in the approximation of the machine's instruction: the sum of twelve uniform 16-bit numbers. Mean and standard
/// deviation are exact; values beyond six deviations do not occur.
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
