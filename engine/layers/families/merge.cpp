#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

ValueId aligned(BuildContext &context, ValueId value, Shape const &shape)
{
    Shape wide = context.value(value).shape;
    if (wide.size() < shape.size()) wide.insert(wide.begin() + 1, shape.size() - wide.size(), 1);
    return context.broadcast(context.reshape(value, wide), shape);
}

namespace {

struct MergeOp {
    char const *className;
    char const *op;
    char const *leaf;
};

constexpr MergeOp kMerges[] = {
    {"Add", "add", "Add"},     {"Subtract", "sub", "Sub"},    {"Multiply", "mul", "Mul"},
    {"Average", "add", "Add"}, {"Maximum", "max", "Maximum"}, {"Minimum", "min", "Minimum"},
};

} // namespace

Result<std::vector<ValueId>> buildMerge(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const shape = context.shapeOf(call);
    MergeOp const *merge = nullptr;
    for (auto const &each : kMerges)
        if (layer.className == each.className) merge = &each;
    TW_CHECK(merge, layer.className + " is no merge");
    bool const average = layer.className == "Average";
    if (average && !isFloating(call.dtype))
        return buildError(context, call, Message::of("Average of whole numbers cannot be built"),
                          Message::of("give it floating-point inputs"));
    ValueId y = aligned(context, inputs[0], shape);
    for (std::size_t i = 1; i < inputs.size(); ++i) y = context.op(merge->op, {y, aligned(context, inputs[i], shape)}, {}, merge->leaf);
    if (average) y = context.divided(y, static_cast<double>(inputs.size()), "Mean");
    return std::vector<ValueId>{y};
}

Result<std::vector<ValueId>> buildConcatenate(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto axis = layer.integer("axis");
    if (axis < 0) axis += static_cast<std::int64_t>(call.shape.size());
    if (call.masked && axis == 1 && call.shape.size() > 2) {
        std::vector<ValueId> masks;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            Shape const shape = context.value(inputs[i]).shape;
            masks.push_back(context.inputMasks[i].valid() ? context.inputMasks[i] : context.b.constant(1.0, {shape[0], shape[1]}));
        }
        context.outputMask = context.op("concat", masks, {{"axis", std::int64_t{1}}}, "Mask");
    }
    return std::vector<ValueId>{context.op("concat", {inputs.begin(), inputs.end()}, {{"axis", axis}}, "Concat")};
}

} // namespace tilewright::layers
