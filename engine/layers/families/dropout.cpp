#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

ValueId dropped(BuildContext &context, ValueId value, double rate, std::optional<std::int64_t> seed)
{
    if (!context.training || rate == 0.0) return value;
    std::int64_t const running = context.nextNodeSeed++;
    std::int64_t const own = (std::int64_t{1} << 32) + (seed.value_or(0) & 0xffffffff);
    auto const counter = context.randomCounter();
    return context.op("dropout", {value, counter}, {{"rate", rate}, {"node_seed", seed ? own : running}}, "Dropout");
}

/// Drops in training only. Each dropout of a model has its own random stream, numbered in order, or given by the layer's seed.
Result<std::vector<ValueId>> buildDropout(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    std::optional<std::int64_t> seed;
    if (!layer.isNull("seed")) seed = layer.integer("seed");
    return std::vector<ValueId>{dropped(context, inputs[0], layer.number("rate"), seed)};
}

} // namespace tilewright::layers
