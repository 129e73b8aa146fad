#include "engine/model/layers/norm_rules.h"

namespace tilewright::model {

namespace {

Result<std::vector<WeightSpec>> layerNormWeights(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(auto const axes, normAxes(layer, "axis", inputs[0]));
    Shape shape;
    for (auto const axis : axes) shape.push_back(inputs[0][axis]);
    return scaleAndOffset(layer, shape);
}

} // namespace

LayerSpec layer_normalizationLayer()
{
    std::vector<ParamInfo> params{{.name = "axis",
                                   .type = ParamType::IntList,
                                   .defaultJson = "[-1]",
                                   .min = -32,
                                   .max = 32,
                                   .help = "axes of the statistics, counted with the batch",
                                   .length = -1},
                                  epsilonParam()};
    for (auto const &more : {centerAndScaleParams(), scaleInitializerParams(false), scaleLimitParams()})
        params.insert(params.end(), more.begin(), more.end());
    return {
        .className = "LayerNormalization",
        .category = "Normalization",
        .help = "Normalises each sample to mean 0 and variance 1 over the given axes, then applies gamma and beta.",
        .params = std::move(params),
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(normAxes(layer, "axis", inputs[0]));
            return inputs[0];
        },
        .weights = layerNormWeights,
    };
}

} // namespace tilewright::model
