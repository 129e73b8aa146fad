#pragma once

#include "engine/graph/op_builder.h"
#include "engine/model/training_plan.h"

#include <map>
#include <string>

namespace tilewright::training {

/// Appends a scalar that the host writes between two executions (graph/written.h). `value`: its first one.
graph::ValueId writtenScalar(graph::OpBuilder &builder, std::string const &name, double value);
/// The name of an optimizer's value by the label of its layer: "learning_rate" for "optimizer", "optimizer_1/learning_rate".
std::string writtenName(std::string const &label, char const *value);
/// Whether the host writes this optimizer's momentum. One that is 0 has no state, and another program.
bool writesMomentum(model::Optimizer const &optimizer);

/// All written values of a plan at its start, by their names in the graph. They are no part of a program. A schedule is computed on
/// the device and has no such rate; an automatic loss scale is a variable.
std::map<std::string, double> writtenValues(model::TrainingPlan const &plan);
/// The numbers that a value is written as: a rate, and what float32 does not hold of it; a loss scale and its inverse; a momentum.
std::map<std::string, double> writtenParts(std::string const &name, double value);
/// Whether it is the second number of a value.
bool isWrittenPart(std::string_view name);
/// The plan without them: what a program depends on.
model::TrainingPlan withoutWritten(model::TrainingPlan plan);

} // namespace tilewright::training
