#pragma once

#include "engine/training/step_passes.h"

#include <map>
#include <string>

namespace tilewright::training {

/// Marks the learning rate of the optimizer that was applied last, so that the host can write it while the program stays (graph/written.h):
/// a rate that is used as it is, or as the operands of the step size that is computed from it. A schedule is computed on the device and has
/// no such rate.
StepPass writeRates();

/// The values of all rates of a plan at its start, by their names in the graph. They are no part of a program.
std::map<std::string, double> writtenRates(model::TrainingPlan const &plan);
/// The values that a rate is written as: itself, and what float32 does not hold of it.
std::map<std::string, double> writtenRate(std::string const &name, double rate);

} // namespace tilewright::training
