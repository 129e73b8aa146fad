#pragma once

#include "engine/layers/build_context.h"
#include "engine/model/losses.h"

#include <string_view>

namespace tilewright::layers {

inline constexpr double kLossEpsilon = 1e-7; ///< Keras's backend epsilon

/// min(max(p, 1e-7), 1 - 1e-7)
graph::ValueId clippedProbability(BuildContext &c, graph::ValueId p);
/// Over the last axis, which goes.
graph::ValueId sumOverLast(BuildContext &c, graph::ValueId value);
graph::ValueId meanOverLast(BuildContext &c, graph::ValueId value);
/// The same with the last axis kept at one, to be broadcast.
graph::ValueId columnOf(BuildContext &c, graph::ValueId value);

/// Loss of every sample from predictions and labels of one shape, f32; the result is without their last axis. Formulas: the
/// loss table of the layers guide (section 4), which model::lossSpecs() repeats in words.
using LossFormula = graph::ValueId (*)(BuildContext &c, model::Loss const &loss, graph::ValueId prediction, graph::ValueId labels);
/// Of losses that no crossentropy is; nullptr: none.
LossFormula findLossFormula(std::string_view className);

} // namespace tilewright::layers
