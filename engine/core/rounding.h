#pragma once

#include "engine/core/random.h"

#include <cstddef>
#include <cstdint>

/// Bits for stochastic rounding of stored float16 values: up or down at random, so that the expected value is exact. The bits come from a
/// counter, not from a stream: the same element gets the same bits, whenever and on whatever tile it is stored.
namespace tilewright {

/// The inputs of the draw, except for the element number.
struct RoundingPlace {
    std::uint64_t run = 0;      ///< seed of the run
    int replica = 0;            ///< 0 for values that all replicas must store alike
    int node = 0;               ///< node number in the graph
    int ipu = 0;                ///< of the replica: equal bodies on several IPUs are one body in the graph
    std::int64_t update = 0;    ///< weight updates before it, since the start of training
    std::int64_t execution = 0; ///< earlier executions of the node in this update
};
/// Never 0: a seed of 0 means "round to nearest".
constexpr std::uint64_t roundingSeed(RoundingPlace const &place)
{
    auto seed = deriveSeed(place.run ^ 0x53524f554e444544ull, static_cast<std::uint64_t>(place.replica));
    seed = deriveSeed(seed, static_cast<std::uint64_t>(place.node) << 16 | static_cast<std::uint64_t>(place.ipu));
    seed = deriveSeed(deriveSeed(seed, static_cast<std::uint64_t>(place.update)), static_cast<std::uint64_t>(place.execution));
    return seed == 0 ? 1 : seed;
}
/// Seed of one result of the node.
constexpr std::uint64_t roundingSeed(std::uint64_t ofNode, std::size_t result)
{
    auto const seed = deriveSeed(ofNode, result);
    return seed == 0 ? 1 : seed;
}

/// Seed of the `number`th stored partial sum of a result. 0 stays 0.
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
