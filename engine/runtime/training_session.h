#pragma once

#include "engine/compiler/warning_tap.h"
#include "engine/device/registry.h"
#include "engine/runtime/callbacks.h"
#include "engine/runtime/data_reader.h"
#include "engine/runtime/evaluator.h"
#include "engine/runtime/host_record.h"
#include "engine/runtime/metric_totals.h"
#include "engine/runtime/ordered_calls.h"
#include "engine/runtime/replica_seam.h"
#include "engine/runtime/run_report.h"
#include "engine/runtime/session_parts.h"
#include "engine/runtime/tail_batch.h"
#include "engine/runtime/weight_keeper.h"

#include <chrono>

namespace tilewright::runtime {

/// A training that a caller drives: prepare, run until a condition holds, read or write variables, run again, finish. `train` runs it to
/// its end. Runs that are cut anywhere give the same weights, losses and report as one run.
class TrainingSession {
public:
    /// Checks the data and the places of the results, compiles, attaches a device and loads the first state. If the training ends before
    /// its first step (does not fit, cancelled, compiled only), it is over and `finish` returns why. Requires: request, observer and the
    /// sink of the job's warnings outlive it. Errors: those of compile, data and devices.
    static Result<std::unique_ptr<TrainingSession>> prepare(project::Project const &project, RunRequest const &request,
                                                            RunObserver const &observer, JobContext const &job);
    ~TrainingSession();
    TrainingSession(TrainingSession const &) = delete;
    TrainingSession &operator=(TrainingSession const &) = delete;

    /// How far to run; what is not set does not bound the run.
    struct Stretch {
        std::optional<std::int64_t> steps = {};  ///< micro-batches, rounded down to whole weight updates (at least one)
        std::optional<std::int64_t> epochs = {}; ///< ends of epochs
        std::function<bool()> predicate = {};    ///< called after each execution; true ends the run
        /// Tile mode: supersteps since the start, as Until::superstep. The run may end within an execution, which the next run continues.
        std::optional<std::int64_t> superstep = {};
    };
    /// Runs to the end of the stretch or of the training. A failure, a cancelled job and numbers that are not finite end the training.
    void run(Stretch const &stretch);
    void run() { run(Stretch()); }
    /// Whether nothing is left to run.
    bool over() const;
    std::int64_t step() const { return m_step; } ///< micro-batches since the start of training
    float loss() const { return m_loss; }        ///< of the last micro-batch, the mean over replicas
    /// The variables of the training. Requires: not over before the first step.
    Session &session();

    /// Saves weights and report and releases the device. Call once.
    TrainOutcome finish();

private:
    using Clock = std::chrono::steady_clock;

    /// The epoch in progress.
    struct Epoch {
        std::int64_t number = 0; ///< from 0
        std::vector<std::uint32_t> order;
        std::int64_t from = 0, steps = 0; ///< first micro-batch of the order, and how many this run trains
        std::int64_t stepAtStart = 0;
        Clock::time_point start;
        double heldBefore = 0;
        Cycles cyclesBefore = 0;
        std::optional<HostRecord::Span> span;
    };

    TrainingSession(project::Project const &project, RunRequest const &request, RunObserver const &observer, JobContext const &job);
    // prepare:
    Status checkPlaces();
    Status beginCallbacks();
    Status readData();
    Status compile();
    Status checkRun();
    Status load();
    Status prepareAlone();
    Status prepareRun();
    Status begin();
    Status endEarly(Diagnostic const &why);
    Status tryHost();
    Status meetWorkers(Status const &prepared);
    void agreeOnEnd();
    void logReductions();
    bool isFirstWorker() const { return !m_seam || m_seam->worker() == 0; }
    bool isCutOff() const { return m_outcome.stopped && m_outcome.stopped->code == kWorkerLost; }
    Result<TrainingState> stateForAll();
    Result<EvaluateOutcome> evaluate();
    Status attach();
    void boundSteps();
    Status watchForStop();
    // run:
    Status runStretch(Stretch const &stretch);
    Result<std::vector<std::uint32_t>> orderOf(std::int64_t epoch) const;
    bool beginEpoch();
    Status runSteps(Stretch const &stretch, std::int64_t steps);
    void afterExecution();
    bool epochIsWhole() const;
    void runTail();
    void endEpoch();
    void validate(EpochResult &result);
    void callBack(EpochResult const &result);
    void keep(EpochResult const &result);
    Status takeOutput(int index, std::span<std::byte const> bytes);
    void endStep();
    void tellCounters();
    void watchLossScale();
    void tellValue(RateChange change);
    // finish:
    void logCycleCount();
    void save();
    void tellEnd();

