#pragma once

#include "engine/graph/conv.h"
#include "engine/program/codelets/support.h"

#include <array>
#include <cstdint>

// The sums of a convolution over the blocks on one tile, and of both gradients. The codelets (conv.cpp) share them; only their prices
// differ.
namespace tilewright::program::conv {

using graph::ConvGeometry;
using Span3 = std::array<std::int64_t, 3>;

/// A block of x or y: positions and their begin, groups, channels per group.
struct Field {
    float *data = nullptr;
    std::int64_t batch = 1;
    Span3 begin{0, 0, 0}, size{1, 1, 1};
    std::int64_t groups = 1, channels = 1;
    std::int64_t pixel() const { return groups * channels; }
    std::int64_t rows() const { return batch * size[0] * size[1]; }
    std::int64_t elements() const { return rows() * size[2] * pixel(); }
    float *row(std::int64_t b, std::int64_t z, std::int64_t y) const
    {
        return data + ((b * size[0] + z) * size[1] + y) * size[2] * pixel();
    }
};

/// A block of w: [elements][channels][groups][filters].
struct Kernel {
    float *data = nullptr;
    std::int64_t first = 0, elements = 1, channels = 1, groups = 1, filters = 1;
    std::int64_t count() const { return elements * channels * groups * filters; }
};

Field fieldOf(FieldBlock const &block, int spatial, bool grouped);
Kernel kernelOf(FieldBlock const &block, bool grouped);

/// Inputs that are summed in one pass, at one kernel element (-1: at all elements).
struct Taken {
    std::int64_t element = -1, first = 0, inputs = 0;
    bool has(std::int64_t e) const { return element < 0 || e == element; }
};

/// The output, or (turned) the gradient of the input. Rows of positions are shared out to the workers.
void convolve(Field const &out, Field const &source, Kernel const &kernel, std::array<ConvGeometry::Axis, 3> const &axes, bool turned,
              Taken const &taken, Workers workers);

/// The gradient of the weights. Kernel elements are shared out to the workers. Only the tile's own positions are summed.
void weightGradient(Kernel const &out, Field const &x, Field const &y, std::array<ConvGeometry::Axis, 3> const &axes,
                    std::int64_t firstPosition, std::int64_t endPosition, Workers workers);

} // namespace tilewright::program::conv
