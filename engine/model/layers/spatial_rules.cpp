#include "engine/model/layers/spatial_rules.h"

#include "engine/model/layers/window_rules.h"

namespace tilewright::model {

Status requireSpatialRank(Layer const &layer, Shape const &input, int spatial)
{
    std::size_t const rank = static_cast<std::size_t>(spatial) + 2;
    if (input.size() == rank) return {};
    return layerError(layer, "model.shape",
                      Message::of("input %1 of rank %2; %3 needs rank %4", toText(input), input.size(), layer.className, rank),
                      Message::of("put a Reshape before it"));
}

std::vector<ParamInfo> imageSizeParams(char const *height, char const *width)
{
    return {{.name = "height", .type = ParamType::Int, .min = 1, .max = 1e6, .help = height, .required = true},
            {.name = "width", .type = ParamType::Int, .min = 1, .max = 1e6, .help = width, .required = true}};
}

namespace {

/// [before, after] along the only axis, or a pair for each axis.
ParamInfo amountsParam(std::string name, int spatial, char const *standard, std::string help)
{
    ParamInfo param{.name = std::move(name), .type = ParamType::IntList, .min = 0, .max = 1e6, .help = std::move(help)};
    param.pairs = spatial > 1;
    param.length = spatial > 1 ? spatial : 2;
    std::string const pair = std::string("[") + standard + ", " + standard + "]";
    param.defaultJson = spatial == 1 ? pair : spatial == 2 ? "[" + pair + ", " + pair + "]" : "[" + pair + ", " + pair + ", " + pair + "]";
    return param;
}

double nothing(Layer const &, std::span<Shape const>, Shape const &) { return 0.0; }

std::vector<ParamInfo> withDataFormat(ParamInfo first, int spatial)
{
    std::vector<ParamInfo> params{std::move(first)};
    if (spatial > 1) params.push_back(dataFormatParam(spatial));
    return params;
}

} // namespace

SpatialAmounts spatialAmounts(Layer const &layer, std::string_view key)
{
    SpatialAmounts amounts;
    auto const it = layer.config.find(key);
    if (it == layer.config.end() || !it->is_array() || it->empty()) return amounts;
    auto const add = [&](Json const &pair) {
        amounts.before.push_back(pair[0].get<std::int64_t>());
        amounts.after.push_back(pair[1].get<std::int64_t>());
    };
    if (!it->at(0).is_array()) add(*it);
    else
        for (auto const &pair : *it) add(pair);
    return amounts;
}

std::size_t firstSpatialAxis(Layer const &layer) { return layer.text("data_format") == "channels_first" ? 2 : 1; }

LayerSpec croppingLayer(int spatial)
{
    return {
        .className = "Cropping" + std::to_string(spatial) + "D",
        .category = "Core",
        .help = "Crops the spatial axes.",
        .params = withDataFormat(amountsParam("cropping", spatial, "1", "elements removed before and after, along each axis"), spatial),
        .keepsIntegers = true,
        .outputShape = [spatial](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(requireSpatialRank(layer, inputs[0], spatial));
            auto const amounts = spatialAmounts(layer, "cropping");
            Shape shape = inputs[0];
            for (std::size_t i = 0; i < amounts.before.size(); ++i) {
                auto &extent = shape[firstSpatialAxis(layer) + i];
                extent -= amounts.before[i] + amounts.after[i];
                if (extent < 1)
                    return layerError(layer, "model.shape",
                                      Message::of("cropping %1 leaves nothing of %2", layer.config["cropping"].dump(), toText(inputs[0])),
                                      Message::of("crop less, or give it a larger input"));
            }
            return shape;
        },
        .multiplyAdds = nothing,
    };
}

LayerSpec zeroPaddingLayer(int spatial)
{
    return {
        .className = "ZeroPadding" + std::to_string(spatial) + "D",
        .category = "Core",
        .help = "Pads the spatial axes with zeros.",
        .params = withDataFormat(amountsParam("padding", spatial, "1", "zeros before and after, along each axis"), spatial),
        .keepsIntegers = true,
        .outputShape = [spatial](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(requireSpatialRank(layer, inputs[0], spatial));
            auto const amounts = spatialAmounts(layer, "padding");
            Shape shape = inputs[0];
            for (std::size_t i = 0; i < amounts.before.size(); ++i)
                shape[firstSpatialAxis(layer) + i] += amounts.before[i] + amounts.after[i];
            return shape;
        },
        .multiplyAdds = nothing,
    };
}

LayerSpec upSamplingLayer(int spatial)
{
    ParamInfo size{
        .name = "size", .type = ParamType::IntList, .min = 1, .max = 1e6, .help = "repetitions of each element, along each axis"};
    size.length = spatial;
    size.defaultJson = spatial == 1 ? "[2]" : spatial == 2 ? "[2, 2]" : "[2, 2, 2]";
    if (spatial == 1) { // Keras writes the number alone
        size.type = ParamType::Int;
        size.length = 0;
        size.defaultJson = "2";
    }
    auto params = withDataFormat(std::move(size), spatial);
    if (spatial == 2)
        params.push_back({.name = "interpolation",
                          .type = ParamType::Enum,
                          .defaultJson = "\"nearest\"",
                          .allowed = {"nearest", "bilinear"},
                          .help = "nearest: repeats elements; bilinear: interpolates between the centres of neighbours"});
    return {
        .className = "UpSampling" + std::to_string(spatial) + "D",
        .category = "Core",
        .help = "Repeats the elements along the spatial axes.",
        .params = std::move(params),
        .keepsIntegers = true,
        .outputShape = [spatial](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_TRY(requireSpatialRank(layer, inputs[0], spatial));
            auto const sizes = spatial == 1 ? Shape{layer.integer("size")} : layer.integers("size");
            Shape shape = inputs[0];
            for (std::size_t i = 0; i < sizes.size(); ++i) {
                auto &extent = shape[firstSpatialAxis(layer) + i];
                if (extent > 1'000'000'000 / sizes[i])
                    return layerError(layer, "model.shape",
                                      Message::of("size %1 makes an axis of %2 longer than a thousand million", layer.config["size"].dump(),
                                                  toText(inputs[0])),
                                      Message::of("repeat less often"));
                extent *= sizes[i];
            }
            return shape;
        },
        .multiplyAdds = nothing,
    };
}

} // namespace tilewright::model
