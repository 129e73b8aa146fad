#pragma once

#include "engine/graph/op_table.h"

#include <vector>

namespace tilewright::passes {

/// By value: 1 where replicas may have different numbers. Equal are constants, sums over replicas, variables to which nothing
/// else is assigned, and what is computed of those alone.
std::vector<char> valuesThatDiffer(graph::Graph const &graph, graph::OpLookup const &ops);

/// Whether what decides an `if` or a `while` is the same number on every replica, so that all of them take the same way.
/// Error: Invalid "passes.decision".
Status verifyDecisions(graph::Graph const &graph, graph::OpLookup const &ops);

} // namespace tilewright::passes
