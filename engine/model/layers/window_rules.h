#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// Movement of a kernel or a pool along one axis.
struct Window {
    std::int64_t kernel = 1, stride = 1, dilation = 1;
    std::int64_t reach() const { return (kernel - 1) * dilation + 1; }
};

/// "valid": no padding. "same": ceil(n / stride) positions; half of the padding before, the rest after. "causal": all padding before, so
/// that no output depends on later inputs.
struct WindowExtent {
    std::int64_t outputs = 0, before = 0, after = 0;
};
/// Along an axis of n elements. `outputs` is below 1 if the window does not fit.
WindowExtent windowExtent(std::int64_t n, Window const &window, std::string_view padding);

/// A padded, strided layer with `spatial` axes: kernel_size (or pool_size), strides, dilation_rate, padding. In a shape [batch, …] with
/// data_format "channels_first" the channels precede the spatial axes; otherwise they are last.
struct WindowLayer {
    std::vector<Window> windows;
    std::string padding;
    bool channelsFirst = false;

    std::size_t spatialAxis(std::size_t i) const { return channelsFirst ? i + 2 : i + 1; }
    std::size_t channelAxis() const { return channelsFirst ? 1 : windows.size() + 1; }
};
/// `kernelKey`: "kernel_size" or "pool_size". Null strides are the kernel's extents.
WindowLayer windowLayer(Layer const &layer, std::string_view kernelKey);

/// The input's shape with new spatial extents. Error model.shape: wrong rank, or a window larger than its axis.
Result<Shape> windowShape(Layer const &layer, WindowLayer const &window, Shape const &input);

/// Arguments shared by layers with windows, for `spatial` axes.
ParamInfo windowSizeParam(std::string name, int spatial, std::string help);
ParamInfo stridesParam(int spatial);
ParamInfo paddingParam(bool causal);
ParamInfo dataFormatParam(int spatial);

} // namespace tilewright::model
