#pragma once

#include "engine/core/types.h"
#include "engine/model/optimizers.h"

#include <optional>
#include <string>

namespace tilewright::model {

/// The argument of an optimizer that gives the element type of a state: "m_dtype" for the state m.
std::string slotTypeArgument(std::string const &slot);
/// Element type of a state beside a weight. None: that of the weight.
std::optional<DType> slotType(Optimizer const &optimizer, SlotSpec const &slot);
/// Bytes of all states beside one element of a weight of this type.
Bytes slotBytes(Optimizer const &optimizer, DType weight);

} // namespace tilewright::model
