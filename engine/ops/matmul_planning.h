#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::ops {

/// Extents of a `matmul` or `batch_matmul`: the number of products, and m x k x n.
struct ProductDims {
    std::int64_t batch = 1, m = 1, k = 1, n = 1;
    bool batched = false; ///< `batch_matmul`: the number of products is a dimension of the operands, even if it is 1
    bool ta = false, tb = false;
};
ProductDims productDims(graph::Graph const &graph, graph::Node const &node);

/// A product with a weight matrix leads the products of the same weights. A data gradient joins by the weights, a weight gradient by layer
/// and problem. All other products are planned alone.
lowering::PlanTraits productTraits(lowering::LowerContext const &ctx, graph::NodeId node);

/// Plans the products of one weight matrix (or of the matrices of a body's calls) jointly. Lays the weights where their products run, and
/// other variables and feeds beside their readers (as createMatMulInput does).
lowering::OpPlan planProducts(lowering::LowerContext &ctx, lowering::PlanGroup const &group);

} // namespace tilewright::ops
