#pragma once

#include "engine/runtime/session.h"

#include <memory>

namespace tilewright::runtime {

/// Sees to it that no weights are lost. They are saved while the training goes on, by a thread of its own, at the end of
/// an epoch and every five minutes (short epochs: once a second at most, and never two saves at a time), and at the end
/// where the request wants them; what no destination takes becomes a rescue file. Weights that are not finite never take
/// the place of others, nor do weights that the project's model does not have.
class WeightKeeper {
public:
    explicit WeightKeeper(WeightPlaces places);
    ~WeightKeeper();
    WeightKeeper(WeightKeeper const &) = delete;
    WeightKeeper &operator=(WeightKeeper const &) = delete;

    /// Of what is to be saved: all its tensors.
    struct Size {
        std::int64_t bytes = 0, tensors = 0;
    };
    /// Whether so much can be written where it is to go, beside what lies there. Before anything else, and again as soon as
    /// more is known. A project that cannot be written is a warning when the weights go to a file too. Errors: those of
    /// engine/core/files.h and engine/store/project_file.h; Usage "checkpoint.place" when the file is there and is no archive.
    Status tryPlaces(Size const &size, JobContext const &job);
    /// Which tensors are the model's; the others are the optimizer's, and can be done without. Without these names nobody
    /// looks whether a project's model still has them.
    void setWeights(std::vector<std::string> names);

    /// Whether an epoch that ended now is to be saved; inside an epoch, whether five minutes have gone by.
    bool isDue(bool epochEnded) const;
    /// In the background. What fails is told by the next call, as a warning, and tried again later.
    void save(TrainingState state, JobContext const &job);
    /// Waits for the save under way, which frees its copy of the weights.
    void settle();
    /// Nothing was trained: what the project keeps stays as it is. A file that was asked for is written all the same.
    void leaveProject();
    /// Waits for the save under way and writes these last, where no place holds them already. A cancelled job's are not packed as small as
    /// they could be: whoever asked it to stop waits.
    KeptWeights finish(TrainingState const &state, JobContext const &job);

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::runtime
