#pragma once

#include "engine/core/files.h"
#include "engine/core/job_context.h"
#include "engine/runtime/run.h"
#include "engine/store/project_file.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tilewright::runtime {

/// A checkpoint as an .npz archive: one array per state tensor under its name ("dense/kernel"), and the counters "epoch" and "step" as
/// scalars. readCheckpoint(writeCheckpoint(s)) == s.
Status writeCheckpoint(std::filesystem::path const &path, TrainingState const &state, JobContext const &job, Sync sync = Sync::Yes);
/// Errors: those of the .npz reader; Data "checkpoint.counter" if epoch or step is not a whole number.
Result<TrainingState> readCheckpoint(std::filesystem::path const &path, JobContext const &job);

/// Whether the file is an archive with the counters of a checkpoint.
bool isCheckpointFile(std::filesystem::path const &path);

/// Checkpoint `last` of a `.tilewright`; nullopt if there is none.
Result<std::optional<TrainingState>> lastCheckpoint(std::filesystem::path const &project);
Status writeLastCheckpoint(std::filesystem::path const &project, TrainingState const &state,
                           store::Packing packing = store::Packing::Small);
/// Whether the project's checkpoint `last` equals this state.
bool isLastCheckpoint(std::filesystem::path const &project, TrainingState const &state);
/// Epoch and step of checkpoint `last`, without its tensors.
std::optional<store::CheckpointInfo> lastCheckpointInfo(std::filesystem::path const &project);

/// Description of trained weights without their values: progress, and shapes by name.
struct HeldWeights {
    std::int64_t epoch = 0, step = 0, bytes = 0;
    std::map<std::string, Shape> shapes;
};
/// The weights of checkpoint `last`; nullopt if none is readable.
std::optional<HeldWeights> lastHeldWeights(std::filesystem::path const &project);
HeldWeights heldWeightsOf(TrainingState const &state);
/// Whether a training of this model can continue from them: it needs each of its weights in the same shape.
bool takesWeights(model::Model const &model, HeldWeights const &held);

/// The notice of a new training that replaces trained weights. The caller provides the remedy.
Diagnostic replacesWeights(std::string const &subject, std::int64_t epoch, std::int64_t step, Message const &remedy);
/// The notice that no epoch is left to continue.
Diagnostic nothingLeftToTrain(std::string const &title, std::int64_t epoch, std::int64_t epochs);

/// Upper bound of the size of an archive with this number of tensors.
std::int64_t archiveBytes(std::int64_t bytes, std::int64_t tensors);

} // namespace tilewright::runtime
