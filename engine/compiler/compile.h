#pragma once

#include "engine/compiler/log_line.h"
#include "engine/config/environment.h"
#include "engine/config/validate.h"
#include "engine/core/job_context.h"
#include "engine/executable/cache.h"
#include "engine/executable/executable.h"
#include "engine/layers/step_graph.h"
#include "engine/lowering/liveness.h"
#include "engine/lowering/schedule.h"
#include "engine/passes/pass.h"
#include "engine/project/project.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::compiler {

using tilewright::toText; // keeps the overloads of core visible

/// Initialise, WeightsIn and WeightsOut move state between host and device: all initial values, or the weights.
enum class RunKind { Train, Evaluate, Predict, Initialise, WeightsIn, WeightsOut };
std::string_view toText(RunKind kind);

/// Shape of an entry: micro-batches of `batch` samples, `steps` per execution (training: from the plan).
struct EntryShape {
    RunKind kind = RunKind::Train;
    std::int64_t batch = 1, steps = 1;
    std::string name = {}; ///< empty: that of the kind
    bool operator==(EntryShape const &) const = default;
};

struct CompileRequest {
    RunKind kind = RunKind::Train;
    std::int64_t batch = 0; ///< samples per micro-batch; 0 = the plan's
    int threads = 0;        ///< of the host; 0 = all cores. They do not affect the result
    std::int64_t steps = 0; ///< evaluate, predict: micro-batches per execution; 0 = 1
    /// For a training on IPUs that shares its executable (training.validation_executable): numbers of samples of its validation, and of an
    /// evaluation or prediction. 0: no such entries.
    std::int64_t validationSamples = 0, inferenceSamples = 0;
    std::vector<EntryShape> beside; ///< further entries of the executable
    bool useCache = true;
    std::optional<std::filesystem::path> cacheFolder;
    bool forReport = false;         ///< keep liveness and schedule also on a cache hit
    bool onlyVerdict = false;       ///< if the program does not fit: compute the need of the tiles only, without addresses
    passes::RunOptions passOptions; ///< dump and stop
    /// Receives log lines of compile and run; may be empty.
    std::function<void(config::LogComponent, config::LogLevel, Message const &)> log;
    config::EnvironmentOptions environment; ///< TF_POPLAR_FLAGS, POPLAR_ENGINE_OPTIONS …; wins over the project
};

struct CompilePhase {
    std::string name;
    double seconds = 0; ///< host, measured
};

/// Data for reports only.
struct CompileDetail {
    lowering::Liveness liveness;
    lowering::Schedule schedule;
};

struct CompileOutcome {
    std::shared_ptr<executable::Executable const> executable;
    std::size_t number = 0; ///< of the entry that was asked for
    target::Machine machine;
    config::FloatingPointBehaviour floating; ///< of the project
    std::string cache = "off";               ///< hit, miss, off
    Message cacheReason;
    double seconds = 0;
    std::vector<CompilePhase> phases;
    std::vector<passes::PassStats> passes;
    std::vector<LogLine> log; ///< lines of all levels, and the warnings
    std::shared_ptr<CompileDetail const> detail;
    std::optional<Diagnostic> outOfMemory; ///< set if it does not fit; the executable holds the memory report
    bool stopped = false;                  ///< at passOptions.stopAfter
    std::int64_t flopsPerStep = 0;
    std::int64_t vertices = 0, exchanges = 0;
    std::int64_t peakHostBytes = 0;     ///< of the process, measured
    std::int64_t hostCompileBytes = -1; ///< additional memory of this compile, measured for a report; -1: unknown

    /// The entry that was asked for. Requires: an executable that outlives it.
    executable::EntryRef entry() const { return executable->entry(number); }
    double samplesPerSecond() const;
    double emulatedSecondsPerStep() const;
};

/// Compiles a project: model, graph, passes, lowering, memory, schedule. A program that does not fit is not an error of the function:
/// `outOfMemory` reports it (with the rules of the software model only a warning).
Result<CompileOutcome> compile(project::Project const &project, CompileRequest const &request, JobContext const &job);

/// The project's machine with flags and software-model settings applied.
Result<target::Machine> effectiveMachine(project::Project const &project, config::EnvironmentOptions const &environment);

/// Use of a machine's IPUs: shards per replica (a power of two) and replicas.
struct Distribution {
    int ipusPerReplica = 1, replicas = 1;
    std::vector<int> stageIpus; ///< of the replica, by stage
};
Result<Distribution> distribute(project::Project const &project, model::ResolvedModel const &model, target::Machine const &machine);

} // namespace tilewright::compiler
