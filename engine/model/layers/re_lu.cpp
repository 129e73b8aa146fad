#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec re_luLayer()
{
    return {
        .className = "ReLU",
        .category = "Activation",
        .help = "x for x >= threshold, limited to max_value; negative_slope (x - threshold) below.",
        .params =
            {{.name = "max_value", .type = ParamType::Float, .min = 0, .help = "upper limit; null: none", .nullable = true},
             {.name = "negative_slope", .type = ParamType::Float, .defaultJson = "0.0", .min = 0, .help = "slope below the threshold"},
             {.name = "threshold",
              .type = ParamType::Float,
              .defaultJson = "0.0",
              .min = 0,
              .help = "x passes unchanged from this value on"}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .activation =
            [](Layer const &layer) {
                Activation activation;
                activation.name = "relu";
                activation.alpha = layer.number("negative_slope");
                activation.threshold = layer.number("threshold");
                if (!layer.isNull("max_value")) activation.maxValue = layer.number("max_value");
                return activation;
            },
    };
}

} // namespace tilewright::model
