#pragma once

#include "engine/interop/import.h"

namespace tilewright::interop {

/// The text of `to_json()`, of Keras 1, 2 and 3. No weights.
Result<Imported> readKerasJsonFile(Sniffed const &file, JobContext const &job);
/// `model.save("….h5")`: architecture, weights and what `compile` was given. A file of `save_weights()` holds no model: Invalid
/// "import.weights-only".
Result<Imported> readKerasHdf5(Sniffed const &file, JobContext const &job);
/// `model.save("….keras")`: config.json, model.weights.h5.
Result<Imported> readKerasArchive(Sniffed const &file, JobContext const &job);

/// A project around the model in a document of Keras, with placeholders for unknown classes, and the document as Keras 2 would have written
/// it. `subject` is the place for errors.
struct KerasModel {
    project::Project project;
    model::Json document;
};
Result<KerasModel> kerasModel(std::string_view text, std::string const &subject);

} // namespace tilewright::interop
