#pragma once

#include "engine/core/job_context.h"
#include "engine/model/param.h"
#include "engine/project/project.h"

#include <string>

namespace tilewright::interop {

/// Takes loss, loss weights, metrics and optimizer from what Keras stores of `compile`: `training_config` of an .h5 file (Keras 1, 2 and
/// tf.keras) or `compile_config` of a .keras archive. What Tilewright does not have keeps its default, and a warning ("import.training")
/// names it. Returns whether a loss was taken.
bool takeTraining(model::Json const &config, project::Project &project, std::string const &file, JobContext const &job);

} // namespace tilewright::interop
