#include "engine/model/layers/input_scaling.h"

#include <algorithm>

namespace tilewright::model {

namespace {

/// Mean, variance and the number of samples that they come from, which `adapt` has counted.
Result<std::vector<WeightSpec>> adaptedWeights(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(auto const axes, normalizedAxes(layer, inputs[0]));
    std::vector<WeightSpec> weights;
    if (!layer.isNull("mean")) return weights;
    TW_ASSIGN(auto const zeros, parseInitializer("zeros", layer.name));
    TW_ASSIGN(auto const ones, parseInitializer("ones", layer.name));
    weights.push_back({"mean", axes.kept, zeros, false});
    weights.push_back({"variance", axes.kept, ones, false});
    weights.push_back({"count", {}, zeros, false});
    return weights;
}

Result<Shape> normalizedShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(auto const axes, normalizedAxes(layer, inputs[0]));
    for (auto const *key : {"mean", "variance"})
        if (auto const given = layer.reals(key).size(); given > 1 && std::cmp_not_equal(given, elementCount(axes.kept)))
            return layerError(layer, "model.shape",
                              Message::of("%1 has %2 numbers, but the axes have %3 places", key, given, elementCount(axes.kept)),
                              Message::of("give one number, or one for each place"));
    return inputs[0];
}

} // namespace

Result<NormalizedAxes> normalizedAxes(Layer const &layer, Shape const &input)
{
    auto const rank = static_cast<std::int64_t>(input.size());
    NormalizedAxes result{{}, Shape(input.size(), 1)};
    std::vector<std::int64_t> axes;
    for (auto const axis : layer.integers("axis")) {
        auto const at = axis < 0 ? axis + rank : axis;
        if (at < 1 || at >= rank)
            return layerError(layer, "model.shape", Message::of("axis %1 is not an axis of %2 other than the batch", axis, toText(input)),
                              Message::of("use axes from 1 to %1", rank - 1));
        axes.push_back(at);
    }
    std::ranges::sort(axes);
    for (auto const at : axes) {
        result.kept.push_back(input[static_cast<std::size_t>(at)]);
        result.broadcast[static_cast<std::size_t>(at)] = result.kept.back();
    }
    return result;
}

LayerSpec normalizationLayer()
{
    auto const statistic = [](char const *name, char const *help) {
        return ParamInfo{.name = name, .type = ParamType::FloatList, .help = help, .nullable = true, .orInteger = true};
    };
    auto variance = statistic("variance", "variance of the inputs: a number, or one for each place of the axes; null: as mean");
    variance.min = 0;
    return {
        .className = "Normalization",
        .category = "Core",
        .help = "(x - mean) / sqrt(variance) with fixed numbers for each place of an axis.",
        .params = {{.name = "axis",
                    .type = ParamType::IntList,
                    .defaultJson = "[-1]",
                    .min = -32,
                    .max = 32,
                    .help = "axes whose places have a mean and a variance of their own, counted with the batch; null: one for all",
                    .nullable = true,
                    .length = -1},
                   statistic("mean",
                             "mean of the inputs: a number, or one for each place of the axes; null: weights that Keras's adapt has set"),
                   variance},
        .outputShape = normalizedShape,
        .weights = adaptedWeights,
        .check = [](Layer const &layer) -> Status {
            if (layer.isNull("mean") == layer.isNull("variance")) return {};
            return layerError(layer, "model.bad-argument", Message::of("mean and variance belong together"),
                              Message::of("give both, or none"));
        },
    };
}

} // namespace tilewright::model
