#pragma once

#include <cstdint>
#include <span>

/// Learning rates that follow the updates, as host kernels and tiles compute them: the formulas of keras.optimizers.schedules.
namespace tilewright {

/// The first of a schedule's numbers; behind it:
///   Constant: rate
///   Exponential, InverseTime: initial rate, steps, rate of the decay, 1 = in stairs
///   Polynomial: initial rate, steps, last rate, power, 1 = in cycles
///   Cosine: initial rate, steps, alpha, steps of the warm-up (0: none), its target
///   CosineRestarts: initial rate, first steps, t_mul, m_mul, alpha
///   Piecewise: number of boundaries, the boundaries, the values (one more)
enum class RateKind { Constant, Exponential, InverseTime, Polynomial, Cosine, CosineRestarts, Piecewise };

/// Learning rate of the update before which there were `updates`, in double. Requires: numbers as above.
double scheduledRate(std::span<double const> numbers, std::int64_t updates);

} // namespace tilewright
