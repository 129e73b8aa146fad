#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec center_cropLayer()
{
    return {
        .className = "CenterCrop",
        .category = "Core",
        .help = "Crops images to their centre: [batch, height, width, channels].",
        .params = imageSizeParams("rows that are kept", "columns that are kept"),
        .keepsIntegers = true,
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(requireSpatialRank(layer, inputs[0], 2));
            Shape const cropped{inputs[0][0], layer.integer("height"), layer.integer("width"), inputs[0][3]};
            if (cropped[1] <= inputs[0][1] && cropped[2] <= inputs[0][2]) return cropped;
            return layerError(layer, "model.shape",
                              Message::of("the centre of %1 cannot have %2 rows and %3 columns", toText(inputs[0]), cropped[1], cropped[2]),
                              Message::of("crop to a smaller size, or use Resizing"));
        },
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
