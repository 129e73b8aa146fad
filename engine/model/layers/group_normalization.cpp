#include "engine/model/layers/norm_rules.h"

namespace tilewright::model {

LayerSpec group_normalizationLayer()
{
    std::vector<ParamInfo> params{{.name = "groups",
                                   .type = ParamType::Int,
                                   .defaultJson = "2",
                                   .min = 1,
                                   .max = 1e9,
                                   .help = "number of groups; must divide the number of channels"},
                                  {.name = "channels_axis",
                                   .type = ParamType::Int,
                                   .defaultJson = "-1",
                                   .min = -32,
                                   .max = 32,
                                   .help = "the channels: 1 or the last axis"}};
    for (auto const &more : {centerAndScaleParams(), {epsilonParam()}, scaleInitializerParams(true)})
        params.insert(params.end(), more.begin(), more.end());
    params.push_back({.name = "strided_channel_grouping",
                      .type = ParamType::Bool,
                      .defaultJson = "true",
                      .help = "channel c belongs to group c mod groups; if false, groups are contiguous"});
    return {
        .className = "GroupNormalization",
        .category = "Normalization",
        .help = "Normalises each group of channels of a sample to mean 0 and variance 1, then applies gamma and beta per channel.",
        .params = std::move(params),
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(channelGroups(layer, inputs[0]));
            return inputs[0];
        },
        .weights = [](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
            TW_ASSIGN(auto const groups, channelGroups(layer, inputs[0]));
            return scaleAndOffset(layer, {inputs[0][groups.axis]});
        },
    };
}

} // namespace tilewright::model
