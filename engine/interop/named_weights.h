#pragma once

#include "engine/core/job_context.h"
#include "engine/model/resolve.h"
#include "engine/runtime/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::interop {

/// How the arrays of a file belong to the weights of a model.
struct NamedWeights {
    enum class Match { Taken, Missing, OtherShape };
    struct Row {
        std::string weight; ///< "dense/kernel"
        Shape shape;
        Match match = Match::Missing;
        std::string array; ///< its name in the file; "": none
        Shape found;
    };
    std::vector<Row> rows;           ///< one per weight, in the model's order
    std::vector<std::string> unused; ///< arrays that are no weight of the model
    runtime::TrainingState state;    ///< the weights of the file, the present ones for the others

    std::size_t taken() const;
};

/// The weights in a file for a model that exists, without the model in the file: of an .npz archive by name ("dense/kernel", with or
/// without
/// ":0"), of a Keras .h5 file by layer; a file of save_weights() too. `present`: the model's own weights, for those that the file lacks.
/// Errors: Invalid "import.kind", "import.weights" (no array belongs to the model); those of reading the file.
Result<NamedWeights> weightsByName(std::filesystem::path const &path, model::ResolvedModel const &model,
                                   runtime::TrainingState const &present, JobContext const &job);

} // namespace tilewright::interop
