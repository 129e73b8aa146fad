#include "engine/model/layers/conv_rules.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

namespace {

constexpr std::string_view kGlorot = R"({"class_name": "GlorotUniform", "config": {"seed": null}})";
constexpr std::string_view kZeros = R"({"class_name": "Zeros", "config": {}})";

std::string ones(int spatial) { return spatial == 1 ? "[1]" : spatial == 2 ? "[1, 1]" : "[1, 1, 1]"; }

std::vector<ParamInfo> sharedParams(int spatial, bool causal)
{
    ParamInfo dilation{.name = "dilation_rate",
                       .type = ParamType::IntList,
                       .defaultJson = ones(spatial),
                       .min = 1,
                       .max = 1e6,
                       .help = "dilation of the kernel; above 1 only with strides of 1"};
    dilation.length = spatial;
    return {stridesParam(spatial), paddingParam(causal), dataFormatParam(spatial), dilation};
}

ParamInfo filtersParam()
{
    return {.name = "filters", .type = ParamType::Int, .min = 1, .max = 1e9, .help = "number of output channels", .required = true};
}
ParamInfo groupsParam()
{
    return {.name = "groups",
            .type = ParamType::Int,
            .defaultJson = "1",
            .min = 1,
            .max = 1e9,
            .help = "splits channels and filters into this many groups, which are convolved separately"};
}
/// Of layers that cannot be cut: Keras writes it all the same.
ParamInfo oneGroupParam()
{
    return {.name = "groups", .type = ParamType::Int, .defaultJson = "1", .min = 1, .max = 1, .help = "always 1: this layer has no groups"};
}
ParamInfo multiplierParam()
{
    return {
        .name = "depth_multiplier", .type = ParamType::Int, .defaultJson = "1", .min = 1, .max = 1e6, .help = "outputs per input channel"};
}

std::string kernelTitle(std::string_view name) { return name == "kernel" ? "kernel" : std::string(name) + " kernel"; }

/// Activation, bias, and what initialises, regularises and limits the weights named.
void addWeightParams(std::vector<ParamInfo> &params, std::span<std::string_view const> kernels)
{
    params.push_back(
        {.name = "activation", .type = ParamType::Activation, .defaultJson = "\"linear\"", .help = "activation of the result"});
    params.push_back({.name = "use_bias", .type = ParamType::Bool, .defaultJson = "true", .help = "adds a bias per output channel"});
    for (auto kernel : kernels)
        params.push_back({.name = std::string(kernel) + "_initializer",
                          .type = ParamType::Initializer,
                          .defaultJson = std::string(kGlorot),
                          .help = "initializer of the " + kernelTitle(kernel)});
    params.push_back({.name = "bias_initializer",
                      .type = ParamType::Initializer,
                      .defaultJson = std::string(kZeros),
                      .help = "initializer of the bias"});
    for (auto kernel : kernels)
        params.push_back({.name = std::string(kernel) + "_regularizer",
                          .type = ParamType::Regularizer,
                          .help = "penalty on the " + kernelTitle(kernel)});
    params.push_back({.name = "bias_regularizer", .type = ParamType::Regularizer, .help = "penalty on the bias"});
    params.push_back({.name = "activity_regularizer", .type = ParamType::Regularizer, .help = "penalty on the output"});
    for (auto kernel : kernels)
        params.push_back(
            {.name = std::string(kernel) + "_constraint", .type = ParamType::Constraint, .help = "limit on the " + kernelTitle(kernel)});
    params.push_back({.name = "bias_constraint", .type = ParamType::Constraint, .help = "limit on the bias"});
}

Status checkWindows(Layer const &layer)
{
    auto const window = windowLayer(layer, "kernel_size");
    bool strided = false, dilated = false;
    for (auto const &w : window.windows) {
        strided = strided || w.stride > 1;
        dilated = dilated || w.dilation > 1;
    }
    if (strided && dilated)
        return layerError(layer, "model.bad-argument", Message::of("strides above 1 and dilation_rate above 1 cannot be combined"),
                          Message::of("set one of them to 1"));
    if (window.padding == "causal" && window.channelsFirst)
        return layerError(layer, "model.bad-argument", Message::of("padding 'causal' needs data_format 'channels_last'"),
                          Message::of("set data_format to channels_last"));
    return {};
}

Result<std::int64_t> channelsOf(Layer const &layer, WindowLayer const &window, Shape const &input, std::int64_t groups)
{
    if (input.size() != window.windows.size() + 2) TW_TRY(windowShape(layer, window, input)); // the error about the rank
    std::int64_t const channels = input[window.channelAxis()];
    if (channels % groups != 0)
        return layerError(layer, "model.shape", Message::of("%1 input channels cannot be cut into %2 groups", channels, groups),
                          Message::of("use a number of groups that divides the channels"));
    return channels;
}

Status addWeight(Layer const &layer, std::vector<WeightSpec> &weights, std::string const &name, std::string const &initializer, Shape shape)
{
    TW_ASSIGN(Initializer first, parseInitializer(layer.config[initializer], layer.name));
    weights.push_back({name, std::move(shape), std::move(first)});
    return {};
}

Status addBias(Layer const &layer, std::vector<WeightSpec> &weights, std::int64_t channels)
{
    return layer.flag("use_bias") ? addWeight(layer, weights, "bias", "bias_initializer", {channels}) : Status();
}

Shape kernelShape(WindowLayer const &window, std::int64_t before, std::int64_t last)
{
    Shape shape;
    for (auto const &w : window.windows) shape.push_back(w.kernel);
    shape.push_back(before);
    shape.push_back(last);
    return shape;
}

Activation activationOf(Layer const &layer) { return activationArgument(layer, "activation"); }

double kernelElements(WindowLayer const &window)
{
    double n = 1;
    for (auto const &w : window.windows) n *= static_cast<double>(w.kernel);
    return n;
}

std::string axes(int spatial) { return spatial == 1 ? "time steps" : spatial == 2 ? "rows and columns" : "depth, rows and columns"; }
std::string className(std::string_view before, int spatial, std::string_view after = {})
{
    return std::string(before) + std::to_string(spatial) + "D" + std::string(after);
}

} // namespace

