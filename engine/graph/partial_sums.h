#pragma once

#include "engine/graph/op_table.h"

#include <string_view>

/// The type of partial sums, an attribute of summing nodes. float32 without the attribute.
namespace tilewright::graph {

/// Operations that may have the attribute `half_partials`, on float16 operands.
enum class PartialSums : std::uint8_t { None, Product, Convolution, Axis };
PartialSums partialSumsOf(std::string_view op);
inline bool sumsPartially(std::string_view op) { return partialSumsOf(op) != PartialSums::None; }

/// The attribute `half_partials`: groups of so many inputs are summed in float32 and added to the sum so far, which is stored as float16.
/// 0: no attribute. The pass `precision` writes it from partialsType.
///
/// Inputs are counted along the summed dimension: the inner dimension of a product; the channels of a convolution (in its input gradient
/// the filters) at one element of the kernel; the positions of one image in a weight gradient.
std::int64_t halfPartials(Node const &node);
void setHalfPartials(Node &node, std::int64_t inputs);
AttrSpec halfPartialsAttribute(); ///< declared by those operations

/// Whether a node sums many values and stores the result as float16, with partial sums of either type. The order of the additions then
/// decides the last bit.
bool roundsSums(Graph const &graph, Node const &node);

/// Number of stores per result element during the sum; 1 without the attribute.
std::int64_t partialStores(Graph const &graph, Node const &node);

/// Flag of norm.whiten: the variance of a group is the mean of its squares minus the square of its mean, at least 0. Without it, the mean
/// of the squared distances from the mean, which needs a second pass over the elements and loses no digits where the mean is large. The
/// pass `precision` writes it unless norms.use_stable_statistics is on.
inline constexpr char const *kOnePass = "one_pass";

/// A problem with the attribute `half_partials`, or "".
Message partialsProblem(Graph const &graph, Node const &node);

} // namespace tilewright::graph
