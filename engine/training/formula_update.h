#pragma once

#include "engine/training/optimizer_builder.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tilewright::training {

/// A state of the optimizer itself.
struct ScalarState {
    std::string symbol; ///< in the formula
    graph::VariableId variable;
    graph::ValueId value;
    graph::ValueId next; ///< after the update; invalid: unchanged
};

/// What the updates of a stage's weights share.
struct UpdateStage {
    std::string label; ///< the layer of the shared nodes
    graph::ValueId iterations;
    graph::ValueId stepSize;
    graph::ValueId momentum; ///< invalid: a number
    graph::ValueId gate;     ///< 0: nothing changes; invalid: no gate
    std::vector<ScalarState> scalars;
    std::map<std::string, graph::ValueId> shared; ///< scalars that are computed once, by the text of their operation
    std::set<std::uint32_t> common;               ///< values that do not depend on a weight
};

/// Appends the update of one weight by OptimizerSpec::update. Each part of the formula is computed where it is cheapest: what depends on
/// arguments alone, now; on the number of the update, as an opt.coefficient in double; on other scalars, once per stage; the rest is one
/// opt.update of the elements. A norm needs a sum over all elements first: its operand is computed by elementwise nodes. Error: Invalid
/// "formula.text".
Status updateByFormula(graph::OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, UpdateStage &stage,
                       std::vector<layers::SlotVariable> &made);

} // namespace tilewright::training
