#pragma once

#include "engine/core/result.h"
#include "engine/graph/graph.h"
#include "engine/model/resolve.h"
#include "engine/target/machine.h"

namespace tilewright::compiler {

// A compile refuses a tensor that is far larger than the target's memory before it plans the graph, because sizes and cycles of such a
// program could overflow. A model that is only somewhat too large is compiled, and its report shows where it does not fit.
// Error: DoesNotFit "compile.tensor-too-large", with both figures.

/// Outputs and weights of a model in batches of `batch` samples.
Status requireTensorsInReach(model::ResolvedModel const &model, std::int64_t batch, target::Machine const &machine);
/// Variables and values of a graph.
Status requireTensorsInReach(graph::Graph const &graph, target::Machine const &machine);
Status requireTensorInReach(std::string const &name, Shape const &shape, DType type, target::Machine const &machine);

} // namespace tilewright::compiler
