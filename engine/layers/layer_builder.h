#pragma once

#include "engine/layers/build_context.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::layers {

/// How the calls of one layer class become nodes. `inputs` have the call's type already, unless the class
/// passes whole numbers on. The builder's layer and stage are set.
struct LayerBuilder {
    std::string className;
    std::function<Result<std::vector<graph::ValueId>>(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>)>
        build;
};

/// All classes that can be built; one line per class in builtin_layer_builders.cpp.
std::span<LayerBuilder const> builtinLayerBuilders();
LayerBuilder const *findLayerBuilder(std::string_view className);

/// Appends the activation; remembers its input when it is one whose logits a loss may want.
/// Error: Invalid "layers.unsupported" (softmax over a long axis other than the last).
Result<graph::ValueId> buildActivation(BuildContext &context, model::ResolvedCall const &call, model::Activation const &activation,
                                       graph::ValueId input);

/// The same inside a layer: its value is not what the layer gives, and no loss may ask for its logits.
Result<graph::ValueId> applyActivation(BuildContext &context, model::ResolvedCall const &call, model::Activation const &activation,
                                       graph::ValueId input);

/// What went wrong in one layer.
Diagnostic buildError(BuildContext const &context, model::ResolvedCall const &call, std::string message, std::string remedy);

// Families, each in its own file.
Result<std::vector<graph::ValueId>> buildInput(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildDense(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildActivationLayer(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildSpatialDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildGaussianNoise(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildGaussianDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
Result<std::vector<graph::ValueId>> buildAlphaDropout(BuildContext &, model::ResolvedCall const &, std::span<graph::ValueId const>);
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

} // namespace tilewright::layers
