#pragma once

#include <cstdint>

namespace tilewright {

/// The finaliser of SplitMix64: a bijection on 64 bits with full avalanche (Steele, Lea, Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
constexpr std::uint64_t mixBits(std::uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

/// Output number `index` (0-based) of SplitMix64 started with `seed`. Random bits by counter: each element can be drawn alone, in any order
/// and on any tile.
constexpr std::uint64_t randomBits(std::uint64_t seed, std::uint64_t index) { return mixBits(seed + (index + 1) * 0x9E3779B97F4A7C15ull); }

/// Derives an independent seed for each purpose. Seeds of one parent do not coincide in practice.
constexpr std::uint64_t deriveSeed(std::uint64_t parent, std::uint64_t stream)
{
    return mixBits(parent ^ mixBits(stream + 0x632BE59BD9B4E019ull));
}

/// [0, 1) with 24 random bits.
constexpr float unitFloat(std::uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24f; }
/// [0, 1) with 53 random bits.
constexpr double unitDouble(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// Sequential interface of the same generator.
class RandomStream {
public:
    explicit constexpr RandomStream(std::uint64_t seed) : m_seed(seed) {}
    constexpr std::uint64_t next() { return randomBits(m_seed, m_index++); }
    constexpr double uniform() { return unitDouble(next()); }
    /// [0, bound); Requires: bound > 0.
    constexpr std::uint64_t below(std::uint64_t bound) { return (next() >> 11) % bound; }

private:
    std::uint64_t m_seed;
    std::uint64_t m_index = 0;
};

} // namespace tilewright
