#pragma once

#include "engine/compiler/compile.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/stop_at.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

class Session;
class WorkerLink;

enum class Mode { Fused, Tile };

/// Samples that the caller has in memory. They replace those of the project's data source.
struct GivenSamples {
    data::Dataset dataset;
    /// The numbers of all samples in the order in which epoch `epoch` (from 0) reads them. Called on the run's thread before each epoch;
    /// the caller may fill other values into the arrays meanwhile, because nothing reads them between two epochs. Empty: the order of the
    /// plan.
    std::function<std::vector<std::uint32_t>(std::int64_t epoch)> order;
};

/// Weights and optimizer state by name ("dense/kernel", "dense/kernel/rms", "iterations"), row-major bytes.
struct StateTensor {
    std::string name;
    DType dtype = DType::F32;
    Shape shape;
    std::vector<std::byte> bytes;
    bool operator==(StateTensor const &) const = default;
};
struct TrainingState {
    std::vector<StateTensor> tensors;
    std::int64_t epoch = 0; ///< finished epochs
    std::int64_t step = 0;  ///< micro-batches since the start of training
    StateTensor const *find(std::string_view name) const;
};

/// Device time of a run.
struct DeviceTime {
    double seconds = 0;             ///< on the emulated clock; 0 for a cpu target
    std::optional<Cycles> measured; ///< by the tiles; the seconds derive from it. Without tiles the seconds are modelled
};

struct EpochResult {
    std::int64_t epoch = 0; ///< from 1
    std::int64_t steps = 0;
    double loss = 0;
    std::vector<std::pair<std::string, double>> metrics;
    std::optional<double> valLoss;
    std::vector<std::pair<std::string, double>> valMetrics;
    double hostSeconds = 0;             ///< measured
    std::optional<double> learningRate; ///< at its end; none if a schedule computes it on the device
    DeviceTime device;
    DeviceTime valDevice; ///< of the validation
    double valLoadingSeconds =
        0;                ///< modelled time to load the validation executable and, before the first step, the training executable again
    bool complete = true; ///< false: stopped within the epoch
};

/// A change of the learning rate, or of another written value, during a run.
struct RateChange {
    std::int64_t step = 0; ///< micro-batches that were finished
    double before = 0, now = 0;
    std::string by; ///< a callback, or who else changed it
    std::string name = "learning_rate";
};

/// Callbacks during a run; all optional, all on the run's thread unless stated otherwise.
struct RunObserver {
    std::function<void(compiler::CompileOutcome const &)> compiled;
    std::function<void(std::string const &)> attached; ///< text of the attach line
    std::function<void(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics)> step;
    /// As `step`, for every step, on a thread of its own: in the order of the steps, while the device runs on. All calls of an epoch have
    /// returned before `epoch` is called.
    std::function<void(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics)> stepBeside;
    std::function<void(EpochResult const &)> epoch;
    /// The session just before the first step, for hooks into its executor and for changes of its variables during the run.
    std::function<void(Session &)> ready;
    /// Between two executions: rates and variables may be changed here while the training runs.
    std::function<void(Session &)> between;
    /// Called before `ready`. Call `tell` before a run is paused in `step` or in a hook, so that other processes see the current device
    /// state.
    std::function<void(std::function<void()> tell)> standing;
    /// The compile parts of the report are in the file; the run's parts follow.
    std::function<void(std::filesystem::path const &)> reportBegun;
    /// Steps of a whole epoch, when known.
    std::function<void(std::int64_t stepsPerEpoch)> stepsPerEpoch;
    /// Seconds for which the user paused the run; measured times exclude them.
    std::function<double()> heldSeconds;
    /// A message that a callback of the plan prints.
    std::function<void(std::string const &callback, std::string const &text)> message;
    /// The steps are done; the results are being saved.
    std::function<void()> saving;
    /// The weights after each epoch. A copy is made only if this is set.
    std::function<void(EpochResult const &, TrainingState const &)> epochState;
};

/// Destinations of trained weights; empty: unused.
struct WeightPlaces {
    std::filesystem::path file;    ///< an .npz
    std::filesystem::path project; ///< a `.tilewright`, as checkpoint `last`
};

/// The outcome of saving the weights.
struct KeptWeights {
    std::string place;                 ///< the file, or "last"; "": not saved
    std::string rescue;                ///< a rescue file, if no requested place could be written
    std::optional<Diagnostic> problem; ///< a requested place could not be written
    bool notFinite = false;            ///< the weights are infinite or NaN and were not saved; earlier weights stay
    bool lost() const { return problem && place.empty(); }
};

struct RunRequest {
    Mode mode = Mode::Fused;
    int threads = 0;                             ///< 0 = all cores
    std::optional<std::int64_t> epochs;          ///< overrides the plan
    std::optional<std::int64_t> steps;           ///< most steps of this run
    std::int64_t every = 0;                      ///< calls observer.step every so many steps; 0: never
    std::filesystem::path baseDir = ".";         ///< data paths are relative to it
    std::shared_ptr<GivenSamples const> samples; ///< null: those of the project's data source
    std::optional<std::filesystem::path> report;
    std::optional<TrainingState> resume;
    std::optional<StopAt> stopAt = {}; ///< tile mode
    WeightPlaces keep;
    int device = 0; ///< N of /device:IPU:N, for messages (compiler::onDevice)
    compiler::CompileRequest compile;
    std::optional<std::int64_t> deviceSeed; ///< of the device's draws; none: that of the plan
    /// One worker of a training whose replicas several workers own; all have the same project and request. Worker 0 keeps the weights and
    /// writes the report. Null: one process has all replicas. The link outlives the run.
    WorkerLink *link = nullptr;
    bool identicalReplicas = false; ///< all replicas draw the bits of the first (core/replica_seeds.h), also if the plan does not say so
};

