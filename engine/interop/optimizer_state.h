#pragma once

#include "engine/core/job_context.h"
#include "engine/interop/hdf5_contents.h"
#include "engine/interop/import.h"
#include "engine/model/resolve.h"

#include <string>

namespace tilewright::interop {

/// Takes the optimizer's arrays out of an .h5 file (`optimizer_weights`) or out of model.weights.h5 (`optimizer/vars`), in the order of the
/// file. None if the file has none.
OptimizerArrays takeOptimizer(Hdf5Contents &contents, std::string const &className);

/// Adds the optimizer's state to the weights of an import: "iterations" and "dense/kernel/m". The arrays match by their names, or by their
/// order and shapes. Those of another optimizer, or of other shapes, are left out with a warning ("import.optimizer").
void addOptimizerState(OptimizerArrays arrays, project::Project const &project, model::ResolvedModel const &model,
                       runtime::TrainingState &state, std::string const &file, JobContext const &job);

} // namespace tilewright::interop
