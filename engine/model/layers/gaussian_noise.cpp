#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec gaussian_noiseLayer()
{
    return {
        .className = "GaussianNoise",
        .category = "Regularization",
        .help = "In training, adds normal noise of mean 0.",
        .params = {{.name = "stddev", .type = ParamType::Float, .min = 0, .help = "standard deviation of the noise", .required = true}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
    };
}

} // namespace tilewright::model
