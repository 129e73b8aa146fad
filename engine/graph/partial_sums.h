#pragma once

#include "engine/graph/op_table.h"

#include <string_view>

/// The type of partial sums, an attribute of the nodes that sum many things up. float32 where there is none, whatever is summed.
namespace tilewright::graph {

/// What may have the attribute `half_partials`, on float16 operands.
enum class PartialSums : std::uint8_t { None, Product, Convolution, Axis };
PartialSums partialSumsOf(std::string_view op);
inline bool sumsPartially(std::string_view op) { return partialSumsOf(op) != PartialSums::None; }

/// The attribute `half_partials`: so many inputs are summed in float32; what they add up to is put on the sum so far, which is
/// then stored as float16. 0: there is none. The pass `precision` writes it from partialsType.
///
/// Inputs are counted along what is summed: the inner dimension of a product; in a convolution the channels (in its input
/// gradient the filters) at one element of the kernel; in a weight gradient the positions of one image.
std::int64_t halfPartials(Node const &node);
void setHalfPartials(Node &node, std::int64_t inputs);
AttrSpec halfPartialsAttribute(); ///< what those operations declare

/// Whether a node sums many things up and stores that as float16, with partial sums of either type: the order in which they
/// are put together then decides the last bit of it.
bool roundsSums(Graph const &graph, Node const &node);

/// How often an element of the result is stored until all is summed; 1 without the attribute.
std::int64_t partialStores(Graph const &graph, Node const &node);

/// "" or what is wrong with the attribute.
Message partialsProblem(Graph const &graph, Node const &node);

} // namespace tilewright::graph
