#include "engine/model/layers/activation_rules.h"

namespace tilewright::model {

namespace {

Activation softmaxOf(Layer const &layer)
{
    Activation activation;
    activation.name = "softmax";
    auto const axes = layer.integers("axis");
    if (axes.size() > 1) activation.axes.assign(axes.begin(), axes.end());
    if (!axes.empty()) activation.axis = static_cast<int>(axes.back());
    return activation;
}

} // namespace

LayerSpec softmaxLayer()
{
    return {
        .className = "Softmax",
        .category = "Activation",
        .help = "exp(x) / sum(exp(x)) over one axis, or over several together.",
        .params = {{.name = "axis",
                    .type = ParamType::IntList,
                    .defaultJson = "-1",
                    .min = -32,
                    .max = 32,
                    .help = "axis of the sum, or a list of axes, counted with the batch",
                    .orInteger = true}},
        .masks = MaskUse::Refuses, // Keras adds the mask to the logits, over axes that seldom are the mask's
        .outputShape = [](Layer const &layer,
                          std::span<Shape const> inputs) { return activationShape(layer, inputs[0], softmaxOf(layer)); },
        .check = [](Layer const &layer) -> Status {
            if (!layer.integers("axis").empty()) return {};
            return layerError(layer, "model.bad-argument", Message::of("axis is an empty list"), Message::of("give an axis, or several"));
        },
        .activation = softmaxOf,
    };
}

} // namespace tilewright::model
