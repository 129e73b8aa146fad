#pragma once

#include "engine/core/random.h"
#include "engine/graph/conv.h"

/// Convolutions with every mixture of axes, strides, dilations, padding and groups, small enough for plain loops.
namespace tilewright::tests {

struct RandomConv {
    graph::Attrs attrs;
    graph::ConvGeometry geometry;
    /// Attributes of the three ops: output, input gradient, weight gradient.
    graph::Attrs of(std::string const &op) const
    {
        graph::Attrs all = attrs;
        std::vector<std::int64_t> in, kernel;
        for (auto const &axis : geometry.axes()) {
            in.push_back(axis.in);
            kernel.push_back(axis.kernel);
        }
        if (op == "conv_input_grad") all.set("input", in);
        if (op == "conv_weight_grad") all.set("kernel", kernel);
        return all;
    }
    std::pair<Shape, Shape> operands(std::string const &op) const
    {
        if (op == "conv") return {geometry.inShape(), geometry.kernelShape()};
        if (op == "conv_input_grad") return {geometry.outShape(), geometry.kernelShape()};
        return {geometry.inShape(), geometry.outShape()};
    }
    Shape result(std::string const &op) const
    {
        return op == "conv" ? geometry.outShape() : op == "conv_input_grad" ? geometry.inShape() : geometry.kernelShape();
    }
};

inline RandomConv randomConv(RandomStream &random, std::int64_t largest = 12)
{
    auto const upTo = [&](std::int64_t limit) { return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit))); };
    auto const spatial = static_cast<std::size_t>(upTo(3));
    for (;;) {
        graph::ConvAttrs attrs;
        Shape x{upTo(4)}, w;
        bool fits = true;
        for (std::size_t i = 0; i < spatial; ++i) {
            std::int64_t const n = upTo(spatial == 3 ? 5 : largest), kernel = upTo(4);
            attrs.strides.push_back(random.below(2) ? 1 : upTo(3));
            attrs.dilations.push_back(random.below(3) ? 1 : upTo(3));
            attrs.before.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(kernel) + 1)));
            attrs.after.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(kernel) + 1)));
            fits = fits && n + attrs.before.back() + attrs.after.back() >= (kernel - 1) * attrs.dilations.back() + 1;
            x.push_back(n);
            w.push_back(kernel);
        }
        if (!fits) continue;
        bool const depthwise = random.below(4) == 0;
        attrs.groups = random.below(3) ? 1 : upTo(depthwise ? 20 : 4);
        std::int64_t const channels = depthwise ? 1 : upTo(9), filters = depthwise ? upTo(2) : upTo(20);
        x.push_back(attrs.groups * channels);
        w.push_back(channels);
        w.push_back(attrs.groups * filters);
        RandomConv conv;
        conv.attrs = graph::toAttrs(attrs);
        graph::Node node;
        node.op = "conv";
        node.attrs = conv.attrs;
        auto geometry = graph::convGeometry(node, x, w);
        if (!geometry.ok()) continue;
        conv.geometry = *geometry;
        return conv;
    }
}

} // namespace tilewright::tests
