#pragma once

#include "engine/runtime/run.h"

namespace tilewright::runtime {

/// As evaluate and predict, on the device that a training of this process has attached and does not use meanwhile: none is attached.
Result<EvaluateOutcome> evaluateBeside(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                       JobContext const &job);
Result<PredictOutcome> predictBeside(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                     JobContext const &job);

} // namespace tilewright::runtime
