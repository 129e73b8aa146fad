#pragma once

#include "engine/graph/op_table.h"

#include <span>
#include <vector>

namespace tilewright::passes {

/// Peak of live bytes while a region's nodes run in `order`, for the whole graph (before placement on tiles). A value lives from its node
/// to its last use. Views, variables and constants cost nothing. A result that can reuse an operand of its size that dies there costs
/// nothing more. `inner`: the peak of each node's own regions, by position in `order` (empty: no regions).
Bytes simulatedPeak(graph::Graph const &graph, graph::OpLookup const &ops, std::span<graph::NodeId const> order,
                    std::span<Bytes const> inner = {});

/// The same for the current order of the region, including inner loops.
Bytes regionPeak(graph::Graph const &graph, graph::OpLookup const &ops, graph::RegionId region);

/// For each node of the region (by position), the earlier positions that must stay before it: its operands, feeds in their order, and per
/// variable all reads before writes and writes before reads.
std::vector<std::vector<std::size_t>> orderConstraints(graph::Graph const &graph, graph::OpLookup const &ops, graph::RegionId region);

} // namespace tilewright::passes
