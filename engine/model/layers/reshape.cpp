#include "engine/model/layer_spec.h"

#include <algorithm>

namespace tilewright::model {

namespace {

std::vector<std::int64_t> target(Layer const &layer)
{
    std::vector<std::int64_t> extents;
    for (auto const &extent : layer.config["target_shape"]) extents.push_back(extent.get<std::int64_t>());
    return extents;
}

Status checkReshape(Layer const &layer)
{
    auto const extents = target(layer);
    double product = 1.0;
    for (auto const extent : extents) product *= std::max(1.0, static_cast<double>(extent));
    auto const zero = std::find(extents.begin(), extents.end(), 0);
    if (std::count(extents.begin(), extents.end(), -1) > 1 || zero != extents.end() || product > 1e15)
        return layerError(layer, "model.bad-argument", Message::of("target_shape is %1", layer.config["target_shape"].dump()),
                          Message::of("use extents of 1 or more, at most one of them -1"));
    return {};
}

Result<Shape> reshapeShape(Layer const &layer, std::span<Shape const> inputs)
{
    std::int64_t available = 1;
    for (std::size_t i = 1; i < inputs[0].size(); ++i) available *= inputs[0][i];
    auto extents = target(layer);
    std::int64_t known = 1;
    for (auto const extent : extents)
        if (extent > 0) known *= extent;
    auto const open = std::find(extents.begin(), extents.end(), -1);
    bool const fits = open == extents.end() ? known == available : available % known == 0;
    if (!fits)
        return layerError(layer, "model.shape",
                          Message::of("target_shape %1 does not hold the %2 elements of a sample of %3",
                                      layer.config["target_shape"].dump(), available, toText(inputs[0])),
                          Message::of("the product of target_shape must be %1; one extent may be -1", std::to_string(available)));
    if (open != extents.end()) *open = available / known;
    Shape shape{inputs[0].empty() ? -1 : inputs[0][0]};
    shape.insert(shape.end(), extents.begin(), extents.end());
    return shape;
}

} // namespace

LayerSpec reshapeLayer()
{
    return {
        .className = "Reshape",
        .category = "Core",
        .help = "Changes the shape of each sample; the elements keep their row-major order.",
        .params = {{.name = "target_shape",
                    .type = ParamType::IntList,
                    .min = -1,
                    .max = 1e9,
                    .help = "shape of a sample without the batch; one extent may be -1",
                    .required = true}},
        .keepsIntegers = true,
        .outputShape = reshapeShape,
        .check = checkReshape,
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
