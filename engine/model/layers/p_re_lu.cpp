#include "engine/model/layer_spec.h"

#include <algorithm>

namespace tilewright::model {

namespace {

/// The shape of a sample, with 1 for each shared axis.
Result<std::vector<WeightSpec>> slopes(Layer const &layer, std::span<Shape const> inputs)
{
    auto const &input = inputs[0];
    auto const rank = static_cast<std::int64_t>(input.size());
    if (rank < 2)
        return layerError(layer, "model.shape",
                          Message::of("input of rank %1, %2; PReLU needs a batch and at least one more axis", rank, toText(input)),
                          Message::of("put a Reshape or an input with more axes before it"));
    Shape shape(input.begin() + 1, input.end());
    for (auto const axis : layer.integers("shared_axes")) {
        if (axis < 1 || axis >= rank)
            return layerError(layer, "model.shape", Message::of("axis %1 is not an axis of %2 other than the batch", axis, toText(input)),
                              Message::of("use axes from 1 to %1", rank - 1));
        shape[static_cast<std::size_t>(axis) - 1] = 1;
    }
    TW_ASSIGN(Initializer alpha, parseInitializer(layer.config["alpha_initializer"], layer.name));
    return std::vector<WeightSpec>{{"alpha", std::move(shape), std::move(alpha)}};
}

} // namespace

LayerSpec p_re_luLayer()
{
    return {
        .className = "PReLU",
        .category = "Activation",
        .help = "x for x > 0, alpha x below, with a trained alpha for each element of a sample.",
        .params = {{.name = "alpha_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "Zeros", "config": {}})",
                    .help = "initializer of the slopes"},
                   {.name = "alpha_regularizer", .type = ParamType::Regularizer, .help = "penalty on the slopes"},
                   {.name = "alpha_constraint", .type = ParamType::Constraint, .help = "limit on the slopes"},
                   {.name = "shared_axes",
                    .type = ParamType::IntList,
                    .min = 1,
                    .max = 32,
                    .help = "axes along which all elements have one slope, counted with the batch: [1, 2] after Conv2D gives one for each "
                            "channel; null: none",
                    .nullable = true,
                    .length = -1}},
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .weights = slopes,
    };
}

} // namespace tilewright::model
