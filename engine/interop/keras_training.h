#pragma once

#include "engine/core/job_context.h"
#include "engine/model/param.h"
#include "engine/project/project.h"

#include <string>

namespace tilewright::interop {

/// Takes loss, loss weights, metrics and optimizer from what Keras stores of `compile`: `training_config` of an .h5 file (Keras 1, 2 and
/// tf.keras) or `compile_config` of a .keras archive. What Tilewright does not have keeps its default, and a warning ("import.training")
/// names it. Returns whether the config holds a loss or an optimizer, taken or not.
bool takeTraining(model::Json const &config, project::Project &project, std::string const &file, JobContext const &job);

/// The class of the optimizer in such a config, without its package: "Adam". Empty: it has none.
std::string optimizerClass(model::Json const &config);

} // namespace tilewright::interop
