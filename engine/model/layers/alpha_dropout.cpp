#include "engine/model/layers/noise_rules.h"

namespace tilewright::model {

LayerSpec alpha_dropoutLayer()
{
    return {
        .className = "AlphaDropout",
        .category = "Regularization",
        .help = "In training, a dropout that keeps the mean and variance of SELU outputs.",
        .params = {rateParam()},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .check = checkRate,
    };
}

} // namespace tilewright::model
