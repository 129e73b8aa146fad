#pragma once

#include "engine/graph/parts.h"

#include <optional>
#include <span>
#include <vector>

/// Shapes by axis, as numpy counts them: broadcasting, and the axes of a reduction.
namespace tilewright::graph {

/// The common shape of operands that are aligned at their last axes: along each axis all extents are equal or 1. Returns the first operand
/// that does not fit, with the shape of those before it, in `misfit`.
struct Misfit {
    Shape one, other;
};
std::optional<Shape> broadcastShape(std::span<Shape const> operands, Misfit *misfit = nullptr);
/// Whether `operand` repeated along its missing axes and its axes of extent 1 has the shape `output`.
bool broadcasts(Shape const &operand, Shape const &output);
/// `shape` with axes of extent 1 in front, `rank` in all. Requires: rank is at least the shape's.
Shape alignedTo(std::size_t rank, Shape const &shape);
/// The axes of `output` along which an operand is repeated, ascending. Requires: it broadcasts.
std::vector<std::int64_t> repeatedAxes(Shape const &operand, Shape const &output);

/// Runs along the last axis; a scalar is one run of one element.
AxisView alongLast(Shape const &shape);

/// Neighbouring axes that an operation treats alike, as one: marked or not. Axes of extent 1 are left out.
struct AxisRun {
    std::int64_t extent = 1;
    bool marked = false;
};
std::vector<AxisRun> axisRuns(Shape const &shape, std::vector<bool> const &marked);

/// The elements of an operand in the order of a broadcast's result: extents and strides of its loops, outermost first; stride 0: repeated.
struct BroadcastLoop {
    std::int64_t extent = 1, stride = 0;
};
/// Requires: the operand broadcasts. Neighbours that continue each other are one loop.
std::vector<BroadcastLoop> broadcastLoops(Shape const &operand, Shape const &output);
/// The operand's element for element `index` of the result.
std::int64_t elementOf(std::span<BroadcastLoop const> loops, std::int64_t index);

/// By axis of the operand, whether a reduction removes it: the attribute `axes`, counted from the end if negative; all without it. Error
/// "graph.shape": an empty list, a missing axis, or one named twice.
Result<std::vector<bool>> reducedAxes(Node const &node, Shape const &shape);
/// The result's shape: without the reduced axes, or with extent 1 there if the attribute `keepdims` is set.
Shape reducedShape(Node const &node, Shape const &shape, std::vector<bool> const &reduced);

} // namespace tilewright::graph
