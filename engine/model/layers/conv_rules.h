#pragma once

#include "engine/model/layers/window_rules.h"

namespace tilewright::model {

// Keras's convolution layers over `spatial` axes: 1 to 3.
LayerSpec convolution(int spatial);
LayerSpec transposedConvolution(int spatial);
LayerSpec separableConvolution(int spatial);
LayerSpec depthwiseConvolution();
LayerSpec locallyConnected(int spatial); ///< 1 or 2 axes

/// Length of a transposed convolution's result along an axis of n, and the padding of the corresponding forward convolution.
/// `outputPadding` below 0: not given. (Keras: conv_utils.deconv_output_length.)
WindowExtent transposedExtent(std::int64_t n, Window const &window, std::string_view padding, std::int64_t outputPadding);

} // namespace tilewright::model
