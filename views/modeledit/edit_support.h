#pragma once

#include "views/modeledit/model_edits.h"

#include "engine/model/layer_spec.h"

#include <functional>
#include <map>
#include <set>

// Shared by the files with edits; not for views.
namespace tilewright::views::edits {

/// Invalid, code "edit.CODE"; texts are already translated.
Diagnostic refusal(char const *code, std::string const &subject, QString const &message, QString const &remedy);
Diagnostic noLayer(model::Model const &model, std::string const &name);

QString q(std::string const &text);
std::size_t indexOf(model::Model const &model, std::string const &name); ///< layers.size(): none
int lastCall(model::Layer const &layer);
bool isInput(model::Layer const &layer);
/// Whether the layer takes two or more inputs.
bool isMerge(model::Layer const &layer);
/// Whether any layer has a stage.
bool isPipelined(model::Model const &model);
/// Changes `edit` to a functional model, with a note about the reason, unless it already is one.
void makeFunctional(ModelEdit &edit, QString const &why);
/// Gives the layer a unique name, no calls, and no input shape (only the model's first layer may have one).
void prepare(model::Model const &model, model::Layer &layer);
void forEachRef(model::Model &model, std::function<void(model::TensorRef &)> const &change);

} // namespace tilewright::views::edits
