#pragma once

#include "engine/core/files.h"
#include "engine/core/job_context.h"
#include "engine/runtime/session.h"
#include "engine/store/project_file.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tilewright::runtime {

/// A checkpoint as an .npz archive: one array per state tensor under its name ("dense/kernel"), and the counters
/// "epoch" and "step" as scalars. readCheckpoint(writeCheckpoint(s)) == s.
Status writeCheckpoint(std::filesystem::path const &path, TrainingState const &state, JobContext const &job, Sync sync = Sync::Yes);
/// Errors: those of the .npz reader; Data "checkpoint.counter" when epoch or step is no whole number.
Result<TrainingState> readCheckpoint(std::filesystem::path const &path, JobContext const &job);

/// Checkpoint `last` of a `.tilewright`; none when it holds none.
Result<std::optional<TrainingState>> lastCheckpoint(std::filesystem::path const &project);
Status writeLastCheckpoint(std::filesystem::path const &project, TrainingState const &state,
                           store::Packing packing = store::Packing::Small);
/// Whether its checkpoint `last` is this state.
bool isLastCheckpoint(std::filesystem::path const &project, TrainingState const &state);
/// Epoch and step of it, without its tensors.
std::optional<store::CheckpointInfo> lastCheckpointInfo(std::filesystem::path const &project);

/// Trained weights without their values: how far they are, and their shapes by name.
struct HeldWeights {
    std::int64_t epoch = 0, step = 0, bytes = 0;
    std::map<std::string, Shape> shapes;
};
/// Those of checkpoint `last`; none when there is none that can be read.
std::optional<HeldWeights> lastHeldWeights(std::filesystem::path const &project);
HeldWeights heldWeightsOf(TrainingState const &state);
/// Whether a training of this model can go on from them: each of its weights is there, in its shape.
bool takesWeights(model::Model const &model, HeldWeights const &held);

/// What a training that begins anew has to say of the weights that it replaces, with the remedy of who tells it.
Diagnostic replacesWeights(std::string const &subject, std::int64_t epoch, std::int64_t step, Message const &remedy);
/// What one says that is to go on where no epoch is left.
Diagnostic nothingLeftToTrain(std::string const &title, std::int64_t epoch, std::int64_t epochs);

/// Bytes of an archive of so many tensors, at most.
std::int64_t archiveBytes(std::int64_t bytes, std::int64_t tensors);

} // namespace tilewright::runtime
