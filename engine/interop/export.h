#pragma once

#include "engine/core/job_context.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tilewright::interop {

/// Attribute of the root by which our own files are known.
inline constexpr char kCreator[] = "creator";

/// A weight of the state as float32; float16 is widened. Error Invalid "export.weights": it is missing or has another shape.
Result<std::vector<std::byte>> weightBytes(runtime::TrainingState const &state, std::string const &name, Shape const &shape);

/// The project's model with these weights as `model.save("….h5")` of Keras 2 writes it: architecture, weights, and the training plan as
/// `training_config`. Weights of float16 are widened. importModel() of the result gives an equal model and the same bits. Nested models
/// have been replaced by their layers. Errors: those of model::resolve; Invalid "export.weights": a weight is missing or has another shape;
/// those of hdf5Image.
Result<std::string> kerasHdf5(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job);

} // namespace tilewright::interop
