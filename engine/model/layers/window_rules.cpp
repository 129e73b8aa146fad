#include "engine/model/layers/window_rules.h"

#include <algorithm>

namespace tilewright::model {

WindowExtent windowExtent(std::int64_t n, Window const &window, std::string_view padding)
{
    WindowExtent extent;
    if (padding == "same") {
        extent.outputs = ceilDiv(n, window.stride);
        std::int64_t const missing = std::max<std::int64_t>(0, (extent.outputs - 1) * window.stride + window.reach() - n);
        extent.before = missing / 2;
        extent.after = missing - extent.before;
        return extent;
    }
    if (padding == "causal") extent.before = window.reach() - 1;
    std::int64_t const room = n + extent.before - window.reach();
    extent.outputs = room < 0 ? 0 : room / window.stride + 1;
    return extent;
}

WindowLayer windowLayer(Layer const &layer, std::string_view kernelKey)
{
    WindowLayer out;
    auto const kernels = layer.integers(kernelKey), strides = layer.integers("strides"), dilations = layer.integers("dilation_rate");
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        Window window;
        window.kernel = kernels[i];
        window.stride = i < strides.size() ? strides[i] : kernels[i];
        if (i < dilations.size()) window.dilation = dilations[i];
        out.windows.push_back(window);
    }
    out.padding = layer.text("padding");
    out.channelsFirst = layer.text("data_format") == "channels_first";
    return out;
}

Result<Shape> windowShape(Layer const &layer, WindowLayer const &window, Shape const &input)
{
    std::size_t const rank = window.windows.size() + 2;
    if (input.size() != rank)
        return layerError(layer, "model.shape",
                          Message::of("the input %1 has rank %2; %3 needs rank %4, [%5]", toText(input), input.size(), layer.className,
                                      rank, window.channelsFirst ? Message::of("batch, channels, …") : Message::of("batch, …, channels")),
                          Message::of("put a Reshape before it"));
    Shape shape = input;
    for (std::size_t i = 0; i < window.windows.size(); ++i) {
        auto &n = shape[window.spatialAxis(i)];
        auto const extent = windowExtent(n, window.windows[i], window.padding);
        if (extent.outputs < 1)
            return layerError(layer, "model.shape",
                              Message::of("a window of %1 does not fit an axis of %2 in %3", window.windows[i].reach(), n, toText(input)),
                              Message::of("make the window smaller or use padding 'same'"));
        n = extent.outputs;
    }
    return shape;
}

ParamInfo windowSizeParam(std::string name, int spatial, std::string help)
{
    ParamInfo param{.name = std::move(name), .type = ParamType::IntList, .min = 1, .max = 1e6, .help = std::move(help), .required = true};
    param.length = spatial;
    return param;
}

ParamInfo stridesParam(int spatial)
{
    ParamInfo param{.name = "strides",
                    .type = ParamType::IntList,
                    .defaultJson = spatial == 1 ? "[1]"
                        : spatial == 2          ? "[1, 1]"
                                                : "[1, 1, 1]",
                    .min = 1,
                    .max = 1e6,
                    .help = "stride of the window"};
    param.length = spatial;
    return param;
}

ParamInfo paddingParam(bool causal)
{
    return {.name = "padding",
            .type = ParamType::Enum,
            .defaultJson = "\"valid\"",
            .allowed = causal ? std::vector<std::string>{"valid", "same", "causal"} : std::vector<std::string>{"valid", "same"},
            .help = causal
                ? "valid: no padding; same: input length / stride outputs; causal: padding only before, so no output depends on later steps"
                : "valid: no padding; same: input length / stride outputs"};
}

ParamInfo dataFormatParam(int spatial)
{
    return {.name = "data_format",
            .type = ParamType::Enum,
            .defaultJson = "\"channels_last\"",
            .allowed = {"channels_last", "channels_first"},
            .help = spatial == 1 ? "[batch, steps, channels] or [batch, channels, steps]"
                                 : "channels as the last axis or as the first after the batch"};
}

} // namespace tilewright::model
