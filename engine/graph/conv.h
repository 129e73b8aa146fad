#pragma once

#include "engine/graph/graph.h"

#include <array>
#include <span>

namespace tilewright::graph {

/// One convolution: x [batch, in…, groups channels], w [kernel…, channels, groups filters], y [batch, out…, groups filters]:
///   y[b, o, g filters + f] = sum over k, c of x[b, o stride + k dilation - before, g channels + c] w[k, c, g filters + f]
/// Positions outside x count as zeros. One to three spatial axes; missing leading axes have extent 1. Three ops share it: `conv` (x, w) ->
/// y, `conv_input_grad` (y, w) -> x, `conv_weight_grad` (x, y) -> w.
struct ConvGeometry {
    static constexpr std::size_t kAxes = 3;
    struct Axis {
        std::int64_t in = 1, kernel = 1, out = 1, stride = 1, dilation = 1, before = 0;
        /// Position that window `out` reads with kernel element k; may be outside [0, in).
        std::int64_t source(std::int64_t o, std::int64_t k) const { return o * stride + k * dilation - before; }
        /// The window that reads position `i` with kernel element k, or -1.
        std::int64_t reader(std::int64_t i, std::int64_t k) const
        {
            std::int64_t const at = i + before - k * dilation;
            return at < 0 || at % stride != 0 || at / stride >= out ? -1 : at / stride;
        }
        bool operator==(Axis const &) const = default;
    };
    int spatial = 2;
    std::int64_t batch = 1, groups = 1, channels = 1, filters = 1; ///< channels and filters per group
    std::array<Axis, kAxes> axis;

    std::int64_t inPositions() const { return axis[0].in * axis[1].in * axis[2].in; }
    std::int64_t outPositions() const { return axis[0].out * axis[1].out * axis[2].out; }
    std::int64_t kernelElements() const { return axis[0].kernel * axis[1].kernel * axis[2].kernel; }
    std::int64_t multiplyAdds() const { return batch * outPositions() * kernelElements() * groups * channels * filters; }
    /// The spatial axes, first one first.
    std::span<Axis const> axes() const
    {
        return {axis.data() + kAxes - static_cast<std::size_t>(spatial), static_cast<std::size_t>(spatial)};
    }
    Shape inShape() const;
    Shape kernelShape() const;
    Shape outShape() const;
    bool operator==(ConvGeometry const &) const = default;
};

/// Attributes of the three ops, one number per axis: strides, dilations, pad_before, pad_after; groups; and the extents that do not follow
/// from the operands: `input` (conv_input_grad), `kernel` (conv_weight_grad).
struct ConvAttrs {
    std::vector<std::int64_t> strides, dilations, before, after;
    std::int64_t groups = 1;
};
Attrs toAttrs(ConvAttrs const &attrs);

/// The geometry of a `conv`, `conv_input_grad` or `conv_weight_grad` on operands of these shapes. Error: Invalid "graph.shape" with the
/// node.
Result<ConvGeometry> convGeometry(Node const &node, Shape const &first, Shape const &second);
/// The geometry of a node in a verified graph.
ConvGeometry convGeometry(Graph const &graph, NodeId node);

} // namespace tilewright::graph
