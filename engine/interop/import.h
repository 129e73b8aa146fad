#pragma once

#include "engine/core/job_context.h"
#include "engine/interop/keras_weights.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tilewright::interop {

/// The state of an optimizer as a file keeps it.
struct OptimizerArrays {
    std::string className; ///< "Adam"; empty: the file does not say it
    std::vector<FileArray> arrays;
    bool isArchive = false; ///< in the order of a .keras archive, not of an .h5 file
};

/// Sizes for the open axes of inputs, by input: one for each axis in order, or one for all.
using OpenSizes = std::map<std::string, std::vector<std::int64_t>>;

/// What a person's file becomes.
struct Imported {
    project::Project project;
    std::vector<LayerArrays> layers; ///< the weights as the file keeps them; empty: the file has none
    OptimizerArrays optimizer = {};
    std::set<std::string> closedInputs = {}; ///< inputs whose open axes the reader closed with the sizes given
};

/// A file as the forms recognise it: its first bytes, the names in it if it is a zip archive, its JSON if it is a text.
struct Sniffed {
    std::filesystem::path path;
    std::string head;                 ///< the first 4,096 bytes
    std::vector<std::string> entries; ///< of an archive
    std::string text;                 ///< of a JSON document, up to Limit::JsonBytes; else empty
    /// Sizes that the user gives for open axes, by input, for forms whose layers depend on them.
    OpenSizes sizes = {};
};

/// A kind of file that people bring. Commands, dialogs, dropped files and help read this list; nothing else knows these suffixes.
struct ImportForm {
    char const *name; ///< "Keras .h5"
    std::vector<char const *> suffixes;
    bool (*recognises)(Sniffed const &file, nlohmann::json const &json); ///< `json`: discarded unless the file is JSON
    /// Null: recognised, and not read yet.
    Result<Imported> (*read)(Sniffed const &file, JobContext const &job);
    Message remedy = {}; ///< what to do with a form that is not read
};

/// Our own JSON is not among them: it is a project.
std::span<ImportForm const> importForms();

/// Reads as much of a file as is needed to recognise it. Errors (Data): those of openSource.
Result<Sniffed> sniff(std::filesystem::path const &path);
/// The form of a file; null: none of them.
ImportForm const *formOf(Sniffed const &file);

/// Names of the forms that can be read, or that cannot, for a sentence: "Keras .h5, Keras .keras".
std::string formNames(bool readable);

/// Reads a model file into a project with its weights. Errors: Invalid "import.kind" (none of the forms; a damaged JSON document is named
/// as such), Usage "import.not-yet", and those of the reader.
/// `sizes`: for open axes, by input; the model has them where the form needs them to be read.
Result<Imported> importModel(std::filesystem::path const &path, JobContext const &job, OpenSizes const &sizes = {});

/// The weights of an import for the checkpoint of `project`, which may have been changed since, to close an open shape for example. None if
/// the file has none, or if the model does not resolve, which is a warning ("import.weights-left-out"). Errors: those of weightsFrom.
Result<std::optional<runtime::TrainingState>> importedWeights(std::vector<LayerArrays> layers, project::Project const &project,
                                                              std::string const &file, JobContext const &job);

/// The same with the optimizer's state, if the file has one. Moves the arrays out of `imported`.
Result<std::optional<runtime::TrainingState>> importedState(Imported &imported, std::string const &file, JobContext const &job);

} // namespace tilewright::interop
