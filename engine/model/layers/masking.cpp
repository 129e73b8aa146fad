#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec maskingLayer()
{
    return {
        .className = "Masking",
        .category = "Core",
        .help = "Masks the time steps in which all features equal mask_value, and sets them to 0. Later layers that use masks skip these "
                "steps.",
        .params =
            {{.name = "mask_value", .type = ParamType::Float, .defaultJson = "0.0", .help = "value of all features of a masked step"}},
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &, std::span<char const>) { return true; },
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            if (inputs[0].size() >= 3) return inputs[0];
            return layerError(
                layer, "model.shape",
                Message::of("input of rank %1, %2; Masking needs a batch, time steps and features", inputs[0].size(), toText(inputs[0])),
                Message::of("put a Reshape or an input with two axes beside the batch before it"));
        },
        .multiplyAdds = [](Layer const &, std::span<Shape const> inputs, Shape const &) { return sampleElements(inputs[0]); },
    };
}

} // namespace tilewright::model