/// The seed of the device's draws that a plan asks for, with the mark of core/replica_seeds.h. Weights and the order of samples follow
/// training.seed in any case.
std::uint64_t deviceSeedOf(model::TrainingPlan const &plan);
/// The seed of an executor: the request's, or `planned`.
std::uint64_t deviceSeedOf(RunRequest const &request, std::uint64_t planned);

struct TrainOutcome {
    compiler::CompileOutcome compiled;
    std::vector<EpochResult> epochs;
    TrainingState state;
    std::string weightsHash;
    double hostSeconds = 0;
    double savingSeconds = 0; ///< after the last step
    DeviceTime device;
    std::int64_t steps = 0;
    std::optional<Diagnostic> stopped; ///< cancelled, or numbers failed; finished work is kept
    bool loopEnded = false;            ///< the `while` of the custom loop ended it: the last loss, endLoss, was low enough
    float endLoss = 0;
    std::vector<RateChange> rates;      ///< of the learning rate, in order
    std::vector<RateChange> values;     ///< of other written values and of an automatic loss scale, in order
    std::int64_t skippedUpdates = 0;    ///< by an automatic loss scale, in this run
    std::string endedBy;                ///< the callback that ended it before its last epoch
    std::optional<StopPlace> stopPlace; ///< RunRequest::stopAt came; the weights are those before the update under way
    KeptWeights kept;
    std::optional<Diagnostic> unreported; ///< the report could not be finished
};

/// Requests validation, evaluation and prediction as entries of the training's executable, if the plan shares it
/// (training.validation_executable) and the target has IPUs. Adds a note if the target has none. Errors: those of the data.
Status requestEntries(project::Project const &project, std::filesystem::path const &baseDir, compiler::CompileRequest &request,
                      JobContext const &job);
/// The same for the samples of a run, which may be those that the caller gives.
Status requestEntries(project::Project const &project, RunRequest const &run, compiler::CompileRequest &request, JobContext const &job);
/// Whether flags replace training data or parameters. Such weights are never saved in a project.
bool trainsOnSyntheticData(RunRequest const &request);
/// Compiles and trains. Errors: those of compile, data, devices. A cancelled run or one with a NaN loss returns its outcome with `stopped`
/// set, so that checkpoint and report can be written.
Result<TrainOutcome> train(project::Project const &project, RunRequest const &request, RunObserver const &observer, JobContext const &job);

/// The samples of a run without training: the test samples; without them the held-out validation samples; without those the training
/// samples, with a note.
enum class SamplesOf { Test, Validation, Train };
std::string_view nameOf(SamplesOf of);

struct EvaluateOutcome {
    SamplesOf samplesOf = SamplesOf::Test;
    double loss = 0;
    std::vector<std::pair<std::string, double>> metrics;
    std::int64_t samples = 0, batch = 0;
    double hostSeconds = 0;
    DeviceTime device;
    compiler::CompileOutcome compiled;
    std::optional<Diagnostic> numeric; ///< the loss is not finite; the other fields are valid
};
/// Loss and metrics over the samples chosen by SamplesOf. The batch is the largest divisor of the sample count not above the plan's, so
/// that every sample counts once.
Result<EvaluateOutcome> evaluate(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                 JobContext const &job);

struct PredictedOutput {
    std::string name; ///< of the output layer
    Shape shape;      ///< samples first
    std::vector<float> values;
};
struct PredictOutcome {
    SamplesOf samplesOf = SamplesOf::Test;
    std::vector<PredictedOutput> outputs; ///< in the model's order
    std::int64_t samples = 0;
    double hostSeconds = 0;
    DeviceTime device;
    compiler::CompileOutcome compiled;
    std::optional<Diagnostic> numeric; ///< some values are not finite
};
Result<PredictOutcome> predict(project::Project const &project, RunRequest const &request, TrainingState const *state,
                               JobContext const &job);

struct VerifyTensor {
    std::string name;
    double maxRelativeError = 0, tolerance = 1e-5;
    bool measured = false; ///< the tolerance is what rounding was measured to do to this tensor, not the stated one
};
struct VerifyOutcome {
    std::vector<VerifyTensor> tensors;
    double maxRelativeError = 0; ///< of the tensor nearest to, or farthest beyond, its tolerance
    double tolerance = 1e-5;     ///< of that tensor
    bool measured = false;       ///< that tolerance
    bool agrees = true;
    std::int64_t steps = 0;
};
/// Runs fused and tile mode in lockstep. Before each update the tile machine loads the fused state. Compares, per tensor, the largest
/// difference over the largest magnitude. Sums with float16 partial sums are compared one by one, and both modes continue with the fused
/// ones. A tensor that differs by more than the stated tolerance may differ by as much as measured rounding
/// makes it (lockstep.h). Errors: those of compile and data; Numeric when the loss is not finite; Invalid "verify.no-update" when
/// the data hold no whole weight update.
Result<VerifyOutcome> verify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job);

/// Initial state: initializers for weights, zeros (Adagrad: its start value) for slots.
Result<TrainingState> initialState(project::Project const &project, executable::EntryRef const &entry);
/// Hash of the weights in Keras's order.
std::string weightsHash(executable::EntryRef const &entry, TrainingState const &state);

} // namespace tilewright::runtime
