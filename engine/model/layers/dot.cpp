#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

namespace {

Result<Shape> dotShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(std::int64_t const batch, commonBatch(layer, inputs));
    auto axes = layer.integers("axes");
    axes.resize(2, axes.front()); // one number: of both
    Shape out{batch};
    std::int64_t summed[2] = {};
    for (std::size_t i = 0; i < 2; ++i) {
        auto const &shape = inputs[i];
        auto const rank = static_cast<std::int64_t>(shape.size());
        std::int64_t const axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        if (rank < 2 || rank > 3)
            return layerError(layer, "model.shape", Message::of("input %1 of rank %2; Dot takes ranks 2 and 3", toText(shape), rank),
                              Message::of("put a Reshape before it"));
        if (axis < 1 || axis >= rank)
            return layerError(layer, "model.shape",
                              Message::of("axis %1 is not an axis of %2 other than the batch", axes[i], toText(shape)),
                              Message::of("use an axis from 1 to %1, or -1 for the last", std::to_string(rank - 1)));
        summed[i] = shape[static_cast<std::size_t>(axis)];
        for (std::int64_t k = 1; k < rank; ++k)
            if (k != axis) out.push_back(shape[static_cast<std::size_t>(k)]);
    }
    if (summed[0] != summed[1])
        return layerError(layer, "model.shape",
                          Message::of("inputs %1 and %2 differ along the axes of the product", toText(inputs[0]), toText(inputs[1])),
                          Message::of("the two axes must be equally long"));
    if (out.size() == 1) out.push_back(1);
    return out;
}

} // namespace

LayerSpec dotLayer()
{
    ParamInfo axes{.name = "axes",
                   .type = ParamType::IntList,
                   .min = -3,
                   .max = 3,
                   .help = "axis of each input to contract, counted with the batch",
                   .required = true};
    axes.length = 2;
    axes.orInteger = true;
    return {
        .className = "Dot",
        .category = "Merge",
        .help = "Dot products of two inputs along one axis of each, per sample.",
        .params = {std::move(axes),
                   {.name = "normalize",
                    .type = ParamType::Bool,
                    .defaultJson = "false",
                    .help = "normalises the vectors to length 1 first: the result is the cosine"}},
        .minInputs = 2,
        .maxInputs = 2,
        .outputShape = dotShape,
        .multiplyAdds =
            [](Layer const &layer, std::span<Shape const> inputs, Shape const &output) {
                auto const axis = layer.integers("axes")[0];
                auto const &shape = inputs[0];
                return sampleElements(output)
                    * static_cast<double>(
                           shape[static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis)]);
            },
    };
}

} // namespace tilewright::model
