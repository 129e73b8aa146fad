#include "engine/model/layers/norm_rules.h"

#include <algorithm>

namespace tilewright::model {

Result<std::vector<std::size_t>> normAxes(Layer const &layer, std::string_view key, Shape const &input)
{
    auto const rank = static_cast<std::int64_t>(input.size());
    std::vector<std::size_t> axes;
    auto asked = layer.integers(key);
    if (auto const it = layer.config.find(key); it != layer.config.end() && it->is_number_integer()) asked = {it->get<std::int64_t>()};
    for (auto const axis : asked) {
        auto const at = axis < 0 ? axis + rank : axis;
        if (at < 1 || at >= rank)
            return layerError(layer, "model.shape", Message::of("axis %1 is not an axis of %2 other than the batch", axis, toText(input)),
                              Message::of("use an axis from 1 to %1, or -1 for the last", std::to_string(rank - 1)));
        axes.push_back(static_cast<std::size_t>(at));
    }
    std::ranges::sort(axes);
    if (axes.empty() || std::ranges::adjacent_find(axes) != axes.end())
        return layerError(layer, "model.shape", axes.empty() ? Message::of("no axis is given") : Message::of("an axis is given twice"),
                          Message::of("name each axis once"));
    return axes;
}

Result<ChannelGroups> channelGroups(Layer const &layer, Shape const &input)
{
    TW_ASSIGN(auto const axes, normAxes(layer, "channels_axis", input));
    ChannelGroups out;
    out.axis = axes[0];
    if (out.axis != 1 && out.axis + 1 != input.size())
        return layerError(layer, "model.shape",
                          Message::of("channels_axis %1 of %2 is neither the first axis after the batch nor the last",
                                      layer.integer("channels_axis"), toText(input)),
                          Message::of("use 1 or -1"));
    auto const channels = input[out.axis];
    bool const each = !layer.config.contains("groups");
    out.groups = each ? channels : layer.integer("groups");
    out.strided = layer.flag("strided_channel_grouping");
    if (channels % out.groups != 0)
        return layerError(layer, "model.shape", Message::of("%1 channels cannot be cut into %2 groups", channels, out.groups),
                          Message::of("use a number of groups that divides the channels"));
    return out;
}

Result<std::vector<WeightSpec>> scaleAndOffset(Layer const &layer, Shape const &shape)
{
    std::vector<WeightSpec> weights;
    auto const add = [&](char const *name, std::string const &key) -> Status {
        Json const initializer = layer.isNull(key) ? Json("glorot_uniform") : layer.config[key];
        TW_ASSIGN(Initializer parsed, parseInitializer(initializer, layer.name));
        weights.push_back({name, shape, std::move(parsed)});
        return {};
    };
    if (layer.flag("scale")) TW_TRY(add("gamma", "gamma_initializer"));
    if (layer.flag("center")) TW_TRY(add("beta", "beta_initializer"));
    return weights;
}

ParamInfo epsilonParam()
{
    return {.name = "epsilon",
            .type = ParamType::Float,
            .defaultJson = "0.001",
            .min = 0,
            .help = "added to the variance before the square root"};
}

std::vector<ParamInfo> centerAndScaleParams()
{
    return {{.name = "center", .type = ParamType::Bool, .defaultJson = "true", .help = "adds a trained beta"},
            {.name = "scale", .type = ParamType::Bool, .defaultJson = "true", .help = "multiplies by a trained gamma"}};
}

std::vector<ParamInfo> scaleInitializerParams(bool nullableInitializers)
{
    auto const zeros = nullableInitializers ? "null" : R"({"class_name": "Zeros", "config": {}})";
    auto const ones = nullableInitializers ? "null" : R"({"class_name": "Ones", "config": {}})";
    std::string const remark = nullableInitializers ? "; null: glorot_uniform" : "";
    return {{.name = "beta_initializer",
             .type = ParamType::Initializer,
             .defaultJson = zeros,
             .help = "initializer of beta" + remark,
             .nullable = nullableInitializers},
            {.name = "gamma_initializer",
             .type = ParamType::Initializer,
             .defaultJson = ones,
             .help = "initializer of gamma" + remark,
             .nullable = nullableInitializers}};
}

std::vector<ParamInfo> scaleLimitParams()
{
    return {{.name = "beta_regularizer", .type = ParamType::Regularizer, .help = "penalty on beta"},
            {.name = "gamma_regularizer", .type = ParamType::Regularizer, .help = "penalty on gamma"},
            {.name = "beta_constraint", .type = ParamType::Constraint, .help = "limit on beta"},
            {.name = "gamma_constraint", .type = ParamType::Constraint, .help = "limit on gamma"}};
}

} // namespace tilewright::model
