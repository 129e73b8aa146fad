#pragma once

#include "engine/graph/graph.h"

namespace tilewright::graph {

/// A box of a tensor.
struct Part {
    Shape begin, size; ///< by axis
};

/// The part that a `slice` reads: attributes axis, start, size (whole other axes), or starts and sizes, one per axis. Error "graph.shape":
/// an empty part, or one outside the tensor.
Result<Part> sliceOf(Node const &node, Shape const &whole);

/// The result of a `pad` and the position of its operand in it. Attributes before and after: zeros, one per axis.
struct Padded {
    Shape whole;
    Part part;
};
/// Error "graph.shape".
Result<Padded> padOf(Node const &node, Shape const &operand);

/// Number of matrices in a tensor of rank 2 or more: the product of all extents except the last two.
std::int64_t matrixCount(Shape const &shape);

/// A tensor along one axis: outer x n x inner elements.
struct AxisView {
    std::int64_t outer = 1, n = 1, inner = 1;
    std::int64_t rows() const { return outer * inner; } ///< runs along the axis
};
/// The attribute `axis`; by default the last axis.
std::int64_t axisOf(Node const &node, Shape const &shape);
/// View along that axis. Error "graph.shape": a missing axis.
Result<AxisView> axisViewOf(Node const &node, Shape const &shape);

/// Distance in elements between neighbours along each axis.
Shape rowMajorStrides(Shape const &shape);

} // namespace tilewright::graph
