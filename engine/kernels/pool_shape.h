#pragma once

#include "engine/graph/graph.h"
#include "engine/kernels/pool_math.h"

namespace tilewright::kernels {

/// A pooling of [samples, spatial…, channels] with the attributes "window", "stride", "before" and "after", one entry per spatial axis (at
/// most three).
struct PoolShape {
    int spatial = 1;
    std::int64_t samples = 1, channels = 1;
    PoolWindow window;
    Axes out{1, 1, 1};

    Shape inputShape() const { return shapeOf(window.extent); }
    Shape outputShape() const { return shapeOf(out); }
    /// Axis `i` of the spatial ones among the three of PoolWindow.
    std::size_t axis(int i) const { return static_cast<std::size_t>(3 - spatial + i); }
    std::int64_t volume() const { return window.window[0] * window.window[1] * window.window[2]; }

private:
    Shape shapeOf(Axes const &extents) const
    {
        Shape shape{samples};
        for (int i = 0; i < spatial; ++i) shape.push_back(extents[axis(i)]);
        shape.push_back(channels);
        return shape;
    }
};

/// Error "graph.pool": attributes that do not fit each other or the input, or a window with padding only.
Result<PoolShape> poolShape(graph::Attrs const &attrs, Shape const &input, std::string const &subject);

} // namespace tilewright::kernels