LayerSpec convolution(int spatial)
{
    LayerSpec spec;
    spec.className = className("Conv", spatial);
    spec.category = "Convolution";
    spec.help = "Convolution over " + axes(spatial) + ": activation(sum over the window and its channels + bias).";
    spec.params = {filtersParam(), windowSizeParam("kernel_size", spatial, "extent of the kernel")};
    for (auto &param : sharedParams(spatial, spatial == 1)) spec.params.push_back(std::move(param));
    spec.params.push_back(groupsParam());
    addWeightParams(spec.params, std::array<std::string_view, 1>{"kernel"});
    spec.check = [](Layer const &layer) -> Status {
        TW_TRY(checkWindows(layer));
        if (layer.integer("filters") % std::max<std::int64_t>(1, layer.integer("groups")) != 0)
            return layerError(layer, "model.bad-argument",
                              Message::of("%1 filters cannot be cut into %2 groups", layer.integer("filters"), layer.integer("groups")),
                              Message::of("use a number of groups that divides the filters"));
        return {};
    };
    spec.outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_TRY(channelsOf(layer, window, inputs[0], layer.integer("groups")));
        TW_ASSIGN(auto shape, windowShape(layer, window, inputs[0]));
        shape[window.channelAxis()] = layer.integer("filters");
        return shape;
    };
    spec.weights = [](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto const channels, channelsOf(layer, window, inputs[0], layer.integer("groups")));
        std::vector<WeightSpec> weights;
        TW_TRY(addWeight(layer, weights, "kernel", "kernel_initializer",
                         kernelShape(window, channels / layer.integer("groups"), layer.integer("filters"))));
        TW_TRY(addBias(layer, weights, layer.integer("filters")));
        return weights;
    };
    spec.activation = activationOf;
    spec.multiplyAdds = [](Layer const &layer, std::span<Shape const> inputs, Shape const &output) {
        auto const window = windowLayer(layer, "kernel_size");
        return sampleElements(output) * kernelElements(window) * static_cast<double>(inputs[0][window.channelAxis()])
            / static_cast<double>(layer.integer("groups"));
    };
    return spec;
}

WindowExtent transposedExtent(std::int64_t n, Window const &window, std::string_view padding, std::int64_t outputPadding)
{
    WindowExtent extent;
    std::int64_t const reach = window.reach();
    bool const same = padding == "same";
    if (outputPadding < 0) extent.outputs = same ? n * window.stride : n * window.stride + std::max<std::int64_t>(0, reach - window.stride);
    else extent.outputs = (n - 1) * window.stride + reach - (same ? 2 * (reach / 2) : 0) + outputPadding;
    if (same) {
        std::int64_t const missing = std::max<std::int64_t>(0, (n - 1) * window.stride + reach - extent.outputs);
        extent.before = missing / 2;
        extent.after = missing - extent.before;
    }
    return extent;
}

