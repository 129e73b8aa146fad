#include "engine/model/layers/noise_rules.h"

#include "engine/model/layers/window_rules.h"

namespace tilewright::model {

ParamInfo rateParam()
{
    return {
        .name = "rate", .type = ParamType::Float, .min = 0, .max = 1, .help = "share of channels dropped, 0 to below 1", .required = true};
}

Status checkRate(Layer const &layer)
{
    if (layer.number("rate") >= 1.0)
        return layerError(layer, "model.bad-argument", Message::of("rate is 1: nothing would pass"),
                          Message::of("use a rate of at least 0 and below 1"));
    if (!layer.isNull("noise_shape"))
        return layerError(layer, "model.unsupported", Message::of("noise_shape is not supported yet"),
                          Message::of("set noise_shape to null"));
    return {};
}

LayerSpec spatialDropoutSpec(std::string className, int spatial)
{
    std::vector<ParamInfo> params{
        rateParam(),
        {.name = "noise_shape", .type = ParamType::IntList, .help = "shape of the mask; only null is supported", .nullable = true},
        {.name = "seed", .type = ParamType::Int, .help = "own seed; null: the training seed", .nullable = true}};
    if (spatial > 1) params.push_back(dataFormatParam(spatial));
    return {
        .className = std::move(className),
        .category = "Regularization",
        .help = "In training, zeroes each channel of a sample with probability rate and scales the rest by 1/(1-rate).",
        .params = std::move(params),
        .masks = MaskUse::Passes,
        .outputShape = [spatial](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            if (inputs[0].size() == static_cast<std::size_t>(spatial) + 2) return inputs[0];
            return layerError(
                layer, "model.shape",
                Message::of("input %1 of rank %2; %3 needs rank %4", toText(inputs[0]), inputs[0].size(), layer.className, spatial + 2),
                Message::of("put a Reshape before it"));
        },
        .check = checkRate,
    };
}

} // namespace tilewright::model
