#pragma once

#include "engine/compiler/compile.h"
#include "engine/runtime/executor.h"

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

enum class Mode { Fused, Tile };

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
    std::int64_t epoch = 0; ///< epochs finished
    std::int64_t step = 0;  ///< micro-batches done since the start of training
    StateTensor const *find(std::string_view name) const;
};

/// The device's part of a run.
struct DeviceTime {
    double seconds = 0;             ///< on the emulated clock; 0 for a cpu target
    std::optional<Cycles> measured; ///< by the tiles, of which the seconds are; without tiles they are modelled
};

struct EpochResult {
    std::int64_t epoch = 0; ///< from 1
    std::int64_t steps = 0;
    double loss = 0;
    std::vector<std::pair<std::string, double>> metrics;
    std::optional<double> valLoss;
    std::vector<std::pair<std::string, double>> valMetrics;
    double hostSeconds = 0; ///< measured
    DeviceTime device;
    DeviceTime valDevice; ///< of the validation
    double valLoadingSeconds =
        0; ///< modelled: to load its executable, and in front of the epoch's first step the training's again; not in the others
    bool complete = true; ///< false when stopped in the middle
};

/// What a caller hears while a run goes on; all optional, all on the run's thread.
struct RunObserver {
    std::function<void(compiler::CompileOutcome const &)> compiled;
    std::function<void(std::string const &)> attached; ///< text of the attach line
    std::function<void(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics)> step;
    std::function<void(EpochResult const &)> epoch;
    /// The executor just before the first step: somebody may hook into its tile machine (tileMachineOf).
    std::function<void(Executor &, compiler::CompileOutcome const &)> ready;
    /// Before `ready`: what is to be called before the run is let stand still, in `step` or in such a hook, so that other processes
    /// see the device as it stands.
    std::function<void(std::function<void()> tell)> standing;
    /// The report's compile parts are in the file; the run's parts follow while it goes on.
    std::function<void(std::filesystem::path const &)> reportBegun;
    /// Steps of a whole epoch, once known.
    std::function<void(std::int64_t stepsPerEpoch)> stepsPerEpoch;
    /// Seconds so far in which the run stood still because somebody wanted it to; measured times leave them out.
    std::function<double()> heldSeconds;
    /// The steps are done; what they made is being saved.
    std::function<void()> saving;
    /// The weights after each epoch (a copy is made only when this is set).
    std::function<void(EpochResult const &, TrainingState const &)> epochState;
};

/// Where a training leaves its weights; empty: not there.
struct WeightPlaces {
    std::filesystem::path file;    ///< an .npz
    std::filesystem::path project; ///< a `.tilewright`, as checkpoint `last`
};

/// What became of them.
struct KeptWeights {
    std::string place;                 ///< the file, or "last"; "": nowhere
    std::string rescue;                ///< the same, when no place that was wanted took them
    std::optional<Diagnostic> problem; ///< some place that was wanted did not take them
    bool notFinite = false;            ///< they are infinite or not a number, and are not kept; what was kept before is
    bool lost() const { return problem && place.empty(); }
};

struct RunRequest {
    Mode mode = Mode::Fused;
    int threads = 0;                     ///< 0 = all cores
    std::optional<std::int64_t> epochs;  ///< overrides the plan
    std::optional<std::int64_t> steps;   ///< at most so many of this run
    std::int64_t every = 0;              ///< observer.step each so many steps; 0 = never
    std::filesystem::path baseDir = "."; ///< data paths are relative to it
    std::optional<std::filesystem::path> report;
    std::optional<TrainingState> resume;
    WeightPlaces keep;
    compiler::CompileRequest compile;
};

struct TrainOutcome {
    compiler::CompileOutcome compiled;
    std::vector<EpochResult> epochs;
    TrainingState state;
    std::string weightsHash;
    double hostSeconds = 0;
    double savingSeconds = 0; ///< after the last step
    DeviceTime device;
    std::int64_t steps = 0;
    std::optional<Diagnostic> stopped; ///< cancelled, or numbers failed; everything finished so far is kept
    bool loopEnded = false;            ///< by the while of the plan's own loop: the last step's loss, endLoss, was low enough
    float endLoss = 0;
    KeptWeights kept;
    std::optional<Diagnostic> unreported; ///< the report could not be finished
};

/// Asks for the validation as a further entry, where the plan shares the executable that trains, there are IPUs and samples to validate
/// with. Notes when the plan wants it and there are none. Errors: those of the data.
Status countValidation(project::Project const &project, std::filesystem::path const &baseDir, compiler::CompileRequest &request,
                       JobContext const &job);
/// Whether flags replace what the weights are made of: such weights never go into a project.
bool trainsOnSyntheticData(RunRequest const &request);
/// Compiles and trains. Errors: those of compile, data, devices; a run that is cancelled or meets a NaN loss
/// returns its outcome with `stopped` set so that checkpoint and report can be written.
Result<TrainOutcome> train(project::Project const &project, RunRequest const &request, RunObserver const &observer, JobContext const &job);

/// Which samples of the data a run without training reads: the test samples; where there are none the held-out validation samples; where
/// there are none either the training samples, with a note.
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
    std::optional<Diagnostic> numeric; ///< the loss is no finite number; all else is as it is
};
/// Loss and metrics over the samples that SamplesOf says. The batch is the largest divisor
/// of the sample count not above the plan's, so that every sample counts once.
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
    std::optional<Diagnostic> numeric; ///< some of them are not finite
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
    double maxRelativeError = 0; ///< of the tensor that comes nearest to its tolerance, or is farthest beyond it
    double tolerance = 1e-5;     ///< of that tensor
    bool measured = false;       ///< that tolerance
    bool agrees = true;
    std::int64_t steps = 0;
};
/// Fused against tile in lockstep: before each update the tile machine's state is reloaded from the fused one;
/// per tensor the largest difference over the largest magnitude. Sums whose partial sums are float16 are compared one by one, and
/// both modes go on from the fused ones. A tensor that differs by more than the stated tolerance may differ by as much as measured rounding
/// makes it (lockstep.h). Errors: those of compile and data; Numeric when the loss is not finite; Invalid "verify.no-update" when
/// the data hold no whole weight update.
Result<VerifyOutcome> verify(project::Project const &project, RunRequest const &request, std::int64_t steps, JobContext const &job);

/// First values of everything: initializers for weights, zeros (Adagrad: its start value) for slots.
Result<TrainingState> initialState(project::Project const &project, executable::Executable const &executable);
/// Hash of the weights in Keras's order.
std::string weightsHash(executable::Executable const &executable, TrainingState const &state);

} // namespace tilewright::runtime
