#include "engine/model/layers/wrapper_rules.h"

namespace tilewright::model {

namespace {

/// One step's input: [batch, steps, …] without the steps.
Shape stepShape(Shape shape)
{
    shape.erase(shape.begin() + 1);
    return shape;
}

Status checkTimeDistributed(Layer const &wrapper)
{
    auto const layer = innerLayer(wrapper);
    auto const *spec = findLayerSpec(layer.className);
    if (outputsOf(layer) > 1)
        return layerError(wrapper, "model.unsupported", Message::of("a layer of several outputs cannot be applied to each step"),
                          Message::of("let it give one: return_state false"));
    if (spec->minInputs > 1 || layer.className == "InputLayer" || spec->takesIndices)
        return layerError(wrapper, "model.unsupported", Message::of("a %1 cannot be applied to each step", layer.className),
                          Message::of("put a layer of one floating-point input into it"));
    return {};
}

Result<Shape> timeDistributedShape(Layer const &wrapper, std::span<Shape const> inputs)
{
    if (inputs[0].size() < 3)
        return layerError(wrapper, "model.shape",
                          Message::of("input of rank %1, %2; TimeDistributed needs a batch, time steps and features", inputs[0].size(),
                                      toText(inputs[0])),
                          Message::of("put a Reshape or an input with two axes beside the batch before it"));
    auto const layer = innerLayer(wrapper);
    Shape const step = stepShape(inputs[0]);
    TW_ASSIGN(Shape shape, findLayerSpec(layer.className)->outputShape(layer, std::span(&step, 1)));
    shape.insert(shape.begin() + 1, inputs[0][1]);
    return shape;
}

} // namespace

LayerSpec time_distributedLayer()
{
    return {
        .className = "TimeDistributed",
        .category = "Recurrent",
        .help = "Applies a layer to each step of a sequence, with the same weights.",
        .params = {{.name = "layer", .type = ParamType::Layer, .help = "the layer", .required = true}},
        .masks = MaskUse::Passes,
        .outputShape = timeDistributedShape,
        .weights = [](Layer const &wrapper, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
            auto const layer = innerLayer(wrapper);
            auto const *spec = findLayerSpec(layer.className);
            if (!spec->weights) return std::vector<WeightSpec>{};
            Shape const step = stepShape(inputs[0]);
            return spec->weights(layer, std::span(&step, 1));
        },
        .check = checkTimeDistributed,
        .multiplyAdds =
            [](Layer const &wrapper, std::span<Shape const> inputs, Shape const &output) {
                auto const layer = innerLayer(wrapper);
                auto const *spec = findLayerSpec(layer.className);
                Shape const step = stepShape(inputs[0]), each = stepShape(output);
                double const one = spec->multiplyAdds ? spec->multiplyAdds(layer, std::span(&step, 1), each) : sampleElements(each);
                return one * static_cast<double>(inputs[0][1]);
            },
    };
}

} // namespace tilewright::model
