#pragma once

#include "engine/model/training_plan.h"

#include <vector>

namespace tilewright::model {

/// Every error of a plan for a model, the most fundamental first; checkTrainingPlan returns the first.
std::vector<Diagnostic> trainingPlanProblems(TrainingPlan const &plan, ResolvedModel const &model);

} // namespace tilewright::model
