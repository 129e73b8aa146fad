#pragma once

#include <cstdint>

/// Seeds of the replicas of a run. Each replica draws its own bits, unless the highest bit of the run's seed is set: then all replicas draw
/// those of the first (reset_ipu_seed with experimental_identical_replicas). One number holds both, so that every place that has the seed
/// draws alike.
namespace tilewright {

inline constexpr std::uint64_t kIdenticalReplicas = 1ull << 63;

constexpr std::uint64_t withIdenticalReplicas(std::uint64_t seed, bool identical)
{
    return (seed & ~kIdenticalReplicas) | (identical ? kIdenticalReplicas : 0);
}
/// The seed without its mark, and the replica whose bits are drawn.
constexpr std::uint64_t runSeed(std::uint64_t seed) { return seed & ~kIdenticalReplicas; }
constexpr int drawingReplica(std::uint64_t seed, int replica) { return (seed & kIdenticalReplicas) != 0 ? 0 : replica; }

} // namespace tilewright
