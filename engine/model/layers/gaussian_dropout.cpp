#include "engine/model/layers/noise_rules.h"

namespace tilewright::model {

LayerSpec gaussian_dropoutLayer()
{
    return {
        .className = "GaussianDropout",
        .category = "Regularization",
        .help = "In training, multiplies by normal noise of mean 1 and the standard deviation of a dropout of that rate.",
        .params = {rateParam()},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .check = checkRate,
    };
}

} // namespace tilewright::model
