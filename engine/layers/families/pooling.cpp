#include "engine/layers/layer_builder.h"
#include "engine/model/layers/window_rules.h"

namespace tilewright::layers {

using namespace graph;

namespace {

/// Pools [samples, spatial…, channels]. Channels-first data is treated as samples x channels samples of one channel.
ValueId pool(BuildContext &context, ValueId x, bool maximum, Attrs attrs, bool channelsFirst)
{
    auto const shape = context.value(x).shape;
    if (channelsFirst) {
        Shape planes{shape[0] * shape[1]};
        planes.insert(planes.end(), shape.begin() + 2, shape.end());
        planes.push_back(1);
        x = context.reshape(x, planes);
    }
    return context.op(maximum ? "pool.max" : "pool.average", {x}, std::move(attrs), maximum ? "MaxPool" : "AveragePool");
}

} // namespace

Result<std::vector<ValueId>> buildPooling(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const window = model::windowLayer(layer, "pool_size");
    auto const shape = context.value(inputs[0]).shape;
    std::vector<std::int64_t> sizes, strides, before, after;
    for (std::size_t i = 0; i < window.windows.size(); ++i) {
        auto const extent = model::windowExtent(shape[window.spatialAxis(i)], window.windows[i], window.padding);
        sizes.push_back(window.windows[i].kernel);
        strides.push_back(window.windows[i].stride);
        before.push_back(extent.before);
        after.push_back(extent.after);
    }
    auto const y = pool(context, inputs[0], layer.className.starts_with("Max"),
                        {{"window", sizes}, {"stride", strides}, {"before", before}, {"after", after}}, window.channelsFirst);
    return std::vector<ValueId>{context.reshape(y, context.shapeOf(call))};
}

/// The mean or the maximum over all positions.
Result<std::vector<ValueId>> buildGlobalPooling(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    bool const first = layer.text("data_format") == "channels_first";
    auto const shape = context.value(inputs[0]).shape;
    if (auto const mask = context.inputMasks[0]; mask.valid()) {
        auto const steps = shape[first ? 2 : 1], masked = context.value(mask).shape[1];
        if (steps != masked && steps != 1 && masked != 1)
            return buildError(context, call, Message::of("its input has %1 steps, but the mask of the input has %2", steps, masked),
                              Message::of("use data_format channels_last, or drop the mask before this layer"));
        auto const stepsLast = [&] {
            return context.op("transpose", {inputs[0]}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}}, "Steps");
        };
        return std::vector<ValueId>{context.reshape(maskedMean(context, first ? stepsLast() : inputs[0], mask), context.shapeOf(call))};
    }
    // A reduction, as in Keras: the gradient of a maximum is shared by equal elements, unlike that of a pooling window.
    std::vector<std::int64_t> positions;
    for (std::size_t axis = first ? 2 : 1; axis < shape.size() - (first ? 0 : 1); ++axis)
        positions.push_back(static_cast<std::int64_t>(axis));
    bool const maximum = layer.className.find("Max") != std::string::npos;
    auto const y = context.op(maximum ? "reduce_max" : "reduce_mean", {inputs[0]}, {{"axes", positions}}, maximum ? "Max" : "Mean");
    return std::vector<ValueId>{context.reshape(y, context.shapeOf(call))};
}

} // namespace tilewright::layers