LayerSpec transposedConvolution(int spatial)
{
    LayerSpec spec;
    spec.className = className("Conv", spatial, "Transpose");
    spec.category = "Convolution";
    spec.help =
        "Transposed convolution over " + axes(spatial) + ": each input spreads its kernel over the output; strides enlarge the result.";
    spec.params = {filtersParam(), windowSizeParam("kernel_size", spatial, "extent of the kernel")};
    for (auto &param : sharedParams(spatial, false)) spec.params.push_back(std::move(param));
    spec.params.push_back(oneGroupParam());
    addWeightParams(spec.params, std::array<std::string_view, 1>{"kernel"});
    ParamInfo padding{.name = "output_padding",
                      .type = ParamType::IntList,
                      .min = 0,
                      .max = 1e6,
                      .help = "additional output size, less than the stride; null: as Keras derives it",
                      .nullable = true};
    padding.length = spatial;
    spec.params.push_back(padding);
    spec.check = [](Layer const &layer) -> Status {
        TW_TRY(checkWindows(layer));
        auto const extra = layer.integers("output_padding"), strides = layer.integers("strides");
        for (std::size_t i = 0; i < std::min(extra.size(), strides.size()); ++i)
            if (extra[i] >= strides[i])
                return layerError(layer, "model.bad-argument",
                                  Message::of("output_padding %1 is not below its stride %2", extra[i], strides[i]),
                                  Message::of("use a smaller output_padding"));
        return {};
    };
    spec.outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
        auto const window = windowLayer(layer, "kernel_size");
        std::size_t const n = window.windows.size();
        if (inputs[0].size() != n + 2) return windowShape(layer, window, inputs[0]);
        auto const extra = layer.integers("output_padding");
        Shape shape = inputs[0];
        for (std::size_t i = 0; i < n; ++i) {
            auto &extent = shape[window.spatialAxis(i)];
            extent = transposedExtent(extent, window.windows[i], window.padding, i < extra.size() ? extra[i] : -1).outputs;
            if (extent < 1)
                return layerError(layer, "model.shape",
                                  Message::of("the result would have no element along axis %1", window.spatialAxis(i)),
                                  Message::of("use a larger kernel or output_padding"));
        }
        shape[window.channelAxis()] = layer.integer("filters");
        return shape;
    };
    spec.weights = [](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto const channels, channelsOf(layer, window, inputs[0], 1));
        std::vector<WeightSpec> weights;
        TW_TRY(addWeight(layer, weights, "kernel", "kernel_initializer", kernelShape(window, layer.integer("filters"), channels)));
        TW_TRY(addBias(layer, weights, layer.integer("filters")));
        return weights;
    };
    spec.activation = activationOf;
    spec.multiplyAdds = [](Layer const &layer, std::span<Shape const> inputs, Shape const &) {
        return sampleElements(inputs[0]) * kernelElements(windowLayer(layer, "kernel_size"))
            * static_cast<double>(layer.integer("filters"));
    };
    return spec;
}

LayerSpec depthwiseConvolution()
{
    LayerSpec spec;
    spec.className = "DepthwiseConv2D";
    spec.category = "Convolution";
    spec.help = "Convolves each channel separately with depth_multiplier kernels.";
    spec.params = {windowSizeParam("kernel_size", 2, "extent of the kernel")};
    for (auto &param : sharedParams(2, false)) spec.params.push_back(std::move(param));
    spec.params.push_back(oneGroupParam());
    addWeightParams(spec.params, {});
    spec.params.push_back(multiplierParam());
    std::vector<ParamInfo> kernel;
    addWeightParams(kernel, std::array<std::string_view, 1>{"depthwise"});
    for (auto &param : kernel)
        if (param.name.starts_with("depthwise")) spec.params.push_back(std::move(param));
    spec.check = checkWindows;
    spec.outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto shape, windowShape(layer, window, inputs[0]));
        shape[window.channelAxis()] *= layer.integer("depth_multiplier");
        return shape;
    };
    spec.weights = [](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto const channels, channelsOf(layer, window, inputs[0], 1));
        std::vector<WeightSpec> weights;
        TW_TRY(addWeight(layer, weights, "depthwise_kernel", "depthwise_initializer",
                         kernelShape(window, channels, layer.integer("depth_multiplier"))));
        TW_TRY(addBias(layer, weights, channels * layer.integer("depth_multiplier")));
        return weights;
    };
    spec.activation = activationOf;
    spec.multiplyAdds = [](Layer const &layer, std::span<Shape const>, Shape const &output) {
        return sampleElements(output) * kernelElements(windowLayer(layer, "kernel_size"));
    };
    return spec;
}

