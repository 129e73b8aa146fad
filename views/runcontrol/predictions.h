#pragma once

#include "views/runcontrol/run_controller.h"

#include "engine/core/job_context.h"
#include "engine/data/tensor_data.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <filesystem>

namespace tilewright::views {

/// Maximum number of test samples to predict, and of samples kept with their values.
inline constexpr std::int64_t kPredictedSamples = 2000;
inline constexpr int kShownSamples = 64;
/// With more classes (a vocabulary) no confusion matrix is made, because it would be unreadable.
inline constexpr std::int64_t kMostConfusedClasses = 1000;

/// The label of one of a record's positions: a class number, or the largest of a one-hot row; -1 where there is none.
int labelOf(data::DataArray const &y, std::int64_t record, std::int64_t position, std::int64_t positions);

/// Predictions of trained weights for the test data, computed on the host (no device is attached, so a run may continue). Errors: those of
/// data and model; Invalid "predict.classes" for a model that is not a classifier.
Result<PredictionInfo> predictTestData(project::Project const &project, runtime::TrainingState const &state,
                                       std::filesystem::path const &baseDir, JobContext const &job);

} // namespace tilewright::views
