#pragma once

#include "engine/layers/layer_builder.h"
#include "engine/layers/step_graph.h"

#include <span>

namespace tilewright::layers {

/// Values of the calls of a model within one region.
struct ForwardValues {
    std::vector<graph::ValueId> calls;   ///< by ResolvedModel::calls
    std::vector<graph::ValueId> masks;   ///< their masks, f32; invalid: none
    std::vector<graph::ValueId> outputs; ///< by ResolvedModel::outputs
};

/// Error layers.batch if an input layer fixes another batch size.
Status checkBatch(model::ResolvedModel const &model, std::int64_t batch);

/// Names, shapes and types of the model's inputs, in its order.
std::vector<graph::FeedSpec> inputSpecs(BuildContext const &context);

/// Appends infeed("infeed") of these tensors; role Input.
std::vector<graph::ValueId> buildInfeed(BuildContext &context, std::vector<graph::FeedSpec> const &specs);
/// Appends outfeed("outfeed"). Requires: as many values as specs.
void buildOutfeed(BuildContext &context, std::vector<graph::ValueId> const &values);

/// Appends all calls of the model. `inputs` are its inputs in order.
Result<ForwardValues> buildForward(BuildContext &context, std::span<graph::ValueId const> inputs);

} // namespace tilewright::layers
