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
    auto const fail = [&](std::string what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    bool const forward = node.op == "conv", toInput = node.op == "conv_input_grad";
    auto const strides = node.attrs.integers("strides"), dilations = node.attrs.integers("dilations");
    auto const before = node.attrs.integers("pad_before"), after = node.attrs.integers("pad_after");
    auto const given = node.attrs.integers(toInput ? "input" : "kernel");
    std::size_t const n = strides.size();
    if (n < 1 || n > ConvGeometry::kAxes) return fail("a convolution has one to three spatial axes, not " + std::to_string(n) + ".");
    if (dilations.size() != n || before.size() != n || after.size() != n || (!forward && given.size() != n))
        return fail("its attributes are of different lengths.");
    if (first.size() != n + 2 || second.size() != n + 2)
        return fail("operands " + toText(first) + " and " + toText(second) + " are not of rank " + std::to_string(n + 2) + ".");
    ConvGeometry g;
    g.spatial = static_cast<int>(n);
    g.groups = node.attrs.integer("groups");
    g.batch = first[0];
    if (g.groups < 1 || g.groups > first.back()) return fail("it has " + std::to_string(g.groups) + " groups.");
    // Channels and filters of all groups, from those operands that hold them.
    std::int64_t const channels = toInput ? second[n] * g.groups : first[n + 1];
    std::int64_t const filters = second[n + 1];
    if (channels % g.groups != 0 || filters % g.groups != 0)
        return fail(std::to_string(channels) + " channels and " + std::to_string(filters) + " filters cannot be cut into "
                    + std::to_string(g.groups) + " groups.");
    g.channels = channels / g.groups;
    g.filters = filters / g.groups;
    if (forward && second[n] != g.channels)
        return fail("a kernel " + toText(second) + " for " + std::to_string(g.channels) + " channels of a group.");
    if (toInput && first[n + 1] != filters)
        return fail("a kernel " + toText(second) + " for " + std::to_string(first[n + 1]) + " filters.");
    if (!forward && !toInput && second[0] != g.batch) return fail("operands of different batches.");
    for (std::size_t i = 0; i < n; ++i) {
        auto &axis = g.axis[ConvGeometry::kAxes - n + i];
        axis.stride = strides[i];
        axis.dilation = dilations[i];
        axis.before = before[i];
        constexpr std::int64_t kMost = std::int64_t{1} << 30;
        auto const within = [](std::int64_t number, std::int64_t least) { return number >= least && number <= kMost; };
        if (!within(axis.stride, 1) || !within(axis.dilation, 1) || !within(axis.before, 0) || !within(after[i], 0)
            || (!forward && !within(given[i], 1)))
            return fail("strides, dilations, extents or padding out of range.");
        axis.in = toInput ? given[i] : first[i + 1];
        axis.kernel = forward ? second[i] : toInput ? second[i] : given[i];
        std::int64_t const room = axis.in + axis.before + after[i] - ((axis.kernel - 1) * axis.dilation + 1);
        axis.out = room < 0 ? 0 : room / axis.stride + 1;
        if (axis.out < 1)
            return fail("a window of " + std::to_string(axis.kernel) + " does not fit " + std::to_string(axis.in) + " positions.");
        std::int64_t const have = forward ? axis.out : toInput ? first[i + 1] : second[i + 1];
        if (have != axis.out)
            return fail("an operand has " + std::to_string(have) + " positions where the windows are " + std::to_string(axis.out) + ".");
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
