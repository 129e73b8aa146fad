#pragma once

#include "engine/core/rounding.h"
#include "engine/kernels/half.h"

#include <cstdint>

namespace tilewright::kernels {

/// from[0 … count) rounded to the nearest float16 (ties to even).
inline void narrow(float const *from, std::int64_t count, std::uint16_t *to) { narrowFloats(from, count, to); }

/// from[0 … count), the elements from `first` on, rounded stochastically; with seed 0 to nearest.
inline void narrow(float const *from, std::int64_t count, std::uint16_t *to, std::uint64_t seed, std::int64_t first)
{
    if (seed == 0) return narrow(from, count, to);
    auto const one = [&](std::int64_t i) { to[i] = floatToHalf(from[i], roundingBits(seed, static_cast<std::uint64_t>(first + i))); };
    std::int64_t i = 0;
    for (; i < count && (first + i) % 4 != 0; ++i) one(i);
    for (; i + 4 <= count; i += 4) {
        auto const bits = randomBits(seed, static_cast<std::uint64_t>(first + i) / 4);
        for (int k = 0; k < 4; ++k) to[i + k] = floatToHalf(from[i + k], static_cast<std::uint32_t>(bits >> (16 * k)) & 0x1FFFu);
    }
    for (; i < count; ++i) one(i);
}

} // namespace tilewright::kernels
