#pragma once

#include "engine/graph/conv.h"
#include "engine/kernels/kernel.h"

#include <optional>

namespace tilewright::kernels {

/// The tensor of x, w, y that is computed from the other two.
enum class ConvResult { Output, InputGradient, WeightGradient };

/// A convolution on dense f32 tensors: x [batch, in…, channels], w [kernel…, channels per group, filters], y [batch, out…, filters]; see
/// graph::ConvGeometry. Writes the result's tensor, reads the others. They must not overlap.
struct ConvCall {
    graph::ConvGeometry geometry;
    ConvResult result = ConvResult::Output;
    float *x = nullptr, *w = nullptr, *y = nullptr;
};

/// The cut of the batch into library calls: a function of shapes alone, so that the number of threads does not affect the bits.
struct ConvCut {
    std::int64_t images = 1; ///< of a piece; the last may have fewer
    std::size_t pieces = 1;
};
ConvCut cutConv(graph::ConvGeometry const &geometry, ConvResult result);

/// With oneDNN; nullopt if the build or the library does not support the shape.
std::optional<Prepared> convByLibrary(ConvCall const &call);
/// Products of windows copied into the rows of a matrix. Works for every shape. Tests compare the library with it.
Prepared convByProducts(ConvCall const &call);

} // namespace tilewright::kernels
