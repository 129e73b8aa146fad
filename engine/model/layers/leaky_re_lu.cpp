#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec leaky_re_luLayer()
{
    return {
        .className = "LeakyReLU",
        .category = "Activation",
        .help = "x for x > 0, alpha x below.",
        .params = {{.name = "alpha", .type = ParamType::Float, .defaultJson = "0.3", .help = "slope below 0"}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .activation =
            [](Layer const &layer) {
                Activation activation;
                activation.name = "leaky_relu";
                activation.alpha = layer.number("alpha");
                return activation;
            },
    };
}

} // namespace tilewright::model
