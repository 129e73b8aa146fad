#pragma once

#include "engine/graph/prims.h"
#include "engine/kernels/vector_math.h"

namespace tilewright::kernels {

namespace detail {

constexpr float kSeluScale = 1.05070098f;
constexpr float kSeluAlpha = 1.67326324f;
constexpr float kSqrtHalf = 0.70710678118654752f;
constexpr float kSqrtTwoOverPi = 0.79788456080286536f;
constexpr float kInverseSqrtTwoPi = 0.39894228040143268f;
constexpr float kGeluCubic = 0.044715f;

/// numpy's maximum and minimum: NaN if an operand is NaN.
inline float maxValue(float x, float y) { return (x > y) | (x != x) ? x : y; }
inline float minValue(float x, float y) { return (x < y) | (x != x) ? x : y; }

} // namespace detail

/// Value of one elementwise primitive (definitions: engine/graph/prims.def) of float operands x, y, z with parameters p, q. Unused
/// arguments are ignored. Branch-free, so that loops over it vectorise (but the remainder calls the C library). Accuracy is that of the
/// functions in vector_math.h; max, min, relu and clip propagate NaN as numpy does.
template <graph::Prim P> inline float primValue(float x, [[maybe_unused]] float y = 0, [[maybe_unused]] float z = 0,
                                                [[maybe_unused]] float p = 0, [[maybe_unused]] float q = 0)
{
    using graph::Prim;
    using namespace detail;
    if constexpr (P == Prim::Add) return x + y;
    else if constexpr (P == Prim::Sub) return x - y;
    else if constexpr (P == Prim::Mul) return x * y;
    else if constexpr (P == Prim::Div) return x / y;
    else if constexpr (P == Prim::Max) return maxValue(x, y);
    else if constexpr (P == Prim::Min) return minValue(x, y);
    else if constexpr (P == Prim::Pow) return powValue(x, y);
    else if constexpr (P == Prim::Remainder) return __builtin_fmodf(x, y);
    else if constexpr (P == Prim::Neg) return -x;
    else if constexpr (P == Prim::Abs) return __builtin_fabsf(x);
    else if constexpr (P == Prim::Square) return x * x;
    else if constexpr (P == Prim::Sqrt) return __builtin_sqrtf(x);
    else if constexpr (P == Prim::Rsqrt) return 1.0f / __builtin_sqrtf(x);
    else if constexpr (P == Prim::Reciprocal) return 1.0f / x;
    else if constexpr (P == Prim::Exp) return expValue(x);
    else if constexpr (P == Prim::Log) return logValue(x);
    else if constexpr (P == Prim::Log1p) return log1pValue(x);
    else if constexpr (P == Prim::Tanh) return tanhValue(x);
    else if constexpr (P == Prim::Sigmoid) return sigmoidValue(x);
    else if constexpr (P == Prim::Sign) return x > 0 ? 1.0f : (x < 0 ? -1.0f : x);
    else if constexpr (P == Prim::Floor) return __builtin_floorf(x);
    else if constexpr (P == Prim::Ceil) return __builtin_ceilf(x);
    else if constexpr (P == Prim::Round) return __builtin_nearbyintf(x);
    else if constexpr (P == Prim::Trunc) return __builtin_truncf(x);
    else if constexpr (P == Prim::Sin) return sinValue(x);
    else if constexpr (P == Prim::Cos) return cosValue(x);
    else if constexpr (P == Prim::Tan) return tanValue(x);
    else if constexpr (P == Prim::Asin) return asinValue(x);
    else if constexpr (P == Prim::Atan) return atanValue(x);
    else if constexpr (P == Prim::Relu) return 0.0f > x ? 0.0f : x;
    else if constexpr (P == Prim::LeakyRelu) return x >= 0 ? x : p * x;
    else if constexpr (P == Prim::Elu) {
        float const negative = p * expm1Value(x);
        return x > 0 ? x : negative;
    } else if constexpr (P == Prim::Selu) {
        float const negative = kSeluAlpha * expm1Value(x);
        return kSeluScale * (x > 0 ? x : negative);
    } else if constexpr (P == Prim::Softplus) {
        return primValue<Prim::Relu>(x) + log1pValue(expValue(-__builtin_fabsf(x)));
    } else if constexpr (P == Prim::Softsign) return x / (1.0f + __builtin_fabsf(x));
    else if constexpr (P == Prim::HardSigmoid) return minValue(maxValue(fmadd(0.2f, x, 0.5f), 0.0f), 1.0f);
    else if constexpr (P == Prim::Gelu) return 0.5f * x * (1.0f + erfValue(x * kSqrtHalf));
    else if constexpr (P == Prim::GeluTanh) {
        float const u = kSqrtTwoOverPi * fmadd(kGeluCubic * x * x, x, x);
        return 0.5f * x * (1.0f + tanhValue(u));
    } else if constexpr (P == Prim::Swish) return x * sigmoidValue(x);
    else if constexpr (P == Prim::ReluGrad) return x > 0 ? y : 0.0f;
    else if constexpr (P == Prim::TanhGrad) return y * fmadd(-x, x, 1.0f);
    else if constexpr (P == Prim::SigmoidGrad) return y * x * (1.0f - x);
    else if constexpr (P == Prim::LeakyReluGrad) return x >= 0 ? y : p * y;
    else if constexpr (P == Prim::EluGrad) {
        float const negative = y * p * expValue(x);
        return x > 0 ? y : negative;
    } else if constexpr (P == Prim::SeluGrad) {
        float const negative = y * kSeluAlpha * expValue(x);
        return kSeluScale * (x > 0 ? y : negative);
    } else if constexpr (P == Prim::SoftplusGrad) return y * sigmoidValue(x);
    else if constexpr (P == Prim::SoftsignGrad) {
        float const d = 1.0f + __builtin_fabsf(x);
        return y / (d * d);
    } else if constexpr (P == Prim::HardSigmoidGrad) {
        float const inside = 0.2f * y;
        return (x >= -2.5f) & (x <= 2.5f) ? inside : 0.0f;
    } else if constexpr (P == Prim::GeluGrad) {
        float const density = kInverseSqrtTwoPi * expValue(-0.5f * x * x);
        // x may be infinite where the density is 0.
        float const slope = density == 0.0f ? 0.0f : x * density;
        return y * fmadd(0.5f, 1.0f + erfValue(x * kSqrtHalf), slope);
    } else if constexpr (P == Prim::GeluTanhGrad) {
        float const u = kSqrtTwoOverPi * fmadd(kGeluCubic * x * x, x, x);
        float const t = tanhValue(u);
        float const du = kSqrtTwoOverPi * fmadd(3.0f * kGeluCubic * x, x, 1.0f);
        float const sech = fmadd(-t, t, 1.0f);
        float const slope = sech == 0.0f ? 0.0f : 0.5f * x * sech * du;
        return y * fmadd(0.5f, 1.0f + t, slope);
    } else if constexpr (P == Prim::SwishGrad) {
        float const s = sigmoidValue(x);
        float const slope = s == 0.0f || s == 1.0f ? 0.0f : x * s * (1.0f - s);
        return y * (s + slope);
    } else if constexpr (P == Prim::MaxGrad) return x >= y ? z : 0.0f;
    else if constexpr (P == Prim::Select) return x != 0 ? y : z;
    else if constexpr (P == Prim::AddScalar) return x + p;
    else if constexpr (P == Prim::MulScalar) return x * p;
    else if constexpr (P == Prim::MaxScalar) return maxValue(x, p);
    else if constexpr (P == Prim::Clip) return minValue(maxValue(x, p), q);
    else if constexpr (P == Prim::ClipGrad) return (p <= x) & (x <= q) ? y : 0.0f;
    else if constexpr (P == Prim::Step) return x > p ? 1.0f : 0.0f;
    else if constexpr (P == Prim::Equal) return x == y ? 1.0f : 0.0f;
    else if constexpr (P == Prim::Greater) return x > y ? 1.0f : 0.0f;
    else if constexpr (P == Prim::GreaterEqual) return x >= y ? 1.0f : 0.0f;
    else {
        static_assert(P == Prim::Axpby, "a primitive of prims.def has no formula here");
        return fmadd(p, x, q * y);
    }
}

} // namespace tilewright::kernels
