#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec eluLayer()
{
    return {
        .className = "ELU",
        .category = "Activation",
        .help = "x for x > 0, alpha (exp(x) - 1) below.",
        .params = {{.name = "alpha", .type = ParamType::Float, .defaultJson = "1.0", .help = "scale below 0"}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .activation =
            [](Layer const &layer) {
                Activation activation;
                activation.name = "elu";
                activation.alpha = layer.number("alpha");
                return activation;
            },
    };
}

} // namespace tilewright::model
