#pragma once

#include "engine/graph/op_table.h"

namespace tilewright::passes {

/// Follows what the storage of every value holds when nodes run in order, in-place results and variables in
/// their own storage: reads of variables and reshapes are views, operations that update their operands write
/// where they read. Error: Internal "passes.storage" naming the node that would read something overwritten, or
/// the variable whose storage holds something never assigned to it.
Status verifyStorage(graph::Graph const &graph, graph::OpLookup const &ops);

} // namespace tilewright::passes