LayerSpec separableConvolution(int spatial)
{
    LayerSpec spec;
    spec.tolerated = {{"groups", 1}};
    spec.className = className("SeparableConv", spatial);
    spec.category = "Convolution";
    spec.help = "Depthwise convolution over " + axes(spatial) + ", followed by a pointwise convolution of the channels.";
    spec.params = {filtersParam(), windowSizeParam("kernel_size", spatial, "extent of the depthwise kernel")};
    for (auto &param : sharedParams(spatial, spatial == 1)) spec.params.push_back(std::move(param));
    spec.params.insert(spec.params.end() - 1, multiplierParam()); // where Keras writes it
    addWeightParams(spec.params, std::array<std::string_view, 2>{"depthwise", "pointwise"});
    spec.check = checkWindows;
    spec.outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto shape, windowShape(layer, window, inputs[0]));
        shape[window.channelAxis()] = layer.integer("filters");
        return shape;
    };
    spec.weights = [](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto const channels, channelsOf(layer, window, inputs[0], 1));
        std::int64_t const multiplier = layer.integer("depth_multiplier");
        std::vector<WeightSpec> weights;
        TW_TRY(addWeight(layer, weights, "depthwise_kernel", "depthwise_initializer", kernelShape(window, channels, multiplier)));
        Shape point(window.windows.size(), 1);
        point.push_back(channels * multiplier);
        point.push_back(layer.integer("filters"));
        TW_TRY(addWeight(layer, weights, "pointwise_kernel", "pointwise_initializer", std::move(point)));
        TW_TRY(addBias(layer, weights, layer.integer("filters")));
        return weights;
    };
    spec.activation = activationOf;
    spec.multiplyAdds = [](Layer const &layer, std::span<Shape const> inputs, Shape const &output) {
        auto const window = windowLayer(layer, "kernel_size");
        double const positions = sampleElements(output) / static_cast<double>(layer.integer("filters"));
        double const middle = static_cast<double>(inputs[0][window.channelAxis()] * layer.integer("depth_multiplier"));
        return positions * middle * (kernelElements(window) + static_cast<double>(layer.integer("filters")));
    };
    return spec;
}

LayerSpec locallyConnected(int spatial)
{
    LayerSpec spec;
    spec.className = className("LocallyConnected", spatial);
    spec.category = "Convolution";
    spec.help = "A convolution over " + axes(spatial) + " with a kernel and a bias of its own at each position.";
    auto padding = paddingParam(false);
    padding.allowed = {"valid"};
    padding.help = "valid: no padding, the only one";
    spec.params = {filtersParam(), windowSizeParam("kernel_size", spatial, "extent of the kernel"), stridesParam(spatial), padding,
                   dataFormatParam(spatial)};
    addWeightParams(spec.params, std::array<std::string_view, 1>{"kernel"});
    spec.params.push_back({.name = "implementation",
                           .type = ParamType::Int,
                           .defaultJson = "1",
                           .min = 1,
                           .max = 1,
                           .help = "form of the kernel. 1: [positions, window, filters]; the other forms are not supported"});
    spec.outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto shape, windowShape(layer, window, inputs[0]));
        shape[window.channelAxis()] = layer.integer("filters");
        return shape;
    };
    spec.weights = [](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
        auto const window = windowLayer(layer, "kernel_size");
        TW_ASSIGN(auto const output, windowShape(layer, window, inputs[0]));
        Shape positions;
        for (std::size_t i = 0; i < window.windows.size(); ++i) positions.push_back(output[window.spatialAxis(i)]);
        auto const width = static_cast<std::int64_t>(kernelElements(window)) * inputs[0][window.channelAxis()];
        std::vector<WeightSpec> weights;
        TW_TRY(addWeight(layer, weights, "kernel", "kernel_initializer", {elementCount(positions), width, layer.integer("filters")}));
        positions.push_back(layer.integer("filters"));
        if (layer.flag("use_bias")) TW_TRY(addWeight(layer, weights, "bias", "bias_initializer", positions));
        return weights;
    };
    spec.activation = activationOf;
    spec.multiplyAdds = [](Layer const &layer, std::span<Shape const> inputs, Shape const &output) {
        auto const window = windowLayer(layer, "kernel_size");
        return sampleElements(output) * kernelElements(window) * static_cast<double>(inputs[0][window.channelAxis()]);
    };
    return spec;
}

} // namespace tilewright::model
