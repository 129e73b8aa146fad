#pragma once

#include "engine/graph/op_table.h"

namespace tilewright::passes {

/// Simulates the content of every value's storage while nodes run in order, with in-place results and variables in their own storage: reads
/// of variables and reshapes are views, and updating operations write to the storage they read. Error: Internal "passes.storage" with the
/// node that would read overwritten data, or the variable whose storage holds something never assigned to it.
Status verifyStorage(graph::Graph const &graph, graph::OpLookup const &ops);

} // namespace tilewright::passes
