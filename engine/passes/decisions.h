#pragma once

#include "engine/graph/op_table.h"

#include <vector>

namespace tilewright::passes {

/// By value: 1 if replicas may have different numbers. Equal on all replicas: constants, sums over replicas, variables with equal
/// assignments only, and results computed from those alone.
std::vector<char> valuesThatDiffer(graph::Graph const &graph, graph::OpLookup const &ops);

/// Checks that the predicate of every `if` and `while` is equal on all replicas, so that all take the same branch. Error: Invalid
/// "passes.decision".
Status verifyDecisions(graph::Graph const &graph, graph::OpLookup const &ops);

} // namespace tilewright::passes
