#pragma once

#include "engine/core/result.h"
#include "engine/graph/graph.h"
#include "engine/model/resolve.h"
#include "engine/target/machine.h"

namespace tilewright::compiler {

// A tensor far beyond the target's memory ends a compile before the graph is planned: sizes and cycles of such a program would leave the
// range of the numbers that hold them. What is only somewhat too large is compiled, and its report says where it does not fit.
// Error: DoesNotFit "compile.tensor-too-large", with both figures.

/// Outputs and weights of a model in batches of `batch` samples.
Status requireTensorsInReach(model::ResolvedModel const &model, std::int64_t batch, target::Machine const &machine);
/// Variables and values of a graph.
Status requireTensorsInReach(graph::Graph const &graph, target::Machine const &machine);
Status requireTensorInReach(std::string const &name, Shape const &shape, DType type, target::Machine const &machine);

} // namespace tilewright::compiler