    project::Project asRun() const;
    double heldSeconds() const;
    bool hasTail() const; ///< an epoch ends with a smaller batch
    void stopHere(StopPlace place);
    bool madeAllSteps() const { return m_mostSteps && m_step - m_first >= *m_mostSteps; }
    TrainingState stateOfVariables();
    TrainingState stateNow() { return withRun(stateOfVariables()); }
    TrainingState withRun(TrainingState state) const;
    Status resumeRun();
    void resumeSeed(model::Json const &saved);
    /// The state it continues: the request's, or that of BackupAndRestore.
    TrainingState const *resumed() const { return m_request.resume ? &*m_request.resume : m_backup ? &*m_backup : nullptr; }
    void callBackWithin();
    void callBackBeside();
    void endCallsBeside();
    CallbackActions actionsOnRunThread(CallbackActions actions);
    void log(config::LogComponent component, config::LogLevel level, Message const &text);
    void logWarnings();
    Diagnostic notFinite(float value) const;

    project::Project m_project;
    RunRequest const &m_request;
    RunObserver const &m_observer;
    JobContext const m_outer;
    std::int64_t m_epochs = 0; ///< of the whole training
    TrainOutcome m_outcome;
    HostRecord m_host;
    compiler::WarningTap m_tap;
    JobContext const &m_job;
    WeightKeeper m_keeper;
    bool m_emulated = false;
    std::optional<DataReader> m_reader;
    data::Dataset m_dataset;
    std::int64_t m_epochSteps = 0, m_allSteps = 0; ///< of an epoch: full batches, and with the smaller last one
    executable::EntryRef entry() const { return m_outcome.compiled.entry(); }
    std::shared_ptr<executable::Executable const> m_exe;
    std::optional<device::Attachment> m_attachment;
    std::optional<ThreadPool> m_pool;
    std::optional<ReplicaSeam> m_seam;  ///< set if several workers own the replicas
    std::unique_ptr<Session> m_session; ///< none: the training is over
    std::unique_ptr<Evaluator> m_evaluator;
    std::unique_ptr<TailBatch> m_tail;
    /// Taken at the start and given back for the last save: a run that began with enough memory does not lose its weights for want of it.
    std::unique_ptr<std::byte[]> m_roomToSave;
    RunReport m_report;
    Callbacks m_callbacks;
    std::optional<OrderedCalls> m_beside; ///< calls for each step while the device runs; behind the callbacks, which they use
    bool m_validates = false;             ///< there are validation samples, here or on worker 0
    bool m_validated = false;             ///< an epoch of this run
    std::optional<TrainingState> m_backup;
    std::int64_t m_toldBatches = 0;          ///< micro-batches that callbacks have seen
    std::map<std::string, double> m_planned; ///< the written values of the plan
    /// A reset of the seed of the draws.
    struct SeedReset {
        std::uint64_t seed = 0;
        std::int64_t step = 0; ///< micro-batches that were finished
    };
    std::optional<SeedReset> m_seedReset; ///< the last one; none: the draws have the seed of the plan
    std::optional<float> m_lossScale;     ///< the automatic one, as it was last seen
    float m_skippedBefore = 0;            ///< updates

    std::optional<MetricTotals> m_epochMeans, m_stepMeans;
    float m_loss = 0;
    std::int64_t m_step = 0, m_first = 0; ///< finished micro-batches; those before this run
    double m_stepSamples = 1;             ///< of the present micro-batch
    std::int64_t m_firstEpoch = 0, m_nextEpoch = 0;
    std::int64_t m_firstInEpoch = 0; ///< finished micro-batches of the first epoch
    std::optional<std::int64_t> m_mostSteps;
    std::optional<Epoch> m_epoch;
    std::optional<TrainingState> m_stateAtStop; ///< before the update in which the run stopped
    std::int64_t m_stepsBeforeUpdate = 0;       ///< with RunRequest::stopAt: micro-batches that were finished when the present update began
    bool m_noneLeft = false;                    ///< no further epoch has a step
    Clock::time_point m_told, m_start, m_stood;
    double m_heldAtStart = 0, m_between = 0; ///< seconds between runs
};

} // namespace tilewright::runtime
