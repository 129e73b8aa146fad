#pragma once

#include "engine/core/result.h"

#include <QString>

#include <functional>
#include <memory>

namespace tilewright::runtime {
struct TrainingState;
} // namespace tilewright::runtime

namespace tilewright::views {

class Session;

/// The weights that the project holds: those of the last run of this window, else those in its file; null: none.
/// `file`: of the project; "" if it was never saved.
Result<std::shared_ptr<runtime::TrainingState const>> heldWeights(std::shared_ptr<runtime::TrainingState const> const &trained,
                                                                  QString const &file);

/// Writes a part of the open project for other programs, in a job: to a file that ends in .npz the trained weights, named as Keras names
/// them; to any other the model in the form of Keras's to_json. Replaces the file only when all of it is written. Errors: those of
/// writeOutputFile; "cli.same-file" for the project's own file; "checkpoint.none" without trained weights. Requires: a project is open.
/// `done` is called on the window's thread.
void exportModel(Session &session, QString const &path, std::function<void(Status const &)> done);

} // namespace tilewright::views
