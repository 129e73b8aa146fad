#include "engine/model/layer_spec.h"

namespace tilewright::model {

namespace {

Status checkDropout(Layer const &layer)
{
    if (layer.number("rate") >= 1.0)
        return layerError(layer, "model.bad-argument", Message::of("rate is 1: nothing would pass"),
                          Message::of("use a rate of at least 0 and below 1"));
    if (!layer.isNull("noise_shape"))
        return layerError(layer, "model.unsupported", Message::of("noise_shape is not supported yet"),
                          Message::of("set noise_shape to null"));
    return {};
}

} // namespace

LayerSpec dropoutLayer()
{
    return {
        .className = "Dropout",
        .category = "Regularization",
        .help = "In training, zeroes each element with probability rate and scales the rest by 1/(1-rate).",
        .params =
            {{.name = "rate",
              .type = ParamType::Float,
              .min = 0,
              .max = 1,
              .help = "share of elements dropped, 0 to below 1",
              .required = true},
             {.name = "noise_shape", .type = ParamType::IntList, .help = "shape of the mask; only null is supported", .nullable = true},
             {.name = "seed", .type = ParamType::Int, .help = "own seed; null: the training seed", .nullable = true}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .check = checkDropout,
    };
}

} // namespace tilewright::model
