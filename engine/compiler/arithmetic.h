#pragma once

#include "engine/graph/graph.h"

#include <cstdint>

namespace tilewright::compiler {

/// Floating-point operations of one run of a region: of a branch those of the longer body, of a loop as often as it may run.
std::int64_t countFlops(graph::Graph const &graph, graph::RegionId region);

} // namespace tilewright::compiler
