#include "engine/graph/conv.h"
#include "engine/layers/layer_builder.h"
#include "engine/model/layers/conv_rules.h"

namespace tilewright::layers {

using namespace graph;

namespace {

/// Strides, dilations and padding of a layer's windows for this input shape. For `transposed`: those of the convolution from the layer's
/// output back to its input.
ConvAttrs attrsOf(model::Layer const &layer, model::WindowLayer const &window, Shape const &input, bool transposed)
{
    ConvAttrs attrs;
    auto const extra = layer.integers("output_padding");
    for (std::size_t i = 0; i < window.windows.size(); ++i) {
        auto const &w = window.windows[i];
        std::int64_t const n = input[window.spatialAxis(i)];
        auto const extent = transposed ? model::transposedExtent(n, w, window.padding, i < extra.size() ? extra[i] : -1)
                                       : model::windowExtent(n, w, window.padding);
        attrs.strides.push_back(w.stride);
        attrs.dilations.push_back(w.dilation);
        attrs.before.push_back(extent.before);
        attrs.after.push_back(extent.after);
    }
    return attrs;
}

/// For channels-first data: reorders the axes of the operand, or back for the result.
ValueId channelsLast(BuildContext &context, model::WindowLayer const &window, ValueId x)
{
    if (!window.channelsFirst) return x;
    std::vector<std::int64_t> perm{0};
    for (std::size_t i = 0; i < window.windows.size(); ++i) perm.push_back(static_cast<std::int64_t>(i) + 2);
    perm.push_back(1);
    return context.op("transpose", {x}, {{"perm", perm}}, "ChannelsLast");
}
ValueId channelsBack(BuildContext &context, model::WindowLayer const &window, ValueId y)
{
    if (!window.channelsFirst) return y;
    auto const axes = static_cast<std::int64_t>(window.windows.size());
    std::vector<std::int64_t> perm{0, axes + 1};
    for (std::int64_t i = 1; i <= axes; ++i) perm.push_back(i);
    return context.op("transpose", {y}, {{"perm", perm}}, "ChannelsFirst");
}
/// The same window over channels-last tensors.
model::WindowLayer lastOf(model::WindowLayer window)
{
    window.channelsFirst = false;
    return window;
}

/// Adds the bias (weight `index`), restores the layer's channel order and applies the activation.
Result<std::vector<ValueId>> finish(BuildContext &context, model::ResolvedCall const &call, model::WindowLayer const &window, ValueId y,
                                    std::size_t index)
{
    auto const &layer = context.layerOf(call);
    if (layer.flag("use_bias")) y = context.op("add", {y, context.weight(call, index)}, {}, "BiasAdd");
    y = channelsBack(context, window, y);
    TW_ASSIGN(auto const out, buildActivation(context, call, model::findLayerSpec(layer.className)->activation(layer), y));
    return std::vector<ValueId>{out};
}

/// A kernel of one element with stride 1 is a matrix product.
bool isPointwise(model::WindowLayer const &window)
{
    for (auto const &w : window.windows)
        if (w.kernel != 1 || w.stride != 1) return false;
    return true;
}

ValueId pointwise(BuildContext &context, ValueId x, ValueId kernel)
{
    auto const shape = context.value(x).shape, weights = context.value(kernel).shape;
    auto const n = weights.size();
    auto const y = context.op("matmul", {x, context.reshape(kernel, {weights[n - 2], weights[n - 1]})}, {}, "MatMul");
    Shape out = shape;
    out.back() = weights[n - 1];
    return context.reshape(y, out);
}

/// The kernel [axes…, channels, multiplier] as that of a convolution with one group per channel.
ValueId depthwise(BuildContext &context, model::Layer const &layer, model::WindowLayer const &window, ValueId x, ValueId kernel)
{
    auto const input = context.value(x).shape;
    auto attrs = attrsOf(layer, window, input, false);
    attrs.groups = input.back();
    Shape shape = context.value(kernel).shape;
    shape.back() *= shape[shape.size() - 2];
    shape[shape.size() - 2] = 1;
    return context.op("conv", {x, context.reshape(kernel, shape)}, toAttrs(attrs), "Depthwise");
}

} // namespace

/// activation(conv(x, kernel) + bias). Transposed layers use the input gradient of the reverse convolution.
Result<std::vector<ValueId>> buildConv(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const window = model::windowLayer(layer, "kernel_size");
    auto const last = lastOf(window);
    auto const x = channelsLast(context, window, inputs[0]);
    auto const input = context.value(x).shape;
    bool const transposed = layer.className.ends_with("Transpose");
    ValueId y;
    if (transposed) {
        auto attrs = toAttrs(attrsOf(layer, last, input, true));
        auto const shape = context.shapeOf(call);
        std::vector<std::int64_t> extents;
        for (std::size_t i = 0; i < window.windows.size(); ++i) extents.push_back(shape[window.spatialAxis(i)]);
        attrs.set("input", extents);
        y = context.op("conv_input_grad", {x, context.weight(call, 0)}, std::move(attrs), "ConvTranspose");
    } else if (isPointwise(window) && layer.integer("groups") == 1) {
        y = pointwise(context, x, context.weight(call, 0));
    } else {
        auto attrs = attrsOf(layer, last, input, false);
        attrs.groups = layer.integer("groups");
        y = context.op("conv", {x, context.weight(call, 0)}, toAttrs(attrs), "Conv");
    }
    return finish(context, call, window, y, 1);
}

Result<std::vector<ValueId>> buildDepthwiseConv(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const window = model::windowLayer(layer, "kernel_size");
    auto const x = channelsLast(context, window, inputs[0]);
    return finish(context, call, window, depthwise(context, layer, lastOf(window), x, context.weight(call, 0)), 1);
}

Result<std::vector<ValueId>> buildSeparableConv(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const window = model::windowLayer(layer, "kernel_size");
    auto const middle = depthwise(context, layer, lastOf(window), channelsLast(context, window, inputs[0]), context.weight(call, 0));
    return finish(context, call, window, pointwise(context, middle, context.weight(call, 1)), 2);
}

} // namespace tilewright::layers
