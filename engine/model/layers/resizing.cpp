#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec resizingLayer()
{
    auto params = imageSizeParams("rows of the result", "columns of the result");
    params.push_back({.name = "interpolation",
                      .type = ParamType::Enum,
                      .defaultJson = "\"bilinear\"",
                      .allowed = {"bilinear", "nearest"},
                      .help = "bilinear: between the centres of neighbours; nearest: the element whose centre is nearest"});
    return {
        .className = "Resizing",
        .category = "Core",
        .help = "Images of another size: [batch, height, width, channels].",
        .params = std::move(params),
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(requireSpatialRank(layer, inputs[0], 2));
            return Shape{inputs[0][0], layer.integer("height"), layer.integer("width"), inputs[0][3]};
        },
        .tolerated = {{"crop_to_aspect_ratio", false}},
    };
}

} // namespace tilewright::model
