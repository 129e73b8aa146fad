#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

/// Drops in training only. Each dropout of a model draws from its own stream, numbered in order; a layer with a
/// seed of its own draws from that one.
Result<std::vector<ValueId>> buildDropout(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.resolved.layers[call.layer].layer;
    double const rate = layer.number("rate");
    if (!context.training || rate == 0.0) return std::vector<ValueId>{inputs[0]};
    std::int64_t const running = context.nextNodeSeed++;
    std::int64_t const own = (std::int64_t{1} << 32) + (layer.integer("seed") & 0xffffffff);
    std::int64_t const seed = layer.isNull("seed") ? running : own;
    auto const counter = context.randomCounter();
    return std::vector<ValueId>{context.op("dropout", {inputs[0], counter}, {{"rate", rate}, {"node_seed", seed}}, "Dropout")};
}

} // namespace tilewright::layers
