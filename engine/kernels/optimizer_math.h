#pragma once

#include "engine/kernels/vector_math.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewright::kernels {

/// The optimizers' updates per element, shared by fused kernels and tile codelets. Only this file fixes their order of operations.
/// Formulas: Keras 2.6 optimizer_v2; square root and division are exact. Coefficients that depend on attributes only are computed in double
/// and rounded once (…Coefficients).

inline float sgdUpdate(float w, float g, float lr) { return fmadd(-lr, g, w); }

struct MomentumState {
    float w, m;
};
/// m' = momentum m - lr g; w' = w + m', or w + (momentum m' - lr g) with nesterov.
inline MomentumState momentumUpdate(MomentumState s, float g, float lr, float momentum, bool nesterov)
{
    float const step = lr * g;
    float const m = fmadd(momentum, s.m, -step);
    float const ahead = fmadd(momentum, m, -step);
    return {s.w + (nesterov ? ahead : m), m};
}

struct RmspropCoefficients {
    float rho, oneMinusRho, epsilon, momentum;
};
inline RmspropCoefficients rmspropCoefficients(double rho, double epsilon, double momentum = 0)
{
    return {static_cast<float>(rho), static_cast<float>(1.0 - rho), static_cast<float>(epsilon), static_cast<float>(momentum)};
}

struct RmspropState {
    float w, s;
};
/// s' = rho s + (1-rho) g^2; w' = w - lr g / (sqrt s' + epsilon).
inline RmspropState rmspropUpdate(RmspropState v, float g, float lr, RmspropCoefficients c)
{
    float const s = fmadd(c.rho, v.s, c.oneMinusRho * (g * g));
    return {v.w - (lr * g) / (__builtin_sqrtf(s) + c.epsilon), s};
}

struct RmspropFullState {
    float w, s, mg, mom;
};
/// RMSprop with momentum (epsilon inside the root) and, if centered, the variance s' - mg'^2 instead of s'. Rounding can make that variance
/// slightly negative; then it counts as 0.
inline RmspropFullState rmspropFullUpdate(RmspropFullState v, float g, float lr, RmspropCoefficients c, bool centered, bool withMomentum)
{
    RmspropFullState r = v;
    r.s = fmadd(c.rho, v.s, c.oneMinusRho * (g * g));
    float const mean = fmadd(c.rho, v.mg, c.oneMinusRho * g);
    float const variance = fmadd(-mean, mean, r.s);
    float const denominator = centered ? (variance < 0.0f ? 0.0f : variance) : r.s;
    r.mg = centered ? mean : v.mg;
    float const rootInside = __builtin_sqrtf(denominator + c.epsilon);
    float const rootOutside = __builtin_sqrtf(denominator) + c.epsilon;
    float const step = (lr * g) / (withMomentum ? rootInside : rootOutside);
    r.mom = withMomentum ? fmadd(c.momentum, v.mom, step) : v.mom;
    r.w = v.w - (withMomentum ? r.mom : step);
    return r;
}

struct AdamCoefficients {
    float beta1, oneMinusBeta1, beta2, oneMinusBeta2, epsilon;
};
inline AdamCoefficients adamCoefficients(double beta1, double beta2, double epsilon)
{
    return {static_cast<float>(beta1), static_cast<float>(1.0 - beta1), static_cast<float>(beta2), static_cast<float>(1.0 - beta2),
            static_cast<float>(epsilon)};
}

struct AdamState {
    float w, m, v;
};
/// m' = b1 m + (1-b1) g; v' = b2 v + (1-b2) g^2; w' = w - alpha m' / (sqrt v' + epsilon).
inline AdamState adamUpdate(AdamState s, float g, float alpha, AdamCoefficients c)
{
    float const m = fmadd(c.beta1, s.m, c.oneMinusBeta1 * g);
    float const v = fmadd(c.beta2, s.v, c.oneMinusBeta2 * (g * g));
    return {s.w - (alpha * m) / (__builtin_sqrtf(v) + c.epsilon), m, v};
}

