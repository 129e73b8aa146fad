#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

/// Floating-point indices are truncated to integers, as in Keras.
Result<std::vector<ValueId>> buildEmbedding(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const ids = context.cast(inputs[0], DType::I32);
    if (call.masked) {
        auto const padding = context.cast(context.op("equal", {ids, context.b.constant(0.0, {}, DType::I32)}, {}, "Padding"), DType::F32);
        context.outputMask = context.op("add_scalar", {context.op("neg", {padding})}, {{"p0", 1.0}}, "Mask");
    }
    return std::vector<ValueId>{context.op("gather", {context.weight(call, 0), ids}, {}, "Gather")};
}

} // namespace tilewright::layers
