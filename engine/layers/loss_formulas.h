#pragma once

#include "engine/layers/build_context.h"
#include "engine/model/losses.h"

#include <string_view>

namespace tilewright::layers {

inline constexpr double kLossEpsilon = 1e-7; ///< Keras's backend epsilon

/// min(max(p, 1e-7), 1 - 1e-7)
graph::ValueId clippedProbability(BuildContext &c, graph::ValueId p);
/// Sum over the last axis, which is removed.
graph::ValueId sumOverLast(BuildContext &c, graph::ValueId value);
graph::ValueId meanOverLast(BuildContext &c, graph::ValueId value);
/// The same with a last axis of 1, for broadcasting.
graph::ValueId columnOf(BuildContext &c, graph::ValueId value);

/// Loss of every sample from predictions and labels of equal shape, f32; the result lacks their last axis, or
/// the axis that the loss names. Formulas: the loss table of the
/// layers guide (section 4), which model::lossSpecs() repeats as text.
using LossFormula = graph::ValueId (*)(BuildContext &c, model::Loss const &loss, graph::ValueId prediction, graph::ValueId labels);
/// Formula of a loss that is not a crossentropy; nullptr: unknown.
LossFormula findLossFormula(std::string_view className);

} // namespace tilewright::layers
