#pragma once

#include "engine/layers/build_context.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::layers {

/// Builds the nodes of one layer class's calls. `inputs` have the call's type unless the class accepts integers. The builder's layer and
/// stage are set.
struct LayerBuilder {
    std::string className;
    std::function<Result<std::vector<graph::ValueId>>(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>)> build;
};

/// All classes that can be built; one line per class in builtin_layer_builders.cpp.
std::span<LayerBuilder const> builtinLayerBuilders();
LayerBuilder const *findLayerBuilder(std::string_view className);

/// Appends the activation. Records its input if a loss may use it as logits.
Result<graph::ValueId> buildActivation(BuildContext &context, model::ResolvedCall const &call, model::Activation const &activation,
                                       graph::ValueId input);

/// The same for an activation inside a layer: its value is not the layer's output, and no loss uses its logits.
Result<graph::ValueId> applyActivation(BuildContext &context, model::ResolvedCall const &call, model::Activation const &activation,
                                       graph::ValueId input);
/// Dropout in training (otherwise, and at rate 0, the value itself), from the stream of `seed`, or from the model's next stream.
graph::ValueId dropped(BuildContext &context, graph::ValueId value, double rate, std::optional<std::int64_t> seed = {});

/// Mean over the unmasked steps of [batch, steps, features]: [batch, features].
graph::ValueId maskedMean(BuildContext &context, graph::ValueId value, graph::ValueId mask);

/// The value with axes of 1 between the batch and the rest, then broadcast as numpy does: Keras's rule for merging.
/// The value with axes of 1 between the batch and the rest, broadcast to `shape`: Keras's rule for merging.
graph::ValueId aligned(BuildContext &context, graph::ValueId value, Shape const &shape);

/// An error in one layer.
Diagnostic buildError(BuildContext const &context, model::ResolvedCall const &call, Message message, Message remedy);

// Families, each in its own file.
Result<std::vector<graph::ValueId>> buildInput(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildDense(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildActivationLayer(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildLambda(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildPrelu(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildSpatialDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildGaussianNoise(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildGaussianDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildAlphaDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildMasking(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildRecomputationCheckpoint(BuildContext &, model::ResolvedCall const &,
                                                                 std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildReshape(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildMerge(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildConcatenate(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildConv(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildDepthwiseConv(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildSeparableConv(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildPooling(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildGlobalPooling(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildBatchNormalization(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildLayerNormalization(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildGroupNormalization(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildRecurrent(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildBidirectional(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildTimeDistributed(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildDot(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildAttention(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildMultiHeadAttention(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildPermute(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildRepeatVector(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildEmbedding(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildCropping(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildZeroPadding(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildUpSampling(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildOperation(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildResizing(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildCenterCrop(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildRescaling(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildNormalization(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildEinsumDense(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildLocallyConnected(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);

} // namespace tilewright::layers
