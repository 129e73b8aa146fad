#pragma once

#include "engine/runtime/run.h"

#include <memory>

namespace tilewright::runtime {

/// Saves the weights of a training so that none are lost. A separate thread saves them during training, at the end of an epoch and every
/// five minutes (short epochs: at most once a second, never two saves at a time), and at the end if the request asks for it. If no
/// destination can be written, they go to a rescue file. Weights that are not finite, or that do not belong to the project's model, never
/// replace others.
class WeightKeeper {
public:
    explicit WeightKeeper(WeightPlaces places);
    ~WeightKeeper();
    WeightKeeper(WeightKeeper const &) = delete;
    WeightKeeper &operator=(WeightKeeper const &) = delete;

    /// Size of the data to save: all tensors.
    struct Size {
        std::int64_t bytes = 0, tensors = 0;
    };
    /// Tests whether data of this size can be written to the destinations in addition to their present content. Called first, and again
    /// when more is known. An unwritable project is only a warning if the weights also go to a file. Errors: those of engine/core/files.h
    /// and engine/store/project_file.h; Usage "checkpoint.place" if the file exists and is not an archive.
    Status tryPlaces(Size const &size, JobContext const &job);
    /// Names of the model's tensors; all others belong to the optimizer and are optional. Without these names, the project's model is not
    /// checked for them.
    void setWeights(std::vector<std::string> names);

    /// Whether to save at the end of this epoch, or, within an epoch, whether five minutes have passed.
    bool isDue(bool epochEnded) const;
    /// Saves in the background. The next call reports a failure as a warning, and the save is retried later.
    void save(TrainingState state, JobContext const &job);
    /// Waits for the current save, which frees its copy of the weights.
    void settle();
    /// Nothing was trained: the project's checkpoint stays. A requested file is still written.
    void leaveProject();
    /// Waits for the current save and writes the final weights, unless a destination already holds them. For a cancelled job it compresses
    /// less, because the user is waiting.
    KeptWeights finish(TrainingState const &state, JobContext const &job);

private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::runtime
