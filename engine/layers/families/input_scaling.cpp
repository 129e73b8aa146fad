#include "engine/layers/layer_builder.h"
#include "engine/model/layers/input_scaling.h"

#include <algorithm>
#include <cmath>

namespace tilewright::layers {

using namespace graph;

namespace {
constexpr double kLeastDeviation = 1e-7; ///< Keras's backend epsilon

ValueId constants(BuildContext &c, std::vector<double> values, Shape shape, DType dtype)
{
    if (values.size() == 1) return c.b.constant(values[0], {}, dtype);
    return c.b.one("constant", {}, std::move(shape), dtype, {{"values", std::move(values)}}, "Constant");
}
} // namespace

/// scale x + offset
Result<std::vector<ValueId>> buildRescaling(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto y = context.scaled(inputs[0], layer.number("scale"), "Scale");
    if (double const offset = layer.number("offset"); offset != 0) y = context.op("add_scalar", {y}, {{"p0", offset}}, "Offset");
    return std::vector<ValueId>{y};
}

/// (x - mean) / max(sqrt(variance), epsilon)
Result<std::vector<ValueId>> buildNormalization(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const dtype = context.value(inputs[0]).dtype;
    TW_ASSIGN(auto const axes, model::normalizedAxes(layer, context.value(inputs[0]).shape));
    ValueId mean, deviation;
    if (layer.isNull("mean")) {
        mean = context.reshape(context.weight(call, 0), axes.broadcast);
        auto const root = context.op("sqrt", {context.weight(call, 1)}, {}, "Sqrt");
        deviation = context.reshape(context.op("max_scalar", {root}, {{"p0", kLeastDeviation}}, "Deviation"), axes.broadcast);
    } else {
        auto deviations = layer.reals("variance");
        for (auto &number : deviations) number = std::max(std::sqrt(number), kLeastDeviation);
        mean = constants(context, layer.reals("mean"), axes.broadcast, dtype);
        deviation = constants(context, std::move(deviations), axes.broadcast, dtype);
    }
    auto const centred = context.op("sub", {inputs[0], mean}, {}, "Centre");
    return std::vector<ValueId>{context.op("div", {centred, deviation}, {}, "Normalize")};
}

} // namespace tilewright::layers
