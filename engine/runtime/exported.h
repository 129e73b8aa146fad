#pragma once

#include "engine/data/npy.h"
#include "engine/runtime/run.h"

#include <filesystem>
#include <map>

namespace tilewright::runtime {

/// A model that runs without its project: the program of its prediction, its weights, and how its samples are fed. One file, the container
/// of executable/blob with the fields below as its key.
struct ExportedExecutable {
    executable::Executable executable;
    TrainingState weights; ///< those of the model, without optimizer state
    std::int64_t seed = 0;
    /// Samples of this type, that of the project's own data, are multiplied by `scale`; others are fed as they are.
    DType sampleType = DType::F32;
    double scale = 1;
    std::string writer;                        ///< version of the program that exported it
    std::map<std::string, std::string> fields; ///< name and value of what must fit: kind, format, target, feeds …
};

/// Compiles the prediction of a project as `predict` does for the same data and writes it with these weights (null: the initial ones, with
/// a warning). The batch is fixed: that of the prediction, or `batch`. Errors: those of compile and data; "file.write".
Result<compiler::CompileOutcome> exportExecutable(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                                  std::int64_t batch, std::filesystem::path const &path, JobContext const &job);
/// Errors: those of the container; Invalid "executable.kind", "executable.version", "executable.format", "executable.damaged", each naming
/// the field.
Result<ExportedExecutable> readExported(std::filesystem::path const &path);

/// Runs it over samples: an array for each input by its name, or one array of any name for a single input. Samples that do not fill the
/// last batch are filled up with copies of the last one, whose results are dropped. `target`: what must be the exported one; empty: not
/// judged. Errors: Invalid "executable.target"; Data "executable.feed" naming the feed; those of devices.
Result<PredictOutcome> runExported(ExportedExecutable const &exported, std::vector<data::NamedArray> const &samples,
                                   RunRequest const &request, std::string const &target, JobContext const &job);

} // namespace tilewright::runtime
