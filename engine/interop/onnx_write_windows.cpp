// Convolutions and pooling: channels are axis 1 in ONNX, so layers with channels last stand between transpositions.
#include "engine/interop/onnx_conversion.h"
#include "engine/interop/onnx_writer.h"
#include "engine/model/layers/conv_rules.h"
#include "engine/model/layers/window_rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tilewright::interop {

namespace {

using Written = Result<std::vector<std::string>>;

/// A layer with windows, its input with channels first.
struct WindowedLayer {
    OnnxWriter &writer;
    model::WindowLayer window;
    std::string x;

    WindowedLayer(OnnxWriter &to, char const *kernel) : writer(to), window(model::windowLayer(*to.layer, kernel))
    {
        x = window.channelsFirst ? to.inputs[0] : to.channelsFirst(to.inputs[0], to.shapes[0].size());
    }
    std::size_t spatial() const { return window.windows.size(); }
    std::int64_t extent(std::size_t i) const { return writer.shapes[0][window.spatialAxis(i)]; }
    std::int64_t channels() const { return writer.shapes[0][window.channelAxis()]; }
    std::string back(std::string const &y) const { return window.channelsFirst ? y : writer.channelsLast(y, writer.shapes[0].size()); }

    /// The node with the attributes of the windows.
    OnnxNode node(char const *op, std::vector<std::string> inputs, bool dilated) const
    {
        OnnxNode node{op, "", "", std::move(inputs), {}, {}};
        std::vector<std::int64_t> kernel, strides, dilations, before, after;
        for (std::size_t i = 0; i < spatial(); ++i) {
            auto const &w = window.windows[i];
            auto const padding = model::windowExtent(extent(i), w, window.padding);
            kernel.push_back(w.kernel);
            strides.push_back(w.stride);
            dilations.push_back(w.dilation);
            before.push_back(padding.before);
            after.push_back(padding.after);
        }
        before.insert(before.end(), after.begin(), after.end());
        node.with("kernel_shape", kernel).with("strides", strides).with("pads", before);
        if (dilated) node.with("dilations", dilations);
        return node;
    }
};

/// [spatial…, a, b] of Keras as [x, y, spatial…] of ONNX; the order of axes.
std::vector<std::size_t> kernelToOnnx(std::size_t spatial)
{
    std::vector<std::size_t> order{spatial + 1, spatial};
    for (std::size_t i = 0; i < spatial; ++i) order.push_back(i);
    return order;
}

/// Weight `index`, which has the shape `shape`, turned for ONNX.
std::string turnedKernel(OnnxWriter &writer, std::size_t index, Shape shape, std::size_t spatial)
{
    auto const &one = writer.values(index);
    auto const turned = transposedTensor({"", OnnxType::Float, std::move(shape), one.values, {}}, kernelToOnnx(spatial));
    return writer.weight(one.weight->name, turned.shape, turned.floats);
}

Written finished(WindowedLayer const &layer, std::string const &y)
{
    auto &writer = layer.writer;
    // The activation stands where the layer's name is the scope; along the channels of the layer.
    TW_ASSIGN(auto out, writer.activated(layer.back(y), model::activationArgument(*writer.layer, "activation"), writer.shapes[0].size()));
    return std::vector<std::string>{out};
}

Written convolution(OnnxWriter &writer)
{
    WindowedLayer layer(writer, "kernel_size");
    std::vector<std::string> inputs{layer.x, turnedKernel(writer, 0, writer.values(0).weight->shape, layer.spatial())};
    if (writer.layer->flag("use_bias")) inputs.push_back(writer.weight(1));
    auto node = layer.node("Conv", inputs, true);
    node.with("group", writer.layer->integer("groups"));
    return finished(layer, writer.node(std::move(node)));
}

/// [spatial…, channels, multiplier] as one group per channel.
Shape depthwiseShape(Shape shape)
{
    shape.back() *= shape[shape.size() - 2];
    shape[shape.size() - 2] = 1;
    return shape;
}

Written depthwise(OnnxWriter &writer)
{
    WindowedLayer layer(writer, "kernel_size");
    std::vector<std::string> inputs{layer.x, turnedKernel(writer, 0, depthwiseShape(writer.values(0).weight->shape), layer.spatial())};
    if (writer.layer->flag("use_bias")) inputs.push_back(writer.weight(1));
    auto node = layer.node("Conv", inputs, true);
    node.with("group", layer.channels());
    return finished(layer, writer.node(std::move(node)));
}

Written separable(OnnxWriter &writer)
{
    WindowedLayer layer(writer, "kernel_size");
    auto node =
        layer.node("Conv", {layer.x, turnedKernel(writer, 0, depthwiseShape(writer.values(0).weight->shape), layer.spatial())}, true);
    auto const y = writer.node(std::move(node.with("group", layer.channels())));
    std::vector<std::string> inputs{y, turnedKernel(writer, 1, writer.values(1).weight->shape, layer.spatial())};
    if (writer.layer->flag("use_bias")) inputs.push_back(writer.weight(2));
    return finished(layer, writer.node("Conv", inputs));
}

/// The padding cuts the edges of the result: those that Keras cuts.
Written transposedConvolution(OnnxWriter &writer)
{
    WindowedLayer layer(writer, "kernel_size");
    std::vector<std::string> inputs{layer.x, turnedKernel(writer, 0, writer.values(0).weight->shape, layer.spatial())};
    if (writer.layer->flag("use_bias")) inputs.push_back(writer.weight(1));
    auto const extra = writer.layer->integers("output_padding");
    std::vector<std::int64_t> kernel, strides, dilations, before, after, behind;
    for (std::size_t i = 0; i < layer.spatial(); ++i) {
        auto const &w = layer.window.windows[i];
        auto const cut = model::transposedExtent(layer.extent(i), w, layer.window.padding, i < extra.size() ? extra[i] : -1);
        kernel.push_back(w.kernel);
        strides.push_back(w.stride);
        dilations.push_back(w.dilation);
        before.push_back(cut.before);
        auto const whole = (layer.extent(i) - 1) * w.stride + w.reach();
        after.push_back(std::max<std::int64_t>(0, whole - cut.before - cut.outputs));
        behind.push_back(std::max<std::int64_t>(0, cut.outputs + cut.before - whole));
    }
    before.insert(before.end(), after.begin(), after.end());
    OnnxNode node{"ConvTranspose", "", "", std::move(inputs), {}, {}};
    node.with("kernel_shape", kernel)
        .with("strides", strides)
        .with("dilations", dilations)
        .with("pads", before)
        .with("output_padding", behind);
    return finished(layer, writer.node(std::move(node)));
}

Written pooling(OnnxWriter &writer)
{
    WindowedLayer layer(writer, "pool_size");
    bool const maximum = writer.layer->className.starts_with("Max");
    return std::vector<std::string>{layer.back(writer.node(layer.node(maximum ? "MaxPool" : "AveragePool", {layer.x}, false)))};
}

Written globalPooling(OnnxWriter &writer)
{
    auto const rank = std::ssize(writer.shapes[0]);
    bool const first = writer.layer->text("data_format") == "channels_first", maximum = writer.layer->className.starts_with("GlobalMax");
    std::vector<std::int64_t> axes(static_cast<std::size_t>(rank) - 2);
    std::iota(axes.begin(), axes.end(), std::int64_t{first ? 2 : 1});
    OnnxNode node{maximum ? "ReduceMax" : "ReduceMean", "", "", {writer.inputs[0]}, {}, {}};
    node.with("axes", axes).with("keepdims", std::int64_t{writer.layer->flag("keepdims") ? 1 : 0});
    return std::vector<std::string>{writer.node(std::move(node))};
}

} // namespace

std::span<LayerWriter const> windowWriters()
{
    static std::vector<LayerWriter> const all = [] {
        std::vector<LayerWriter> writers{{"DepthwiseConv2D", depthwise}, {"SeparableConv1D", separable}, {"SeparableConv2D", separable}};
        for (auto const *name : {"Conv1D", "Conv2D", "Conv3D"}) writers.push_back({name, convolution});
        for (auto const *name : {"Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"}) writers.push_back({name, transposedConvolution});
        for (auto const *name :
             {"MaxPooling1D", "MaxPooling2D", "MaxPooling3D", "AveragePooling1D", "AveragePooling2D", "AveragePooling3D"})
            writers.push_back({name, pooling});
        for (auto const *name : {"GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalMaxPooling3D", "GlobalAveragePooling1D",
                                 "GlobalAveragePooling2D", "GlobalAveragePooling3D"})
            writers.push_back({name, globalPooling});
        return writers;
    }();
    return all;
}

} // namespace tilewright::interop
