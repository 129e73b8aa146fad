#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace tilewright::kernels {

/// Elementary functions of float, one element each, without branches or calls, so that loops over them vectorise. Errors are in units in
/// the last place of the float result (ulp), measured by tests/engine/kernels. Denormal arguments and results follow the calling thread's
/// FTZ/DAZ flags. The polynomials are our own minimax fits (weighted least squares, reweighted until level, coefficients rounded one after
/// the other).

/// a b + c, rounded once where the processor has the instruction.
inline float fmadd(float a, float b, float c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return __builtin_fmaf(a, b, c);
#else
    return a * b + c;
#endif
}

namespace detail {

/// Adding and subtracting 1.5 * 2^23 rounds to the nearest integer, which is then in the low bits.
constexpr float kRound = 12582912.0f;
constexpr std::uint32_t kRoundBits = 0x4B400000u;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
/// ln 2 in two parts; the product of the first with an exponent is exact.
constexpr float kLn2High = 0.693359375f;
constexpr float kLn2Low = -2.12194440054690583e-4f;

/// 2^n. Requires: -126 <= n <= 127 (callers select other results away).
inline float powerOfTwo(std::uint32_t n) { return std::bit_cast<float>((n + 127u) << 23); }

struct Reduced {
    std::uint32_t n; ///< two's complement
    float t;         ///< e^r - 1, |r| <= ln 2 / 2
};
/// x = n ln 2 + r.
inline Reduced reduceExp(float x)
{
    float const shifted = fmadd(x, 1.44269504088896341f, kRound);
    std::uint32_t const n = std::bit_cast<std::uint32_t>(shifted) - kRoundBits;
    float const nf = shifted - kRound;
    float r = fmadd(nf, -kLn2High, x);
    r = fmadd(nf, -kLn2Low, r);
    float q = 0x1.6d723p-10f;
    q = fmadd(q, r, 0x1.12280cp-7f);
    q = fmadd(q, r, 0x1.5554c8p-5f);
    q = fmadd(q, r, 0x1.5554bp-3f);
    q = fmadd(q, r, 0.5f);
    return {n, fmadd(r * r, q, r)};
}

} // namespace detail

/// e^x, 1.1 ulp; over 88.73 infinity, under -103.98 (-87.34 when flushing) 0.
inline float expValue(float x)
{
    float c = x > 89.0f ? 89.0f : x;
    c = c < -104.0f ? -104.0f : c;
    auto const reduced = detail::reduceExp(c);
    // Two factors, because 2^n alone leaves the range of float at both ends.
    std::uint32_t const half = static_cast<std::uint32_t>(static_cast<std::int32_t>(reduced.n) >> 1);
    return (1.0f + reduced.t) * detail::powerOfTwo(half) * detail::powerOfTwo(reduced.n - half);
}

/// e^x - 1, 2 ulp, also near 0.
inline float expm1Value(float x)
{
    float c = x > 89.0f ? 89.0f : x;
    c = c < -18.0f ? -18.0f : c;
    auto const reduced = detail::reduceExp(c);
    float const s = detail::powerOfTwo(reduced.n - 1u); // half of 2^n, so that n = 128 fits
    return fmadd(s, reduced.t, s - 0.5f) * 2.0f;
}

/// ln x, 1 ulp; -infinity at 0, NaN below.
inline float logValue(float x)
{
    bool const tiny = x < 0x1p-126f;
    float const scaled = tiny ? x * 0x1p23f : x;
    std::uint32_t const bits = std::bit_cast<std::uint32_t>(scaled);
    // m = x / 2^n in [sqrt(1/2), sqrt 2).
    std::uint32_t const n = static_cast<std::uint32_t>(static_cast<std::int32_t>(bits - 0x3F3504F3u) >> 23);
    float const f = std::bit_cast<float>(bits - (n << 23)) - 1.0f;
    float const e = static_cast<float>(static_cast<std::int32_t>(n)) - (tiny ? 23.0f : 0.0f);
    float p = 0x1.1b49acp-4f;
    p = fmadd(p, f, -0x1.e2ef66p-4f);
    p = fmadd(p, f, 0x1.e650a2p-4f);
    p = fmadd(p, f, -0x1.fb42a4p-4f);
    p = fmadd(p, f, 0x1.2332c8p-3f);
    p = fmadd(p, f, -0x1.5562e4p-3f);
    p = fmadd(p, f, 0x1.99a544p-3f);
    p = fmadd(p, f, -0x1.ffffeep-3f);
    p = fmadd(p, f, 0x1.555546p-2f);
    float const square = f * f;
    float y = square * f * p;
    y = fmadd(e, detail::kLn2Low, y);
    y = fmadd(-0.5f, square, y);
    y = y + f;
    y = fmadd(e, detail::kLn2High, y);
    float const special = x == 0.0f ? -detail::kInfinity : detail::kNaN;
    float const positive = x == detail::kInfinity ? x : y;
    return x > 0.0f ? positive : special;
}

