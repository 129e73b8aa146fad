#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// How a kernel or a pool moves along one axis.
struct Window {
    std::int64_t kernel = 1, stride = 1, dilation = 1;
    std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

/// "valid": no padding; "same": ceil(n / stride) positions, what is missing is padded half before, the rest after;
/// "causal": everything before, so that no output sees what comes later.
struct WindowExtent {
    std::int64_t outputs = 0, before = 0, after = 0;
};
/// Along an axis of n elements. `outputs` is below 1 where the window does not fit.
WindowExtent windowExtent(std::int64_t n, Window const &window, std::string_view padding);

/// A padded, strided layer of `spatial` axes: kernel_size (or pool_size), strides, dilation_rate, padding. Where an axis is
/// in a shape [batch, …]: data_format "channels_first" has the channels before the spatial axes, else they are last.
struct WindowLayer {
    std::vector<Window> windows;
    std::string padding;
    bool channelsFirst = false;

    std::size_t spatialAxis(std::size_t i) const { return channelsFirst ? i + 2 : i + 1; }
    std::size_t channelAxis() const { return channelsFirst ? 1 : windows.size() + 1; }
};
/// `kernelKey`: "kernel_size" or "pool_size"; strides of null are the kernel's.
WindowLayer windowLayer(Layer const &layer, std::string_view kernelKey);

/// The input's shape with its spatial extents replaced. Errors "model.shape": wrong rank, a window larger than its axis.
Result<Shape> windowShape(Layer const &layer, WindowLayer const &window, Shape const &input);

/// Arguments that layers of windows share, for `spatial` axes.
ParamInfo windowSizeParam(std::string name, int spatial, std::string help);
ParamInfo stridesParam(int spatial);
ParamInfo paddingParam(bool causal);
ParamInfo dataFormatParam(int spatial);

} // namespace tilewright::model
