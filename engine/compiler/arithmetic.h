#pragma once

#include "engine/graph/graph.h"

#include <cstdint>

namespace tilewright::compiler {

/// Floating-point operations of one run of a region: for a branch those of the longer body, for a loop those of its maximum number of
/// rounds.
std::int64_t countFlops(graph::Graph const &graph, graph::RegionId region);

} // namespace tilewright::compiler
