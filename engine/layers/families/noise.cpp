#include "engine/layers/layer_builder.h"

#include <cmath>

namespace tilewright::layers {

using namespace graph;

namespace {

/// The random stream of a layer: from its seed, or its number among the random layers.
std::int64_t nodeSeed(BuildContext &context, model::Layer const &layer)
{
    std::int64_t const running = context.nextNodeSeed++;
    if (layer.isNull("seed")) return running;
    return (std::int64_t{1} << 32) + (layer.integer("seed") & 0xffffffff);
}

/// 0 with probability rate, else 1 / (1 - rate).
ValueId mask(BuildContext &context, model::Layer const &layer, Shape const &shape, DType type)
{
    auto const ones = context.b.constant(1.0, shape, type);
    return context.op("dropout", {ones, context.randomCounter()}, {{"rate", layer.number("rate")}, {"node_seed", nodeSeed(context, layer)}},
                      "Mask");
}

ValueId normal(BuildContext &context, model::Layer const &layer, ValueId like, double mean, double deviation)
{
    return context.op("random.normal", {like, context.randomCounter()},
                      {{"mean", mean}, {"stddev", deviation}, {"node_seed", nodeSeed(context, layer)}}, "Noise");
}

} // namespace

/// Drops whole channels, with one mask value per channel.
Result<std::vector<ValueId>> buildSpatialDropout(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    if (!context.training || layer.number("rate") == 0.0) return std::vector<ValueId>{inputs[0]};
    auto const shape = context.value(inputs[0]).shape;
    std::size_t const channels = layer.text("data_format") == "channels_first" ? 1 : shape.size() - 1;
    Shape drawn(shape.size(), 1);
    drawn[0] = shape[0];
    drawn[channels] = shape[channels];
    auto const kept = context.broadcast(mask(context, layer, drawn, call.dtype), shape);
    return std::vector<ValueId>{context.op("mul", {inputs[0], kept}, {}, "SpatialDropout")};
}

Result<std::vector<ValueId>> buildGaussianNoise(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    if (!context.training || layer.number("stddev") == 0.0) return std::vector<ValueId>{inputs[0]};
    return std::vector<ValueId>{
        context.op("add", {inputs[0], normal(context, layer, inputs[0], 0.0, layer.number("stddev"))}, {}, "AddNoise")};
}

Result<std::vector<ValueId>> buildGaussianDropout(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    double const rate = layer.number("rate");
    if (!context.training || rate == 0.0) return std::vector<ValueId>{inputs[0]};
    auto const noise = normal(context, layer, inputs[0], 1.0, std::sqrt(rate / (1.0 - rate)));
    return std::vector<ValueId>{context.op("mul", {inputs[0], noise}, {}, "GaussianDropout")};
}

/// Dropped values become SELU's negative limit; then the result is scaled and shifted back to mean 0 and variance 1 (Klambauer et al.,
/// "Self-normalizing neural networks", 2017).
Result<std::vector<ValueId>> buildAlphaDropout(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    double const rate = layer.number("rate");
    if (!context.training || rate == 0.0) return std::vector<ValueId>{inputs[0]};
    constexpr double kLimit = -1.6732632423543772848170429916717 * 1.0507009873554804934193349852946;
    double const scale = 1.0 / std::sqrt((1.0 - rate) * (1.0 + rate * kLimit * kLimit));
    double const shift = -scale * kLimit * rate;
    auto const drawn = mask(context, layer, context.value(inputs[0]).shape, call.dtype);
    auto const kept = context.op("step", {drawn}, {{"p0", 0.0}}, "Kept");
    // scale (x kept + limit (1 - kept)) + shift
    auto const passed = context.op("mul", {inputs[0], kept}, {}, "AlphaDropout");
    auto const mixed = context.op("axpby", {passed, kept}, {{"p0", scale}, {"p1", -scale * kLimit}}, "Mix");
    return std::vector<ValueId>{context.op("add_scalar", {mixed}, {{"p0", scale * kLimit + shift}}, "Shift")};
}

} // namespace tilewright::layers
