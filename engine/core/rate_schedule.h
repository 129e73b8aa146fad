#pragma once

#include <cstdint>
#include <span>

/// Learning-rate schedules by the number of updates, used by host kernels and tiles. Formulas of keras.optimizers.schedules.
namespace tilewright {

/// The first number of a schedule. The following numbers are:
///   Constant: rate
///   Exponential, InverseTime: initial rate, steps, decay rate, 1 = staircase
///   Polynomial: initial rate, steps, end rate, power, 1 = cycle
///   Cosine: initial rate, steps, alpha, warm-up steps (0: none), warm-up target
///   CosineRestarts: initial rate, first steps, t_mul, m_mul, alpha
///   Piecewise: number of boundaries, the boundaries, the values (one more)
enum class RateKind { Constant, Exponential, InverseTime, Polynomial, Cosine, CosineRestarts, Piecewise };

/// Learning rate after `updates` updates, in double. Requires: numbers as above.
double scheduledRate(std::span<double const> numbers, std::int64_t updates);

} // namespace tilewright
