#pragma once

#include <bit>
#include <cstdint>

#ifdef __F16C__
#include <immintrin.h>
#endif

namespace tilewright::kernels {

/// The value of an IEEE binary16 pattern, exactly; NaN stays NaN (quiet). Without branches, so that loops vectorise.
inline float halfToFloat(std::uint16_t half)
{
    std::uint32_t const sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    std::uint32_t const magnitude = half & 0x7FFFu;
    // Denormals: the mantissa bits under 0.5's exponent, minus 0.5, scaled. Integer operations keep them intact when the thread flushes
    // float denormals.
    float const tiny = (std::bit_cast<float>(0x3F000000u | (magnitude << 13)) - 0.5f) * 0x1p-13f;
    std::uint32_t const normal = (magnitude << 13) + 0x38000000u;
    std::uint32_t const special = (magnitude << 13) + 0x70000000u;
    std::uint32_t bits = magnitude < 0x0400u ? std::bit_cast<std::uint32_t>(tiny) : normal;
    bits = magnitude >= 0x7C00u ? special : bits;
    bits = magnitude > 0x7C00u ? special | 0x00400000u : bits;
    return std::bit_cast<float>(bits | sign);
}

/// Nearest binary16, ties to even; over 65520 infinity; NaN stays NaN (quiet).
inline std::uint16_t floatToHalf(float value)
{
    std::uint32_t const all = std::bit_cast<std::uint32_t>(value);
    std::uint32_t const sign = (all >> 16) & 0x8000u;
    std::uint32_t const magnitude = all & 0x7FFFFFFFu;
    // Denormal results: adding 0.5 aligns the mantissa so that the addition rounds.
    std::uint32_t const tiny = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3F000000u;
    std::uint32_t const normal = (magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13;
    std::uint32_t bits = magnitude < 0x38800000u ? tiny : normal;
    bits = magnitude >= 0x477FF000u ? 0x7C00u : bits;
    bits = magnitude > 0x7F800000u ? 0x7E00u : bits;
    return static_cast<std::uint16_t>(bits | sign);
}

/// Stochastic rounding: adds `random` in [0, 8192) to the bits below a binary16's last place, in units of 1/8192 of it, then truncates.
/// Exact values stay; from 65536 on infinity; NaN stays NaN (quiet).
inline std::uint16_t floatToHalf(float value, std::uint32_t random)
{
    std::uint32_t const all = std::bit_cast<std::uint32_t>(value);
    std::uint32_t const sign = (all >> 16) & 0x8000u;
    std::uint32_t const magnitude = all & 0x7FFFFFFFu;
    // Denormal results: in units of 2^-37, of which 8192 are the last place; below 2^23 units a float is exact.
    float const units = std::bit_cast<float>(magnitude < 0x38800000u ? magnitude : 0u) * 0x1p37f;
    std::uint32_t const tiny = (static_cast<std::uint32_t>(static_cast<std::int32_t>(units)) + random) >> 13;
    std::uint32_t const normal = (magnitude - 0x38000000u + random) >> 13;
    std::uint32_t bits = magnitude < 0x38800000u ? tiny : normal;
    bits = magnitude >= 0x47800000u ? 0x7C00u : bits;
    bits = magnitude > 0x7F800000u ? 0x7E00u : bits;
    return static_cast<std::uint16_t>(bits | sign);
}

/// to[i] = halfToFloat(from[i]) for i of [0, count). Eight at a time where the processor converts them; which way a run is cut changes no
/// value, denormal ones included, whatever the thread flushes.
inline void widenHalves(std::uint16_t const *from, std::int64_t count, float *to)
{
    std::int64_t i = 0;
#ifdef __F16C__
    for (; i + 8 <= count; i += 8) _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<__m128i const *>(from + i))));
#endif
    for (; i < count; ++i) to[i] = halfToFloat(from[i]);
}

/// to[i] = floatToHalf(from[i]), in the same way.
inline void narrowFloats(float const *from, std::int64_t count, std::uint16_t *to)
{
    std::int64_t i = 0;
#ifdef __F16C__
    __m128i const signs = _mm_set1_epi16(static_cast<short>(0x8000)), quiet = _mm_set1_epi16(0x7E00), infinite = _mm_set1_epi16(0x7C00);
    for (; i + 8 <= count; i += 8) {
        __m128i const halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
        // The instruction keeps what a NaN carries; every NaN is stored as the same one here.
        __m128i const isNan = _mm_cmpgt_epi16(_mm_andnot_si128(signs, halves), infinite);
        __m128i const one = _mm_or_si128(_mm_and_si128(halves, signs), quiet);
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to + i), _mm_blendv_epi8(halves, one, isNan));
    }
#endif
    for (; i < count; ++i) to[i] = floatToHalf(from[i]);
}

} // namespace tilewright::kernels
