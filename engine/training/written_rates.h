#pragma once

#include "engine/graph/op_builder.h"
#include "engine/model/training_plan.h"

#include <map>
#include <string>

namespace tilewright::training {

/// Appends a scalar that the host writes between two executions (graph/written.h). `value`: its first one.
graph::ValueId writtenScalar(graph::OpBuilder &builder, std::string const &name, double value);
/// The name of an optimizer's learning rate by the label of its layer: "learning_rate" for "optimizer", "optimizer_1/learning_rate".
std::string rateName(std::string const &label);

/// The values of all rates of a plan at its start, by their names in the graph. They are no part of a program. A schedule is computed on
/// the device and has no such rate.
std::map<std::string, double> writtenRates(model::TrainingPlan const &plan);
/// The values that a rate is written as: itself, and what float32 does not hold of it.
std::map<std::string, double> writtenRate(std::string const &name, double rate);

} // namespace tilewright::training
