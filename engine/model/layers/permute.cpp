#include "engine/model/layer_spec.h"

#include <algorithm>

namespace tilewright::model {

namespace {

Result<Shape> permuteShape(Layer const &layer, std::span<Shape const> inputs)
{
    auto const dims = layer.integers("dims");
    auto const &input = inputs[0];
    if (dims.size() + 1 != input.size())
        return layerError(layer, "model.shape",
                          Message::of("dims %1 are %2 axes, a sample of %3 has %4", layer.config["dims"].dump(), dims.size(), toText(input),
                                      input.empty() ? 0 : input.size() - 1),
                          Message::of("name every axis of a sample once, counted from 1"));
    Shape shape{input[0]};
    for (auto const dim : dims) shape.push_back(input[static_cast<std::size_t>(dim)]);
    return shape;
}

Status checkPermute(Layer const &layer)
{
    auto dims = layer.integers("dims");
    std::ranges::sort(dims);
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (dims[i] != static_cast<std::int64_t>(i) + 1)
            return layerError(layer, "model.bad-argument",
                              Message::of("dims %1 are no permutation of 1 to %2", layer.config["dims"].dump(), dims.size()),
                              Message::of("name every axis of a sample once, counted from 1; the batch stays first"));
    return {};
}

} // namespace

LayerSpec permuteLayer()
{
    return {
        .className = "Permute",
        .category = "Core",
        .help = "Permutes the axes of each sample.",
        .params = {{.name = "dims",
                    .type = ParamType::IntList,
                    .min = 1,
                    .max = 32,
                    .help = "input axis for each output axis, counted from 1, without the batch",
                    .required = true}},
        .keepsIntegers = true,
        .outputShape = permuteShape,
        .check = checkPermute,
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