struct AmsgradState {
    float w, m, v, vhat;
};
/// Adam with vhat' = max(vhat, v') under the root.
inline AmsgradState amsgradUpdate(AmsgradState s, float g, float alpha, AdamCoefficients c)
{
    float const m = fmadd(c.beta1, s.m, c.oneMinusBeta1 * g);
    float const v = fmadd(c.beta2, s.v, c.oneMinusBeta2 * (g * g));
    float const vhat = (s.vhat > v) | (s.vhat != s.vhat) ? s.vhat : v;
    return {s.w - (alpha * m) / (__builtin_sqrtf(vhat) + c.epsilon), m, v, vhat};
}

struct AdamaxState {
    float w, m, u;
};
/// m' = b1 m + (1-b1) g; u' = max(b2 u, |g|); w' = w - alpha m' / (u' + epsilon).
inline AdamaxState adamaxUpdate(AdamaxState s, float g, float alpha, AdamCoefficients c)
{
    float const m = fmadd(c.beta1, s.m, c.oneMinusBeta1 * g);
    float const size = __builtin_fabsf(g), before = c.beta2 * s.u;
    float const u = (before > size) | (before != before) ? before : size;
    return {s.w - (alpha * m) / (u + c.epsilon), m, u};
}

struct AdadeltaState {
    float w, a, d;
};
/// a' = rho a + (1-rho) g^2; x = g sqrt(d + epsilon) / sqrt(a' + epsilon); d' = rho d + (1-rho) x^2; w' = w - lr x.
inline AdadeltaState adadeltaUpdate(AdadeltaState s, float g, float lr, RmspropCoefficients c)
{
    float const a = fmadd(c.rho, s.a, c.oneMinusRho * (g * g));
    float const x = g * __builtin_sqrtf(s.d + c.epsilon) / __builtin_sqrtf(a + c.epsilon);
    return {fmadd(-lr, x, s.w), a, fmadd(c.rho, s.d, c.oneMinusRho * (x * x))};
}

/// Correction of the learning rate in update t = it + 1: none, sqrt(1 - b2^t) / (1 - b1^t), or 1 / (1 - b1^t).
enum class StepKind { Constant, Adam, Adamax };

/// "constant", "adam", "adamax"; nullopt for another word.
inline std::optional<StepKind> parseStepKind(std::string_view word)
{
    if (word == "constant") return StepKind::Constant;
    if (word == "adam") return StepKind::Adam;
    if (word == "adamax") return StepKind::Adamax;
    return {};
}

/// opt.step_size: lr / (1 + decay it), corrected. In double, rounded once.
inline float stepSize(std::int32_t iterations, StepKind kind, double learningRate, double decay, double beta1, double beta2)
{
    double const it = iterations;
    double rate = learningRate / (1.0 + decay * it);
    if (kind == StepKind::Adam) rate *= std::sqrt(1.0 - std::pow(beta2, it + 1.0)) / (1.0 - std::pow(beta1, it + 1.0));
    if (kind == StepKind::Adamax) rate /= 1.0 - std::pow(beta1, it + 1.0);
    return static_cast<float>(rate);
}

/// accumulate: acc + scale g.
inline float accumulateValue(float acc, float g, float scale) { return fmadd(scale, g, acc); }

/// accumulate_running: acc k/(k+1) + g/(k+1), the mean of k+1 gradients from that of k.
struct RunningCoefficients {
    float keep, take;
};
inline RunningCoefficients runningCoefficients(std::int32_t k)
{
    double const n = static_cast<double>(k) + 1.0;
    return {static_cast<float>(k / n), static_cast<float>(1.0 / n)};
}
inline float runningValue(float acc, float g, RunningCoefficients c) { return fmadd(acc, c.keep, g * c.take); }

} // namespace tilewright::kernels
