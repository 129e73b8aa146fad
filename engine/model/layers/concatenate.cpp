#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

namespace {

Result<Shape> concatenateShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(std::int64_t const batch, commonBatch(layer, inputs));
    int const rank = static_cast<int>(inputs[0].size());
    int const asked = static_cast<int>(layer.integer("axis"));
    int const axis = asked < 0 ? asked + rank : asked;
    if (axis < 1 || axis >= rank)
        return layerError(layer, "model.shape", Message::of("axis %1 is not an axis of %2 other than the batch", asked, toText(inputs[0])),
                          Message::of("use an axis from 1 to %1, or -1 for the last", std::to_string(rank - 1)));
    Shape shape = inputs[0];
    shape[0] = batch;
    auto const at = static_cast<std::size_t>(axis);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        Shape other = inputs[i];
        bool fits = other.size() == shape.size();
        for (std::size_t k = 1; fits && k < shape.size(); ++k) fits = k == at || other[k] == shape[k];
        if (!fits)
            return layerError(layer, "model.shape",
                              Message::of("inputs %1 and %2 differ outside axis %3", toText(inputs[0]), toText(inputs[i]), axis),
                              Message::of("all extents but that of the axis must be equal"));
        shape[at] += other[at];
    }
    return shape;
}

} // namespace

LayerSpec concatenateLayer()
{
    return {
        .className = "Concatenate",
        .category = "Merge",
        .help = "Concatenates the inputs along an axis.",
        .params = {{.name = "axis",
                    .type = ParamType::Int,
                    .defaultJson = "-1",
                    .min = -32,
                    .max = 32,
                    .help = "axis of the concatenation, counted with the batch"}},
        .minInputs = 2,
        .maxInputs = 1 << 20,
        .keepsIntegers = true,
        .masks = MaskUse::Passes,
        .outputShape = concatenateShape,
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
