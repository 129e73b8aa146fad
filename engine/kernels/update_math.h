#pragma once

#include "engine/core/formula.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewright::kernels {

/// opt.coefficient: the formula in update t, counted from 1, after so many updates. In double, rounded once. nullopt: not a formula of t.
inline std::optional<float> coefficientAt(Formula const &formula, std::int32_t iterations)
{
    auto const value = valueOf(formula, [iterations](std::string_view name) {
        return name == "t" ? std::optional(static_cast<double>(iterations) + 1.0) : std::nullopt;
    });
    return value ? std::optional(static_cast<float>(*value)) : std::nullopt;
}

} // namespace tilewright::kernels
