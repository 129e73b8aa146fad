#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::model {

/// A learning rate by epoch, as the callback LearningRateScheduler takes it: a table or an expression.
///   [0.1, 0.05]              rate of each epoch from 0; the last one stays
///   {"0": 0.1, "10": 0.01}   rate from an epoch on; before the first one the rate stays as it is
///   lr * exp(-0.1) if epoch >= 10 else lr
/// An expression has numbers, `epoch` (from 0), `lr` (the present rate), + - * / ** ( ), comparisons, `a if c else b`, and the functions
/// exp, log, sqrt, cos, floor, min, max. Errors: model.bad-argument with the place.
Result<double> rateOfEpoch(std::string_view schedule, std::int64_t epoch, double rate, std::string const &subject);

/// Whether the rate of an epoch depends on the present rate. A table does not, even if it keeps the rate before its first epoch.
bool usesRate(std::string_view schedule);

} // namespace tilewright::model
