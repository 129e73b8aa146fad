#pragma once

#include "engine/core/random.h"

#include <cstddef>
#include <cstdint>

/// Bits of stochastic rounding, where values are stored as float16: up or down by chance, so that the mean is the value
/// itself. They come from a counter, not from a stream: whoever stores an element, whenever and on whatever tile, draws the same.
namespace tilewright {

/// What a stored result draws by, besides the number of its element.
struct RoundingPlace {
    std::uint64_t run = 0;      ///< seed of the run
    int replica = 0;            ///< 0 for what all replicas must store alike
    int node = 0;               ///< number in the graph
    int ipu = 0;                ///< of the replica: equal bodies on several IPUs are one in the graph
    std::int64_t update = 0;    ///< weight updates before it, from the beginning of training on
    std::int64_t execution = 0; ///< times that the node ran before in this update
};
/// Never 0, which says "to the nearest" where a seed is handed on.
constexpr std::uint64_t roundingSeed(RoundingPlace const &place)
{
    auto seed = deriveSeed(place.run ^ 0x53524f554e444544ull, static_cast<std::uint64_t>(place.replica));
    seed = deriveSeed(seed, static_cast<std::uint64_t>(place.node) << 16 | static_cast<std::uint64_t>(place.ipu));
    seed = deriveSeed(deriveSeed(seed, static_cast<std::uint64_t>(place.update)), static_cast<std::uint64_t>(place.execution));
    return seed == 0 ? 1 : seed;
}
/// Of one of the results.
constexpr std::uint64_t roundingSeed(std::uint64_t ofNode, std::size_t result)
{
    auto const seed = deriveSeed(ofNode, result);
    return seed == 0 ? 1 : seed;
}

/// Of a partial sum on the way to a result, the `number`th that is stored. 0 stays 0.
constexpr std::uint64_t partialSeed(std::uint64_t ofResult, std::int64_t number)
{
    return ofResult == 0 ? 0 : roundingSeed(ofResult, static_cast<std::size_t>(number) + 1);
}

/// 13 bits for an element of a tensor; four neighbours share a draw.
constexpr std::uint32_t roundingBits(std::uint64_t seed, std::uint64_t element)
{
    return static_cast<std::uint32_t>(randomBits(seed, element / 4) >> (element % 4 * 16)) & 0x1FFFu;
}

} // namespace tilewright
