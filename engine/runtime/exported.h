#pragma once

#include "engine/data/npy.h"
#include "engine/runtime/prediction.h"

#include <filesystem>
#include <map>

namespace tilewright::runtime {

/// Entries of a model that run without their project: the executable, the state that they start from, and how their samples are fed. One
/// file, the container of executable/blob with the fields below as its key.
struct ExportedExecutable {
    executable::Executable executable;
    TrainingState state;    ///< with a training also what its optimizer keeps
    std::size_t inputs = 1; ///< the first feeds of an entry; the others are labels
    std::int64_t seed = 0;  ///< of the draws (deviceSeedOf)
    /// Samples of this type, that of the project's own data, are multiplied by `scale`; others are fed as they are.
    DType sampleType = DType::F32;
    double scale = 1;
    std::string writer;                        ///< version of the program that exported it
    std::map<std::string, std::string> fields; ///< name and value of what must fit: kind, format, target, feeds …
};

struct ExportOptions {
    std::vector<compiler::RunKind> entries{compiler::RunKind::Predict};
    std::int64_t batch = 0;               ///< samples of a micro-batch; 0: as predict of the project's data, for a training the plan's
    std::int64_t iterations = 0;          ///< micro-batches per execution of evaluate and predict; 0: the fewest
    std::vector<std::string> outputNames; ///< of predict; empty: those of the output layers
};

/// Compiles entries of a project over one table of variables and writes them with these weights (null: the initial ones, with a warning).
/// The batch is fixed. Without a training, one replica runs. Errors: those of compile and data; "file.write"; Usage "export.…" for what a
/// caller of the executable could not use.
Result<compiler::CompileOutcome> exportExecutable(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                                  ExportOptions const &options, std::filesystem::path const &path, JobContext const &job);
/// Writes an exported executable. Error: "file.write".
Status writeExported(std::filesystem::path const &path, ExportedExecutable const &exported);
/// Errors: those of the container; Invalid "executable.kind", "executable.version", "executable.format", "executable.damaged", each naming
/// the field.
Result<ExportedExecutable> readExported(std::filesystem::path const &path);

/// Outcome of a run of an exported entry.
struct ExportedRun {
    std::vector<PredictedOutput> outputs; ///< of predict
    std::optional<SampleMeans> means;     ///< of evaluate and train
    std::optional<TrainingState> state;   ///< after train
    std::int64_t samples = 0;
    double hostSeconds = 0;
    DeviceTime device;
    std::optional<Diagnostic> numeric; ///< some values are not finite
};

/// Runs an entry that moves state (executable::movesState). weights_in writes `given`, the weights by name, and initialise sets every state
/// to its initial value, the weights to those of the executable; both return the resulting state. weights_out returns the weights. Errors:
/// Usage "executable.entry"; Invalid "executable.target", "checkpoint.missing", "checkpoint.shape"; those of devices.
Result<TrainingState> moveState(ExportedExecutable const &exported, std::string const &entry, TrainingState const *given,
                                RunRequest const &request, std::string const &target, JobContext const &job);

/// Runs an entry over samples: an array for each feed by its name, or one array of any name for a single feed. predict fills the last
/// batch up with copies of the last sample, whose results are dropped; evaluate and train pass over the whole executions. `target`: what
/// must be the exported one; empty: not judged. Errors: Usage "executable.entry"; Invalid "executable.target"; Data "executable.feed"
/// naming the feed, "executable.samples"; those of devices.
Result<ExportedRun> runExported(ExportedExecutable const &exported, std::string const &entry, std::vector<data::NamedArray> const &samples,
                                RunRequest const &request, std::string const &target, JobContext const &job);

} // namespace tilewright::runtime
