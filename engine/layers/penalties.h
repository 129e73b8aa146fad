#pragma once

#include "engine/layers/build_context.h"
#include "engine/model/regularizers.h"

#include <span>
#include <string>

/// Penalties of a micro-batch, under Keras's rules (2.6, base_layer.py): each weight counts once, also that of a layer that is called
/// several times or frozen; the outputs of a layer count in each of its calls, divided by the samples. All are computed in float32, on the
/// stage of their layer. A context without `penalizes` builds none.
namespace tilewright::layers {

/// Name of their sum in the outfeed, in logs and curves; "loss" includes it.
constexpr char const *kPenaltyName = "regularization_loss";

/// The penalty of a tensor, an f32 scalar. `leaf`: the argument, for the names of the nodes.
graph::ValueId buildPenalty(BuildContext &context, model::Regularizer const &regularizer, graph::ValueId tensor, std::string const &leaf);

/// Adds the penalties of the weights of the call's layer. Requires: the layer's first call.
void penalizeWeights(BuildContext &context, model::ResolvedCall const &call);

/// Adds the penalty of `layer` on its outputs, each divided by the samples of the context. Requires: outputs with the samples first, or
/// reordered parts of them.
void penalizeOutputs(BuildContext &context, model::Layer const &layer, std::span<graph::ValueId const> outputs);

/// The sum of all penalties so far, an f32 scalar on the last stage; invalid: there is none.
graph::ValueId totalPenalty(BuildContext &context);

} // namespace tilewright::layers
