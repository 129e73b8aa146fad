#include "engine/model/layers/activation_rules.h"

namespace tilewright::model {

LayerSpec activationLayer()
{
    auto const function = [](Layer const &layer) { return activationArgument(layer, "activation"); };
    return {
        .className = "Activation",
        .category = "Activation",
        .help = "Applies an activation function.",
        .params = {{.name = "activation", .type = ParamType::Activation, .help = "the function", .required = true}},
        .masks = MaskUse::Passes,
        .outputShape = [function](Layer const &layer,
                                  std::span<Shape const> inputs) { return activationShape(layer, inputs[0], function(layer)); },
        .activation = function,
    };
}

} // namespace tilewright::model