/// ln(1 + x), 2 ulp, also near 0.
inline float log1pValue(float x)
{
    float const u = 1.0f + x;
    // The rounding error of the addition, to first order.
    float const lost = (x - (u - 1.0f)) / u;
    float const y = logValue(u) + lost;
    float const finite = u == detail::kInfinity || u <= 0.0f ? logValue(u) : y;
    return x == 0.0f ? x : finite;
}

/// 1 / (1 + e^-x), 2.3 ulp.
inline float sigmoidValue(float x) { return 1.0f / (1.0f + expValue(-x)); }

/// tanh x, 2.3 ulp: t / (t + 2) with t = e^(2 |x|) - 1.
inline float tanhValue(float x)
{
    float const a = __builtin_fabsf(x);
    float const c = a > 9.5f ? 9.5f : a;
    float const t = expm1Value(c + c);
    return __builtin_copysignf(t / (t + 2.0f), x);
}

/// erf x, 2 ulp: x + x P(x^2) below 1, 1 - e^-Q(x) above.
inline float erfValue(float x)
{
    float const a = __builtin_fabsf(x);
    float const z = a * a;
    float p = 0x1.4c344ep-14f;
    p = fmadd(p, z, -0x1.a50b0ep-11f);
    p = fmadd(p, z, 0x1.542e1p-8f);
    p = fmadd(p, z, -0x1.b7fe9p-6f);
    p = fmadd(p, z, 0x1.ce2d5p-4f);
    p = fmadd(p, z, -0x1.81274p-2f);
    p = fmadd(p, z, 0x1.06eba8p-3f);
    float const inner = fmadd(a, p, a);
    float const c = a > 4.0f ? 4.0f : a;
    float q = -0x1.852baap-13f;
    q = fmadd(q, c, 0x1.814c16p-9f);
    q = fmadd(q, c, -0x1.6541dap-6f);
    q = fmadd(q, c, 0x1.a60a6ap-4f);
    q = fmadd(q, c, 0x1.46c586p-1f);
    q = fmadd(q, c, 0x1.2085b2p+0f);
    q = fmadd(q, c, 0x1.72e5e8p-12f);
    float const outer = 1.0f - expValue(-q);
    return __builtin_copysignf(a < 1.0f ? inner : outer, x);
}

// The functions below compute in double: their errors are those of the last rounding. Series of Taylor suffice.

namespace detail {

/// Adding and subtracting 1.5 * 2^52 rounds to the nearest integer, which is then in the low bits.
constexpr double kRoundDouble = 6755399441055744.0;
constexpr double kHalfPi = 1.57079632679489661923;
/// pi / 2 in two parts; the product of the first with an integer below 2^20 is exact.
constexpr double kHalfPiHigh = 0x1.921fb544p+0;
constexpr double kHalfPiLow = 0x1.0b4611a626331p-34;

struct Quarters {
    double sine, cosine; ///< of the angle without its quarter turns
    std::uint64_t turns; ///< quarter turns, two's complement
};
inline Quarters quartersOf(float x)
{
    double const angle = static_cast<double>(x);
    double const shifted = angle * (1 / kHalfPi) + kRoundDouble;
    double const n = shifted - kRoundDouble;
    double r = (angle - n * kHalfPiHigh) - n * kHalfPiLow;
    // Beyond 2^50 no part of the turn is left.
    r = r > 1.0 ? 1.0 : r;
    r = r < -1.0 ? -1.0 : r;
    double const z = r * r;
    double const s = -1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 - z * (1.0 / 39916800))));
    double const c = -0.5 + z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 + z * (-1.0 / 3628800 + z * (1.0 / 479001600)))));
    return {r + r * z * s, 1.0 + z * c, std::bit_cast<std::uint64_t>(shifted)};
}

