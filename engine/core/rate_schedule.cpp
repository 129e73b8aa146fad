#include "engine/core/rate_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tilewright {

namespace {

double cosineShare(double part, double alpha) { return (1 - alpha) * 0.5 * (1 + std::cos(std::numbers::pi * part)) + alpha; }

/// Periods of `first`, `first` t_mul, `first` t_mul^2, … updates.
double restarts(double at, double first, double tMul, double mMul, double alpha)
{
    double part = at / first, period = 0;
    if (tMul == 1.0) {
        period = std::floor(part);
        part -= period;
    } else {
        // Rounding must not leave the end of one period at the beginning of the next.
        period = std::floor(std::log1p(part * (tMul - 1)) / std::log(tMul) + 1e-9);
        double const before = (std::pow(tMul, period) - 1) / (tMul - 1);
        part = std::max(0.0, (part - before) / std::pow(tMul, period));
    }
    return (1 - alpha) * 0.5 * std::pow(mMul, period) * (1 + std::cos(std::numbers::pi * part)) + alpha;
}

} // namespace

double scheduledRate(std::span<double const> numbers, std::int64_t updates)
{
    double const t = static_cast<double>(updates), initial = numbers[1];
    switch (static_cast<RateKind>(static_cast<int>(numbers[0]))) {
    case RateKind::Constant: return initial;
    case RateKind::Exponential: {
        double const part = t / numbers[2];
        return initial * std::pow(numbers[3], numbers[4] != 0 ? std::floor(part) : part);
    }
    case RateKind::InverseTime: {
        double const part = t / numbers[2];
        return initial / (1 + numbers[3] * (numbers[4] != 0 ? std::floor(part) : part));
    }
    case RateKind::Polynomial: {
        double const steps = numbers[2] * (numbers[5] != 0 ? std::max(1.0, std::ceil(t / numbers[2])) : 1.0);
        return (initial - numbers[3]) * std::pow(1 - std::min(t, steps) / steps, numbers[4]) + numbers[3];
    }
    case RateKind::Cosine: {
        double const warmUp = numbers[4], target = numbers[5];
        if (t < warmUp) return initial + (target - initial) * t / warmUp;
        return target * cosineShare(std::min(t - warmUp, numbers[2]) / numbers[2], numbers[3]);
    }
    case RateKind::CosineRestarts: return initial * restarts(t, numbers[2], numbers[3], numbers[4], numbers[5]);
    case RateKind::Piecewise: {
        auto const count = static_cast<std::size_t>(numbers[1]);
        auto const boundaries = numbers.subspan(2, count), values = numbers.subspan(2 + count, count + 1);
        return values[static_cast<std::size_t>(std::ranges::lower_bound(boundaries, t) - boundaries.begin())];
    }
    }
    return initial;
}

} // namespace tilewright
