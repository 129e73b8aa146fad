#pragma once

#include "engine/core/job_context.h"
#include "engine/runtime/session.h"

#include <filesystem>

namespace tilewright::cli {

/// A checkpoint as an .npz archive: one array per state tensor under its name ("dense/kernel"), and the counters
/// "epoch" and "step" as scalars. readCheckpoint(writeCheckpoint(s)) == s.
Status writeCheckpoint(std::filesystem::path const &path, runtime::TrainingState const &state, JobContext const &job);
/// Errors: those of the .npz reader; Data "checkpoint.counter" when epoch or step is no whole number.
Result<runtime::TrainingState> readCheckpoint(std::filesystem::path const &path, JobContext const &job);

} // namespace tilewright::cli
