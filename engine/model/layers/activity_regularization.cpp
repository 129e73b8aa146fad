#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec activity_regularizationLayer()
{
    ParamInfo const factor{.type = ParamType::Float, .defaultJson = "0.0"};
    auto l1 = factor, l2 = factor;
    l1.name = "l1";
    l1.help = "factor of the sum of the absolute values";
    l2.name = "l2";
    l2.help = "factor of the sum of the squares";
    return {
        .className = "ActivityRegularization",
        .category = "Regularization",
        .help =
            "Passes its input on and adds a penalty on it to the loss: l1 times the sum of the absolute values plus l2 times the sum of "
            "the squares, divided by the samples.",
        .params = {l1, l2},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .activation = [](Layer const &) { return Activation(); },
        .activityRegularizer = [](Layer const &layer) -> Result<Regularizer> {
            return parseRegularizer({{"class_name", "L1L2"}, {"config", {{"l1", layer.number("l1")}, {"l2", layer.number("l2")}}}},
                                    layer.name);
        },
    };
}

} // namespace tilewright::model
