#pragma once

#include "engine/core/random.h"

#include <cstdint>
#include <iterator>
#include <string>

/// Random valid projects: each seed gives one, always the same. See packaging/README.md.
namespace tilewright::random_models {

/// The random choices of one seed.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : m_stream(deriveSeed(seed, 0x6d6f64656c73ull)) {}

    /// True with this probability.
    bool chance(double probability) { return m_stream.uniform() < probability; }
    /// From `low` to `high`, both included.
    std::int64_t between(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(m_stream.below(static_cast<std::uint64_t>(high - low + 1)));
    }
    double real(double low, double high) { return low + (high - low) * m_stream.uniform(); }
    /// One of a list that is not empty.
    template <typename List> auto const &of(List const &list) { return *std::next(std::begin(list), between(0, std::ssize(list) - 1)); }
    template <typename T> T of(std::initializer_list<T> list) { return *std::next(list.begin(), between(0, std::ssize(list) - 1)); }

private:
    RandomStream m_stream;
};

} // namespace tilewright::random_models
