#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

/// activation(x kernel + bias). An input of rank above 2 is contracted over its last axis.
Result<std::vector<ValueId>> buildDense(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto y = context.op("matmul", {inputs[0], context.weight(call, 0)}, {}, "MatMul");
    y = context.reshape(y, context.shapeOf(call));
    if (layer.flag("use_bias")) y = context.op("add", {y, context.weight(call, 1)}, {}, "BiasAdd");
    TW_ASSIGN(auto const out, buildActivation(context, call, model::findLayerSpec(layer.className)->activation(layer), y));
    return std::vector<ValueId>{out};
}

} // namespace tilewright::layers
