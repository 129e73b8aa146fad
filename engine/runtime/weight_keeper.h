#pragma once

#include "engine/runtime/session.h"

#include <memory>

namespace tilewright::runtime {

/// Sees to it that no weights are lost. They are saved while the training goes on, by a thread of its own, at the end of
/// an epoch and every five minutes (short epochs: once a second at most, and never two saves at a time), and at the end
/// where the request wants them; what no destination takes becomes a rescue file. Weights that are not finite never take
/// the place of others.
class WeightKeeper {
public:
    explicit WeightKeeper(WeightPlaces places);
    ~WeightKeeper();
    WeightKeeper(WeightKeeper const &) = delete;
    WeightKeeper &operator=(WeightKeeper const &) = delete;

    /// Before anything else: whether the weights of the model can be written where they are to go. A project that cannot
    /// be written is a warning when the weights go to a file too. Errors: those of engine/core/files.h and
    /// engine/store/project_file.h; Usage "checkpoint.place" when the file is there and is no archive.
    Status tryPlaces(std::int64_t bytes, JobContext const &job);

    /// Whether an epoch that ended now is to be saved; inside an epoch, whether five minutes have gone by.
    bool isDue(bool epochEnded) const;
    /// In the background. What fails is told by the next call, as a warning, and tried again later.
    void save(TrainingState state, JobContext const &job);
    /// Waits for the save under way, which frees its copy of the weights.
    void settle();
    /// Nothing was trained: what the project keeps stays as it is. A file that was asked for is written all the same.
    void leaveProject();
    /// Waits for the save under way and writes these last. A cancelled job's are not packed as small as they could be: whoever
    /// asked it to stop waits.
    KeptWeights finish(TrainingState const &state, JobContext const &job);

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::runtime
