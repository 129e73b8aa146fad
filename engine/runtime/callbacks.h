#pragma once

#include "engine/model/callbacks.h"
#include "engine/runtime/run.h"

#include <functional>
#include <memory>
#include <optional>

namespace tilewright::runtime {

/// What callbacks do with the training that calls them.
struct CallbackActions {
    std::function<TrainingState()> weights;                   ///< without the optimizer's state
    std::function<TrainingState()> state;                     ///< with it, and the counters
    std::function<void(TrainingState &)> addRun;              ///< adds what no variable holds (run_state.h)
    std::function<Status(TrainingState const &)> loadWeights; ///< leaves the optimizer's state
    std::function<std::optional<double>()> rate;
    std::function<Status(double rate, std::string const &callback)> setRate;
    std::function<void(std::string const &callback, std::string text, bool print)> tell;
    std::filesystem::path folder;            ///< of their files
    std::int64_t firstEpoch = 0, epochs = 0; ///< of the run, from 0
    std::int64_t unvalidatedEpoch = 0;       ///< the first epoch of the run without validation, from 1; 0: none, or no validation at all
};

/// The callbacks of a training plan, called in their order. Arguments, messages and the counting of epochs are Keras's.
class Callbacks {
public:
    class One;

    Callbacks();
    ~Callbacks();
    /// Creates folders and checks that every file can be written. Errors: those of engine/core/files.h; model.bad-argument for a pattern.
    /// `logged`: names of the values that each epoch reports.
    Status begin(std::vector<model::Callback> const &callbacks, std::vector<std::string> const &logged, CallbackActions actions);
    /// Before an epoch, counted from 1.
    Status beginEpoch(std::int64_t epoch);
    /// After an epoch, with its validation. Errors end the training: a file that cannot be written.
    Status endEpoch(EpochResult const &result, JobContext const &job);
    /// Counters, best values and best weights of a checkpoint: with them a resumed training continues as if it had never stopped.
    model::Json save(TrainingState &weights) const;
    /// Gives each callback the state of its class, number and monitored value; one without a state begins anew.
    void load(model::Json const &saved, TrainingState const &weights);
    /// Whether a callback acts within epochs.
    bool wantBatches() const;
    /// After each execution: the epoch, its finished micro-batches, how many of them are new, and the means so far.
    Status endBatches(std::int64_t epoch, std::int64_t batch, std::int64_t more, EpochResult const &means, JobContext const &job);
    /// After the last epoch. `whole`: nothing was left to train.
    void endTraining(bool whole);
    /// The callback that ends the training; empty: none.
    std::string const &endedBy() const { return m_endedBy; }
    /// Whether a loss that is not finite ends the training without an error; `batch`: from 0, within the epoch.
    bool takesNotFinite(std::int64_t batch);
    bool endedAtNotFinite() const { return m_endedAtNotFinite; }
    /// After the epoch in which takesNotFinite ended the training. Errors: those of endEpoch.
    Status endAtNotFinite(EpochResult const &result, JobContext const &job);

private:
    CallbackActions m_actions;
    std::vector<std::unique_ptr<One>> m_all;
    bool m_terminatesOnNaN = false, m_endedAtNotFinite = false;
    std::string m_endedBy;
};

/// The state that BackupAndRestore left in this folder when a training did not end; nullopt: none. Errors: those of readCheckpoint.
Result<std::optional<TrainingState>> backupOf(std::vector<model::Callback> const &callbacks, std::filesystem::path const &folder,
                                              JobContext const &job);

} // namespace tilewright::runtime
