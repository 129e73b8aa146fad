#include "engine/model/layers/norm_rules.h"

namespace tilewright::model {

namespace {

Result<std::vector<WeightSpec>> batchNormWeights(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(auto const axes, normAxes(layer, "axis", inputs[0]));
    Shape const shape{inputs[0][axes[0]]};
    TW_ASSIGN(auto weights, scaleAndOffset(layer, shape));
    for (std::string const name : {"moving_mean", "moving_variance"}) {
        TW_ASSIGN(Initializer initializer, parseInitializer(layer.config[name + "_initializer"], layer.name));
        weights.push_back({name, shape, std::move(initializer), false});
    }
    return weights;
}

std::vector<ParamInfo> batchNormParams()
{
    std::vector<ParamInfo> params{{.name = "axis",
                                   .type = ParamType::IntList,
                                   .defaultJson = "[-1]",
                                   .min = -32,
                                   .max = 32,
                                   .help = "the channels, counted with the batch",
                                   .length = 1},
                                  {.name = "momentum",
                                   .type = ParamType::Float,
                                   .defaultJson = "0.99",
                                   .min = 0,
                                   .max = 1,
                                   .help = "momentum of the moving statistics"},
                                  epsilonParam()};
    for (auto const &more : {centerAndScaleParams(),
                             scaleInitializerParams(false),
                             {{.name = "moving_mean_initializer",
                             .type = ParamType::Initializer,
                             .defaultJson = R"({"class_name": "Zeros", "config": {}})",
                             .help = "initializer of the moving mean"},
                              {.name = "moving_variance_initializer",
                              .type = ParamType::Initializer,
                              .defaultJson = R"({"class_name": "Ones", "config": {}})",
                              .help = "initializer of the moving variance"}},
                             scaleLimitParams()})
        params.insert(params.end(), more.begin(), more.end());
    return params;
}

} // namespace

LayerSpec batch_normalizationLayer()
{
    return {
        .className = "BatchNormalization",
        .category = "Normalization",
        .help = "Normalises each channel to mean 0 and variance 1 over the batch, then applies gamma and beta. Inference uses moving "
                "statistics.",
        .params = batchNormParams(),
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(normAxes(layer, "axis", inputs[0]));
            return inputs[0];
        },
        .weights = batchNormWeights,
    };
}

} // namespace tilewright::model
