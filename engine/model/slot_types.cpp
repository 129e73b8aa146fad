#include "engine/model/slot_types.h"

namespace tilewright::model {

std::string slotTypeArgument(std::string const &slot) { return slot == "momentum" ? "momentum_accum_dtype" : slot + "_dtype"; }

std::optional<DType> slotType(Optimizer const &optimizer, SlotSpec const &slot)
{
    auto const argument = slotTypeArgument(slot.name);
    if (optimizer.isNull(argument)) return {};
    return optimizer.text(argument) == "float16" ? DType::F16 : DType::F32;
}

Bytes slotBytes(Optimizer const &optimizer, DType weight)
{
    Bytes bytes = 0;
    for (auto const &slot : optimizerSlots(optimizer)) bytes += sizeOf(slotType(optimizer, slot).value_or(weight));
    return bytes;
}

} // namespace tilewright::model
