#include "engine/graph/conv.h"

namespace tilewright::graph {

namespace {

Shape around(std::int64_t first, std::span<ConvGeometry::Axis const> axes, std::int64_t ConvGeometry::Axis::*extent, std::int64_t last)
{
    Shape shape{first};
    for (auto const &axis : axes) shape.push_back(axis.*extent);
    shape.push_back(last);
    return shape;
}

} // namespace

Shape ConvGeometry::inShape() const { return around(batch, axes(), &Axis::in, groups * channels); }
Shape ConvGeometry::outShape() const { return around(batch, axes(), &Axis::out, groups * filters); }
Shape ConvGeometry::kernelShape() const
{
    Shape shape;
    for (auto const &a : axes()) shape.push_back(a.kernel);
    shape.push_back(channels);
    shape.push_back(groups * filters);
    return shape;
}

Attrs toAttrs(ConvAttrs const &attrs)
{
    return {{"strides", attrs.strides},
            {"dilations", attrs.dilations},
            {"pad_before", attrs.before},
            {"pad_after", attrs.after},
            {"groups", attrs.groups}};
}

Result<ConvGeometry> convGeometry(Node const &node, Shape const &first, Shape const &second)
{
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    bool const forward = node.op == "conv", toInput = node.op == "conv_input_grad";
    auto const strides = node.attrs.integers("strides"), dilations = node.attrs.integers("dilations");
    auto const before = node.attrs.integers("pad_before"), after = node.attrs.integers("pad_after");
    auto const given = node.attrs.integers(toInput ? "input" : "kernel");
    std::size_t const n = strides.size();
    if (n < 1 || n > ConvGeometry::kAxes) return fail(Message::of("a convolution has one to three spatial axes, not %1.", n));
    if (dilations.size() != n || before.size() != n || after.size() != n || (!forward && given.size() != n))
        return fail(Message::of("its attributes have different lengths."));
    if (first.size() != n + 2 || second.size() != n + 2)
        return fail(Message::of("operands %1 and %2 do not have rank %3.", toText(first), toText(second), n + 2));
    ConvGeometry g;
    g.spatial = static_cast<int>(n);
    g.groups = node.attrs.integer("groups");
    g.batch = first[0];
    if (g.groups < 1 || g.groups > first.back()) return fail(Message::of("it has %1 groups.", g.groups));
    // Channels and filters of all groups, from those operands that hold them.
    std::int64_t const channels = toInput ? second[n] * g.groups : first[n + 1];
    std::int64_t const filters = second[n + 1];
    if (channels % g.groups != 0 || filters % g.groups != 0)
        return fail(Message::of("%1 channels and %2 filters cannot be cut into %3 groups.", channels, filters, g.groups));
    g.channels = channels / g.groups;
    g.filters = filters / g.groups;
    if (forward && second[n] != g.channels)
        return fail(Message::of("the kernel %1 does not match the %2 channels of a group.", toText(second), g.channels));
    if (toInput && first[n + 1] != filters)
        return fail(Message::of("the kernel %1 does not match %2 filters.", toText(second), first[n + 1]));
    if (!forward && !toInput && second[0] != g.batch) return fail(Message::of("the operands have different batch sizes."));
    for (std::size_t i = 0; i < n; ++i) {
        auto &axis = g.axis[ConvGeometry::kAxes - n + i];
        axis.stride = strides[i];
        axis.dilation = dilations[i];
        axis.before = before[i];
        constexpr std::int64_t kMost = std::int64_t{1} << 30;
        auto const within = [](std::int64_t number, std::int64_t least) { return number >= least && number <= kMost; };
        if (!within(axis.stride, 1) || !within(axis.dilation, 1) || !within(axis.before, 0) || !within(after[i], 0)
            || (!forward && !within(given[i], 1)))
            return fail(Message::of("strides, dilations, extents or padding are out of range."));
        axis.in = toInput ? given[i] : first[i + 1];
        axis.kernel = forward ? second[i] : toInput ? second[i] : given[i];
        std::int64_t const room = axis.in + axis.before + after[i] - ((axis.kernel - 1) * axis.dilation + 1);
        axis.out = room < 0 ? 0 : room / axis.stride + 1;
        if (axis.out < 1) return fail(Message::of("a window of %1 does not fit %2 positions.", axis.kernel, axis.in));
        std::int64_t const have = forward ? axis.out : toInput ? first[i + 1] : second[i + 1];
        if (have != axis.out) return fail(Message::of("an operand has %1 positions, but there are %2 windows.", have, axis.out));
    }
    return g;
}

ConvGeometry convGeometry(Graph const &graph, NodeId id)
{
    auto const &node = graph.node(id);
    auto geometry = convGeometry(node, graph.value(node.inputs[0]).shape, graph.value(node.inputs[1]).shape);
    TW_CHECK(geometry.ok(), "convolution " + node.name + " of unfit shapes");
    return *geometry;
}

} // namespace tilewright::graph
