#pragma once

#include "views/modeledit/model_edits.h"

#include "engine/model/layer_spec.h"

#include <functional>
#include <map>
#include <set>

// Shared by the files that hold the edits; nothing for views.
namespace tilewright::views::edits {

/// Invalid, code "edit.CODE"; texts are translated already.
Diagnostic refusal(char const *code, std::string const &subject, QString const &message, QString const &remedy);
Diagnostic noLayer(model::Model const &model, std::string const &name);

QString q(std::string const &text);
std::size_t indexOf(model::Model const &model, std::string const &name); ///< layers.size(): none
int lastCall(model::Layer const &layer);
bool isInput(model::Layer const &layer);
/// Takes two inputs or more.
bool isMerge(model::Layer const &layer);
/// Whether any layer has a stage.
bool isPipelined(model::Model const &model);
/// Changes `edit` to a functional model, with a note why, when it is not one yet.
void makeFunctional(ModelEdit &edit, QString const &why);
/// A name of its own, no calls, and no input shape of its own (only the model's first layer may have one).
void prepare(model::Model const &model, model::Layer &layer);
void forEachRef(model::Model &model, std::function<void(model::TensorRef &)> const &change);

} // namespace tilewright::views::edits
