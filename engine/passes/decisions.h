#pragma once

#include "engine/graph/op_table.h"

namespace tilewright::passes {

/// Whether what decides an `if` or a `while` is the same number on every replica, so that all of them take the same way: it
/// comes from constants, from sums over replicas, and from variables that nothing else is assigned to. Error: Invalid
/// "passes.decision".
Status verifyDecisions(graph::Graph const &graph, graph::OpLookup const &ops);

} // namespace tilewright::passes
