#pragma once

#include "views/runs/run_controller.h"

#include "engine/core/job_context.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <filesystem>

namespace tilewright::views {

/// At most this many test samples are looked at, and this many are kept with their values.
inline constexpr std::int64_t kPredictedSamples = 2000;
inline constexpr int kShownSamples = 64;
/// With more classes (a vocabulary) who is taken for whom is not counted: nobody could read that matrix.
inline constexpr std::int64_t kMostConfusedClasses = 1000;

/// What trained weights say of the test data, computed on the host (no device is attached, so a run may go on
/// meanwhile). Errors: those of data and model; Invalid "predict.classes" for a model that is no classifier.
Result<PredictionInfo> predictTestData(project::Project const &project, runtime::TrainingState const &state,
                                       std::filesystem::path const &baseDir, JobContext const &job);

} // namespace tilewright::views
