#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

/// An input layer: its value already exists.
Result<std::vector<ValueId>> buildInput(BuildContext &, model::ResolvedCall const &, std::span<ValueId const> inputs)
{
    return std::vector<ValueId>{inputs[0]};
}

/// Flatten and Reshape: the same elements in row-major order.
Result<std::vector<ValueId>> buildReshape(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    return std::vector<ValueId>{context.reshape(inputs[0], context.shapeOf(call))};
}

Result<std::vector<ValueId>> buildRecomputationCheckpoint(BuildContext &context, model::ResolvedCall const &,
                                                          std::span<ValueId const> inputs)
{
    return std::vector<ValueId>{context.checkpoint(inputs[0])};
}

/// Axes are counted from 1, without the batch.
Result<std::vector<ValueId>> buildPermute(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    std::vector<std::int64_t> perm{0};
    for (auto dim : context.layerOf(call).integers("dims")) perm.push_back(dim);
    return std::vector<ValueId>{context.op("transpose", {inputs[0]}, {{"perm", perm}}, "Transpose")};
}

Result<std::vector<ValueId>> buildRepeatVector(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    Shape const shape = context.shapeOf(call);
    return std::vector<ValueId>{context.broadcast(context.reshape(inputs[0], {shape[0], 1, shape[2]}), shape)};
}

} // namespace tilewright::layers
