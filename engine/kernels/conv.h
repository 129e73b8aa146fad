#pragma once

#include "engine/graph/conv.h"
#include "engine/kernels/kernel.h"

#include <optional>

namespace tilewright::kernels {

/// Which of x, w, y of a convolution is computed from the other two.
enum class ConvResult { Output, InputGradient, WeightGradient };

/// A convolution on dense f32 tensors: x [batch, in…, channels], w [kernel…, channels of a group, filters], y [batch, out…,
/// filters]; see graph::ConvGeometry. The result's is written, the others are read. They must not overlap.
struct ConvCall {
    graph::ConvGeometry geometry;
    ConvResult result = ConvResult::Output;
    float *x = nullptr, *w = nullptr, *y = nullptr;
};

/// How the batch is cut into calls of a library: a function of shapes alone, so that the number of threads cannot change
/// a bit of the result.
struct ConvCut {
    std::int64_t images = 1; ///< of a piece; the last may have fewer
    std::size_t pieces = 1;
};
ConvCut cutConv(graph::ConvGeometry const &geometry, ConvResult result);

/// By oneDNN's convolutions; nothing where the build or the library has none for the shape.
std::optional<Prepared> convByLibrary(ConvCall const &call);
/// Windows copied into the rows of a matrix, and products of those: works for every shape, and is what the library's
/// results are checked against.
Prepared convByProducts(ConvCall const &call);

} // namespace tilewright::kernels
