#pragma once

#include "engine/training/optimizer_builder.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::training {

/// An optimizer whose updates have operations of their own, with faster loops and codelets than its formula. Optional: a test compares each
/// with the formula of its class.
struct SpecialUpdate {
    std::string_view className;
    char const *stepKind; ///< of opt.step_size
    void (*update)(graph::OpBuilder &, model::Optimizer const &, UpdateTarget const &, std::vector<layers::SlotVariable> &made);
};
/// Null: the class has only its formula.
SpecialUpdate const *findSpecialUpdate(std::string_view className);

/// "dense/kernel/rms": a state beside the weight.
graph::VariableId slotVariable(graph::OpBuilder &c, graph::VariableId weight, std::string const &slot, double initial = 0.0,
                               std::optional<DType> type = {});
/// Of graph::Variable; empty for zeros.
std::string constantInitializer(double value);

} // namespace tilewright::training
