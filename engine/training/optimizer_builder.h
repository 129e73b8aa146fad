#pragma once

#include "engine/layers/step_graph.h"
#include "engine/model/optimizers.h"

#include <span>
#include <string>

namespace tilewright::training {

/// The update of one weight under construction.
struct UpdateTarget {
    graph::VariableId weight;
    graph::ValueId value; ///< the current weight
    graph::ValueId gradient;
    graph::ValueId stepSize; ///< scalar, on the weight's stage
    graph::ValueId momentum; ///< the same, where the host writes it
};

/// How updates are built: by the loops and codelets of their own that some classes have, or all by their formulas.
enum class Updates { Fastest, ByFormula };

struct OptimizerState {
    std::vector<graph::VariableId> iterations;        ///< one per stage with trainable weights, lowest stage first
    std::vector<layers::SlotVariable> optimizerSlots; ///< weight by weight
};

/// Appends the update of every weight to the builder's region and adds the state variables. `gradients` belong to `weights` one by one.
/// Each stage has its own counter of updates (section 6 of the layers guide). `label`: the layer of its nodes and counters, "optimizer" for
/// the first. `gate`: 0 leaves everything as it is (StepGraph::updates); invalid: none. Error: Invalid "layers.optimizer" if the plan has
/// no optimizer.
Result<OptimizerState> buildOptimizer(graph::OpBuilder &context, model::Optimizer const &optimizer, std::string const &label,
                                      std::span<graph::VariableId const> weights, std::span<graph::ValueId const> gradients,
                                      Updates updates = Updates::Fastest, graph::ValueId gate = {});

} // namespace tilewright::training
