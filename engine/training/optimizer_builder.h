#pragma once

#include "engine/layers/step_graph.h"
#include "engine/model/optimizers.h"

#include <functional>
#include <span>
#include <string_view>

namespace tilewright::training {

/// The update of one weight under construction.
struct UpdateTarget {
    graph::VariableId weight;
    graph::ValueId value; ///< the current weight
    graph::ValueId gradient;
    graph::ValueId stepSize; ///< scalar, on the weight's stage
};

/// One optimizer class: the step size of an update, and the update of one weight.
struct OptimizerBuilder {
    std::string className;
    char const *stepKind; ///< of opt.step_size
    std::function<void(graph::OpBuilder &, model::Optimizer const &, UpdateTarget const &, std::vector<layers::SlotVariable> &made)> update;
};
std::span<OptimizerBuilder const> builtinOptimizerBuilders();

struct OptimizerState {
    std::vector<graph::VariableId> iterations;        ///< one per stage with trainable weights, lowest stage first
    std::vector<layers::SlotVariable> optimizerSlots; ///< weight by weight
};

/// Appends the update of every weight to the builder's region and adds the state variables. `gradients` belong to `weights` one by one.
/// Each stage has its own counter of updates (section 6 of the layers guide). `label`: the layer of its nodes and counters, "optimizer" for
/// the first. Error: Invalid "layers.optimizer" if the class cannot be built.
Result<OptimizerState> buildOptimizer(graph::OpBuilder &context, model::Optimizer const &optimizer, std::string const &label,
                                      std::span<graph::VariableId const> weights, std::span<graph::ValueId const> gradients);

} // namespace tilewright::training
