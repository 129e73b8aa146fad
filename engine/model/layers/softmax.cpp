#include "engine/model/layers/activation_rules.h"

namespace tilewright::model {

namespace {

Activation softmaxOf(Layer const &layer)
{
    Activation activation;
    activation.name = "softmax";
    activation.axis = static_cast<int>(layer.integer("axis"));
    return activation;
}

} // namespace

LayerSpec softmaxLayer()
{
    return {
        .className = "Softmax",
        .category = "Activation",
        .help = "exp(x) / sum(exp(x)) over one axis.",
        .params = {{.name = "axis",
                    .type = ParamType::Int,
                    .defaultJson = "-1",
                    .min = -32,
                    .max = 32,
                    .help = "axis of the sum, counted with the batch"}},
        .outputShape = [](Layer const &layer,
                          std::span<Shape const> inputs) { return activationShape(layer, inputs[0], softmaxOf(layer)); },
        .activation = softmaxOf,
    };
}

} // namespace tilewright::model
