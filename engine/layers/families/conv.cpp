#include "engine/graph/conv.h"
#include "engine/layers/layer_builder.h"
#include "engine/model/layers/conv_rules.h"

namespace tilewright::layers {

using namespace graph;

namespace {

/// Strides, dilations and padding of a layer's windows on an input of this shape; `transposed`: those of the convolution
/// that leads from the layer's output back to its input.
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

Status requireChannelsLast(BuildContext &context, model::ResolvedCall const &call, model::WindowLayer const &window)
{
    if (!window.channelsFirst) return {};
    return buildError(context, call, "data_format 'channels_first' is not supported yet.", "Use channels_last, with a Permute before it.");
}

/// Adds the bias, weight number `index`, and the activation.
Result<std::vector<ValueId>> finish(BuildContext &context, model::ResolvedCall const &call, ValueId y, std::size_t index)
{
    auto const &layer = context.resolved.layers[call.layer];
    if (layer.layer.flag("use_bias")) y = context.op("add", {y, context.weight(call, index)}, {}, "BiasAdd");
    TW_ASSIGN(auto const out, buildActivation(context, call, layer.spec->activation(layer.layer), y));
    return std::vector<ValueId>{out};
}

/// A kernel of one element that stands still is a matrix product.
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

/// The kernel [axes…, channels, multiplier] as that of a convolution with a group for each channel.
ValueId depthwise(BuildContext &context, model::Layer const &layer, model::WindowLayer const &window, ValueId x, ValueId kernel)
{
    auto const &input = context.value(x).shape;
    auto attrs = attrsOf(layer, window, input, false);
    attrs.groups = input.back();
    Shape shape = context.value(kernel).shape;
    shape.back() *= shape[shape.size() - 2];
    shape[shape.size() - 2] = 1;
    return context.op("conv", {x, context.reshape(kernel, shape)}, toAttrs(attrs), "Depthwise");
}

} // namespace

/// activation(conv(x, kernel) + bias); transposed ones by the input gradient of the convolution that leads back.
Result<std::vector<ValueId>> buildConv(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &resolved = context.resolved.layers[call.layer];
    auto const &layer = resolved.layer;
    auto const window = model::windowLayer(layer, "kernel_size");
    TW_TRY(requireChannelsLast(context, call, window));
    auto const &input = context.value(inputs[0]).shape;
    bool const transposed = layer.className.ends_with("Transpose");
    ValueId y;
    if (transposed) {
        auto attrs = toAttrs(attrsOf(layer, window, input, true));
        auto const shape = context.shapeOf(call);
        attrs.set("input", std::vector<std::int64_t>(shape.begin() + 1, shape.end() - 1));
        y = context.op("conv_input_grad", {inputs[0], context.weight(call, 0)}, std::move(attrs), "ConvTranspose");
    } else if (isPointwise(window) && layer.integer("groups") == 1) {
        y = pointwise(context, inputs[0], context.weight(call, 0));
    } else {
        auto attrs = attrsOf(layer, window, input, false);
        attrs.groups = layer.integer("groups");
        y = context.op("conv", {inputs[0], context.weight(call, 0)}, toAttrs(attrs), "Conv");
    }
    return finish(context, call, y, 1);
}

Result<std::vector<ValueId>> buildDepthwiseConv(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.resolved.layers[call.layer].layer;
    auto const window = model::windowLayer(layer, "kernel_size");
    TW_TRY(requireChannelsLast(context, call, window));
    return finish(context, call, depthwise(context, layer, window, inputs[0], context.weight(call, 0)), 1);
}

Result<std::vector<ValueId>> buildSeparableConv(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.resolved.layers[call.layer].layer;
    auto const window = model::windowLayer(layer, "kernel_size");
    TW_TRY(requireChannelsLast(context, call, window));
    auto const middle = depthwise(context, layer, window, inputs[0], context.weight(call, 0));
    return finish(context, call, pointwise(context, middle, context.weight(call, 1)), 2);
}

} // namespace tilewright::layers
