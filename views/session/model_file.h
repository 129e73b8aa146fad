#pragma once

#include "engine/core/result.h"
#include "engine/interop/completion.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tilewright::runtime {
struct TrainingState;
}

namespace tilewright::views {

class Session;
struct ReadProject;

/// The weights that a model file holds, or null.
using FileWeights = std::shared_ptr<runtime::TrainingState const>;

/// Reads a model file of another program into a project of its own, with a person's answers about what it leaves open. For worker threads.
Result<ReadProject> readModelFile(QString const &path, interop::Completion const &answers, FileWeights &weights);

/// What a model file leaves open.
struct OpenParts {
    QString path;
    std::vector<interop::OpenPlace> places;
    bool refused = false; ///< the file cannot be opened without an answer; false: the model is on show
};

/// The model on show, which was read from this file.
OpenParts openPartsOf(Session &session, QString const &path);
/// A file that could not be opened with this error; without places for errors that no answer removes.
OpenParts openPartsOf(Diagnostic const &error, QString const &path);

/// Reads a model file again, with answers, and shows it in place of the open project, with its weights. `mayReplace` is called before that;
/// empty: nothing is lost. With an error, and until the file is read, the open project stays as it is.
void completeModel(Session &session, QString const &path, interop::Completion answers, std::function<bool()> mayReplace,
                   std::function<void(Status const &)> done);

} // namespace tilewright::views
