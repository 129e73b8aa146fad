#include "engine/graph/axes.h"

#include <algorithm>

namespace tilewright::graph {

Shape alignedTo(std::size_t rank, Shape const &shape)
{
    Shape wide(rank - shape.size(), 1);
    wide.insert(wide.end(), shape.begin(), shape.end());
    return wide;
}

std::optional<Shape> broadcastShape(std::span<Shape const> operands, Misfit *misfit)
{
    Shape common;
    for (auto const &operand : operands) {
        auto const rank = std::max(common.size(), operand.size());
        Shape merged = alignedTo(rank, common);
        Shape const wide = alignedTo(rank, operand);
        for (std::size_t i = 0; i < rank; ++i) {
            if (merged[i] != wide[i] && merged[i] != 1 && wide[i] != 1) {
                if (misfit) *misfit = {common, operand};
                return {};
            }
            if (merged[i] == 1) merged[i] = wide[i];
        }
        common = std::move(merged);
    }
    return common;
}

bool broadcasts(Shape const &operand, Shape const &output)
{
    if (operand.size() > output.size()) return false;
    Shape const wide = alignedTo(output.size(), operand);
    return std::ranges::equal(wide, output, [](std::int64_t own, std::int64_t extent) { return own == extent || own == 1; });
}

std::vector<std::int64_t> repeatedAxes(Shape const &operand, Shape const &output)
{
    Shape const wide = alignedTo(output.size(), operand);
    std::vector<std::int64_t> axes;
    for (std::size_t i = 0; i < wide.size(); ++i)
        if (wide[i] != output[i]) axes.push_back(static_cast<std::int64_t>(i));
    return axes;
}

AxisView alongLast(Shape const &shape)
{
    if (shape.empty()) return {};
    return {elementCount({shape.begin(), shape.end() - 1}), shape.back(), 1};
}

std::vector<AxisRun> axisRuns(Shape const &shape, std::vector<bool> const &marked)
{
    std::vector<AxisRun> runs;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1) continue;
        if (!runs.empty() && runs.back().marked == marked[i]) runs.back().extent *= shape[i];
        else runs.push_back({shape[i], marked[i]});
    }
    return runs;
}

std::vector<BroadcastLoop> broadcastLoops(Shape const &operand, Shape const &output)
{
    Shape const wide = alignedTo(output.size(), operand);
    std::vector<bool> repeated;
    for (std::size_t i = 0; i < wide.size(); ++i) repeated.push_back(wide[i] != output[i]);
    std::vector<BroadcastLoop> loops;
    for (auto const &run : axisRuns(output, repeated)) loops.push_back({run.extent, run.marked ? 0 : 1});
    std::int64_t stride = 1;
    for (std::size_t i = loops.size(); i-- > 0;) {
        if (loops[i].stride == 0) continue;
        loops[i].stride = stride;
        stride *= loops[i].extent;
    }
    return loops;
}

std::int64_t elementOf(std::span<BroadcastLoop const> loops, std::int64_t index)
{
    std::int64_t element = 0;
    for (std::size_t i = loops.size(); i-- > 0;) {
        element += index % loops[i].extent * loops[i].stride;
        index /= loops[i].extent;
    }
    return element;
}

Result<std::vector<bool>> reducedAxes(Node const &node, Shape const &shape)
{
    if (!node.attrs.has("axes")) return std::vector<bool>(shape.size(), true);
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    auto const axes = node.attrs.integers("axes");
    if (axes.empty()) return fail(Message::of("axes is an empty list; without it, all axes are reduced."));
    auto const rank = static_cast<std::int64_t>(shape.size());
    std::vector<bool> reduced(shape.size(), false);
    for (auto const axis : axes) {
        auto const at = axis < 0 ? axis + rank : axis;
        if (at < 0 || at >= rank) return fail(Message::of("%1 has no axis %2.", toText(shape), axis));
        if (reduced[static_cast<std::size_t>(at)]) return fail(Message::of("axis %1 is listed twice.", axis));
        reduced[static_cast<std::size_t>(at)] = true;
    }
    return reduced;
}

Shape reducedShape(Node const &node, Shape const &shape, std::vector<bool> const &reduced)
{
    Shape out;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (!reduced[i]) out.push_back(shape[i]);
        else if (node.attrs.flag("keepdims")) out.push_back(1);
    }
    return out;
}

} // namespace tilewright::graph
