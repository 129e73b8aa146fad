#include "engine/model/layer_spec.h"

namespace tilewright::model {

namespace {

Result<Shape> flattenShape(Layer const &layer, std::span<Shape const> inputs)
{
    Shape const &input = inputs[0];
    if (layer.text("data_format") == "channels_first" && input.size() > 2)
        return layerError(layer, "model.unsupported", Message::of("channels_first is not supported yet"),
                          Message::of("use data_format channels_last"));
    std::int64_t elements = 1;
    for (std::size_t i = 1; i < input.size(); ++i) elements *= input[i];
    return Shape{input.empty() ? -1 : input[0], elements};
}

} // namespace

LayerSpec flattenLayer()
{
    return {
        .className = "Flatten",
        .category = "Core",
        .help = "Flattens all axes but the batch into one, in row-major order.",
        .params = {{.name = "data_format",
                    .type = ParamType::Enum,
                    .defaultJson = "\"channels_last\"",
                    .allowed = {"channels_last", "channels_first"},
                    .help = "position of the channels"}},
        .keepsIntegers = true,
        .outputShape = flattenShape,
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