inline double atanDouble(double x)
{
    double const a = __builtin_fabs(x);
    double const t = a > 1.0 ? 1.0 / a : a;
    bool const isUpper = t > 0.41421356237309505; // tan(pi / 8)
    double const u = isUpper ? (t - 1.0) / (t + 1.0) : t;
    double const z = u * u;
    double p = 1.0 / 21;
    p = p * -z + 1.0 / 19;
    p = p * -z + 1.0 / 17;
    p = p * -z + 1.0 / 15;
    p = p * -z + 1.0 / 13;
    p = p * -z + 1.0 / 11;
    p = p * -z + 1.0 / 9;
    p = p * -z + 1.0 / 7;
    p = p * -z + 1.0 / 5;
    p = p * -z + 1.0 / 3;
    double const near = u - u * z * p;
    double const inner = isUpper ? near + kHalfPi / 2 : near;
    return __builtin_copysign(a > 1.0 ? kHalfPi - inner : inner, x);
}

constexpr double kLn2 = 0.693147180559945309417;

/// Requires: x >= 0 or NaN, a float.
inline double logDouble(double x)
{
    std::uint64_t const bits = std::bit_cast<std::uint64_t>(x);
    // m = x / 2^n in [sqrt(1/2), sqrt 2).
    std::uint64_t const n = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits - 0x3FE6A09E667F3BCDu) >> 52);
    double const m = std::bit_cast<double>(bits - (n << 52));
    double const s = (m - 1.0) / (m + 1.0);
    double const z = s * s;
    double const p = 1.0 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13 + z / 15))))));
    double const e = static_cast<double>(static_cast<std::int32_t>(n));
    double const y = e * kLn2 + 2.0 * s * p;
    double const finite = x == 0.0 ? -static_cast<double>(kInfinity) : y;
    return x <= 3.5e38 ? finite : x; // infinity and NaN stay
}

/// e^x in the range of float, with 0 and numbers above it outside.
inline double expDouble(double x)
{
    double c = x > 120.0 ? 120.0 : x;
    c = c < -120.0 ? -120.0 : c;
    double const shifted = c * (1 / kLn2) + kRoundDouble;
    double const r = c - (shifted - kRoundDouble) * kLn2;
    double p = 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r + 1.0;
    p = p * r + 1.0;
    std::uint64_t const n = std::bit_cast<std::uint64_t>(shifted) - std::bit_cast<std::uint64_t>(kRoundDouble);
    return p * std::bit_cast<double>((n + 1023u) << 52);
}

} // namespace detail

/// sin x, 0.6 ulp below 10^6. The error grows as x 2^-53 beyond.
inline float sinValue(float x)
{
    auto const q = detail::quartersOf(x);
    double const value = (q.turns & 1u) != 0 ? q.cosine : q.sine;
    return static_cast<float>((q.turns & 2u) != 0 ? -value : value);
}

/// cos x, with the error of sinValue().
inline float cosValue(float x)
{
    auto const q = detail::quartersOf(x);
    double const value = (q.turns & 1u) != 0 ? q.sine : q.cosine;
    return static_cast<float>(((q.turns + 1u) & 2u) != 0 ? -value : value);
}

/// tan x, with the error of sinValue().
inline float tanValue(float x)
{
    auto const q = detail::quartersOf(x);
    return static_cast<float>((q.turns & 1u) != 0 ? -q.cosine / q.sine : q.sine / q.cosine);
}

/// atan x, 0.6 ulp.
inline float atanValue(float x) { return static_cast<float>(detail::atanDouble(static_cast<double>(x))); }

/// asin x, 0.6 ulp; NaN outside -1 to 1.
inline float asinValue(float x)
{
    double const d = static_cast<double>(x);
    return static_cast<float>(detail::atanDouble(d / __builtin_sqrt((1.0 - d) * (1.0 + d))));
}

/// x^y, 0.6 ulp, with the special values of the C library.
inline float powValue(float x, float y)
{
    double const a = __builtin_fabs(static_cast<double>(x));
    float const size = static_cast<float>(detail::expDouble(static_cast<double>(y) * detail::logDouble(a)));
    bool const isWhole = __builtin_truncf(y) == y;
    bool const isOdd = isWhole & (__builtin_truncf(y * 0.5f) * 2.0f != y);
    float const ofOne = a == 1.0 ? 1.0f : size; // also to the power infinity
    float const turned = isOdd ? __builtin_copysignf(ofOne, x) : ofOne;
    bool const isReal = !(x < 0.0f) | isWhole | (x == -detail::kInfinity);
    float const real = isReal ? turned : detail::kNaN;
    return (y == 0.0f) | (x == 1.0f) ? 1.0f : real;
}

} // namespace tilewright::kernels
