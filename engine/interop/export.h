#pragma once

#include "engine/core/job_context.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tilewright::interop {

/// Attribute of the root, or key of the document, by which our own files are known, and its value.
inline constexpr char kCreator[] = "creator";
inline constexpr char kCreatorName[] = "Tilewright";

/// The text of `to_json()` of Keras 2.6, with the original layers in the place of placeholders.
std::string kerasJson(model::Model const &model);

/// The project's model with these weights as `model.save("….h5")` of Keras 2 writes it: architecture, weights, the training plan as
/// `training_config`, and the state of its optimizer if the weights have one. Weights of float16 are widened. importModel() of the result
/// gives an equal model and the same bits. Nested models have been replaced by their layers. Errors: those of model::resolve; Invalid
/// "export.weights": a weight is missing or has another shape; those of hdf5Image.
Result<std::string> kerasHdf5(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job);

/// A file of an archive or of a folder.
struct OutputPart {
    std::string name, bytes;
};
/// The same as `model.save("….keras")` of Keras 2.15 writes it: metadata.json, config.json and model.weights.h5 of a zip archive. Errors as
/// kerasHdf5.
Result<std::vector<OutputPart>> kerasArchive(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job);

/// The same as a layers model of TensorFlow.js, without the optimizer's state: the document, then its shards of 4 MiB, named `stem` with
/// their numbers. Errors as kerasHdf5.
Result<std::vector<OutputPart>> tensorFlowJs(project::Project const &project, runtime::TrainingState const &weights,
                                             std::string const &name, std::string const &stem);

} // namespace tilewright::interop
