#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec thresholded_re_luLayer()
{
    return {
        .className = "ThresholdedReLU",
        .category = "Activation",
        .help = "x for x > theta, otherwise 0.",
        .params =
            {{.name = "theta", .type = ParamType::Float, .defaultJson = "1.0", .min = 0, .help = "x passes unchanged above this value"}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .activation =
            [](Layer const &layer) {
                Activation activation;
                activation.name = "relu";
                activation.threshold = layer.number("theta");
                return activation;
            },
    };
}

} // namespace tilewright::model
