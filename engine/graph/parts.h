#pragma once

#include "engine/graph/graph.h"

namespace tilewright::graph {

/// A box of a tensor.
struct Part {
    Shape begin, size; ///< by axis
};

/// What a `slice` takes: attributes axis, start, size (all of the other axes), or starts and sizes, one per axis.
/// Error "graph.shape": it is empty or leaves the tensor.
Result<Part> sliceOf(Node const &node, Shape const &whole);

/// What a `pad` makes: the result, and where the operand is in it. Attributes before and after: zeros, one per axis.
struct Padded {
    Shape whole;
    Part part;
};
/// Error "graph.shape".
Result<Padded> padOf(Node const &node, Shape const &operand);

/// How many matrices a tensor of rank 2 or more is: the product of its extents but the last two.
std::int64_t matrixCount(Shape const &shape);

/// A tensor along one of its axes: outer x n x inner elements.
struct AxisView {
    std::int64_t outer = 1, n = 1, inner = 1;
    std::int64_t rows() const { return outer * inner; } ///< runs along the axis
};
/// The attribute `axis`; the last one without it.
std::int64_t axisOf(Node const &node, Shape const &shape);
/// Along that axis. Error "graph.shape": there is no such axis.
Result<AxisView> axisViewOf(Node const &node, Shape const &shape);

/// Elements from one index of an axis to the next.
Shape rowMajorStrides(Shape const &shape);

} // namespace tilewright::graph
