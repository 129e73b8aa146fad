#pragma once

#include "engine/core/formula.h"
#include "engine/model/layer_spec.h"

#include <cstddef>
#include <string_view>

namespace tilewright::model {

/// The expression of a Lambda layer. Its names are inputs: x (or x1), x2, x3, … Errors: model.bad-argument (the text, or another name; a
/// function of a whole tensor).
Result<Formula> expressionOf(Layer const &layer);

/// The number of an input from 1; 0: the name is none.
std::size_t inputNumber(std::string_view name);
/// The largest number of an input that the formula reads; 0: it reads none.
std::size_t inputsOf(Formula const &formula);

} // namespace tilewright::model
