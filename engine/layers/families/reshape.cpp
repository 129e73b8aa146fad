#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

/// Fed from outside: the value is there already.
Result<std::vector<ValueId>> buildInput(BuildContext &, model::ResolvedCall const &, std::span<ValueId const> inputs)
{
    return std::vector<ValueId>{inputs[0]};
}

/// Flatten and Reshape: the same elements, row-major.
Result<std::vector<ValueId>> buildReshape(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    return std::vector<ValueId>{context.reshape(inputs[0], context.shapeOf(call))};
}

} // namespace tilewright::layers
