#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <string_view>

namespace tilewright::model {

/// Whether the class is a model: Sequential, Functional, Model.
bool isModelClass(std::string_view className);

/// Replaces every nested model by its own layers: same values and same weights. A layer of a model that is called k times gets k times its
/// calls, those of the first call first. Layers keep their names; if a name is taken, the model's name is the prefix ("encoder_dense"). A
/// Sequential with a nested model becomes functional. Layer::within records the origin of a layer. TimeDistributed over a model becomes the
/// model's layers, each of them applied to each step; merges work on the sequences. Errors (Invalid): model.format, those of modelFromKeras
/// for a nested model, model.not-connected (a call's inputs are not those of the model), model.too-large (more than 100,000 calls).
Result<Model> unfolded(Model model);

} // namespace tilewright::model
