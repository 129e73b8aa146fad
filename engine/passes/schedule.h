#pragma once

#include "engine/graph/op_table.h"

#include <span>
#include <vector>

namespace tilewright::passes {

/// Live bytes while a region's nodes run in `order`, by the whole-graph model (placement on tiles comes later):
/// a value lives from its node to its last use; views, variables and constants cost nothing; a result that can
/// take over an operand of its size that dies there costs nothing more. `inner` is the peak of each node's own
/// regions, by position in `order` (empty: none has any).
Bytes simulatedPeak(graph::Graph const &graph, graph::OpLookup const &ops, std::span<graph::NodeId const> order,
                    std::span<Bytes const> inner = {});

/// The same for the region as it stands, loops inside included.
Bytes regionPeak(graph::Graph const &graph, graph::OpLookup const &ops, graph::RegionId region);

/// For each node of the region (by position) the earlier positions that must stay before it: its operands,
/// feeds in their order, and per variable everything that reads before what writes, and writes before reads.
std::vector<std::vector<std::size_t>> orderConstraints(graph::Graph const &graph, graph::OpLookup const &ops, graph::RegionId region);

} // namespace tilewright::passes
