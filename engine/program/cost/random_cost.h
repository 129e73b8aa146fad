#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>

/// Vertices of poprand: tile cycles for n elements on one tile. Formulas: poplibs lib/poprand/poprandCycleEstimators.cpp, rewritten.
namespace tilewright::cost {

/// f16, f32 or i32.
Cycles uniformCycles(ValueType type, std::int64_t n);
Cycles normalCycles(ValueType type, std::int64_t n);
/// `iterations` tries per vector, then the last value is clipped.
Cycles truncatedNormalCycles(ValueType type, std::int64_t n, std::int64_t iterations);
Cycles bernoulliCycles(ValueType type, std::int64_t n);
/// Mask and scale of one tensor.
Cycles dropoutCycles(ValueType type, std::int64_t n);
Cycles setSeedCycles();

} // namespace tilewright::cost
