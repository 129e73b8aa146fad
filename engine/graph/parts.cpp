#include "engine/graph/parts.h"

namespace tilewright::graph {

Result<Part> sliceOf(Node const &node, Shape const &whole)
{
    Part part;
    bool fits = true;
    if (node.attrs.has("starts")) {
        part = {node.attrs.integers("starts"), node.attrs.integers("sizes")};
        fits = part.begin.size() == whole.size() && part.size.size() == whole.size();
    } else {
        part = {Shape(whole.size(), 0), whole};
        auto const axis = node.attrs.integer("axis");
        fits = axis >= 0 && axis < static_cast<std::int64_t>(whole.size());
        if (fits) {
            part.begin[static_cast<std::size_t>(axis)] = node.attrs.integer("start");
            part.size[static_cast<std::size_t>(axis)] = node.attrs.integer("size");
        }
    }
    for (std::size_t i = 0; fits && i < whole.size(); ++i)
        fits = part.begin[i] >= 0 && part.size[i] >= 1 && part.begin[i] <= whole[i] && part.size[i] <= whole[i] - part.begin[i];
    if (!fits) return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("the slice is outside %1.", toText(whole)));
    return part;
}

Result<Padded> padOf(Node const &node, Shape const &operand)
{
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    auto const before = node.attrs.integers("before"), after = node.attrs.integers("after");
    bool fits = before.size() == operand.size() && after.size() == operand.size();
    Padded padded;
    padded.part = {before, operand};
    for (std::size_t i = 0; fits && i < operand.size(); ++i) {
        fits = before[i] >= 0 && after[i] >= 0 && before[i] < kMost && after[i] < kMost;
        if (fits) padded.whole.push_back(before[i] + operand[i] + after[i]);
    }
    if (!fits)
        return makeError(ErrorKind::Invalid, "graph.shape", node.name,
                         Message::of("padding must be given as zeros before and after each axis of %1.", toText(operand)));
    return padded;
}

std::int64_t axisOf(Node const &node, Shape const &shape)
{
    auto const axis = node.attrs.integer("axis", -1);
    return axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis;
}

Result<AxisView> axisViewOf(Node const &node, Shape const &shape)
{
    auto const rank = static_cast<std::int64_t>(shape.size());
    auto const axis = axisOf(node, shape);
    if (axis < 0 || axis >= rank)
        return makeError(ErrorKind::Invalid, "graph.shape", node.name,
                         Message::of("%1 has no axis %2.", toText(shape), node.attrs.integer("axis", -1)));
    AxisView view;
    for (std::int64_t i = 0; i < rank; ++i) (i < axis ? view.outer : i > axis ? view.inner : view.n) *= shape[static_cast<std::size_t>(i)];
    return view;
}

std::int64_t matrixCount(Shape const &shape)
{
    std::int64_t n = 1;
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) n *= shape[i];
    return n;
}

Shape rowMajorStrides(Shape const &shape)
{
    Shape strides(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
}

} // namespace tilewright::graph
