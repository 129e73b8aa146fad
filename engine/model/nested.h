#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <string_view>

namespace tilewright::model {

/// Whether a layer of that class is a model: Sequential, Functional, Model.
bool isModelClass(std::string_view className);

/// The model with every model that is used as a layer replaced by its own layers, in its place: the same values and the
/// same weights, which all stages below know. A layer of a model that is called k times gets k times its calls, the first
/// call's first. Layers keep their names; where a name is taken, the model's stands in front ("encoder_dense"). A
/// Sequential that holds a model becomes functional. Layer::within tells where a layer came from.
/// Errors (Invalid): model.format, those of modelFromKeras for a model inside, model.not-connected (a call's inputs are not
/// those of the model), model.too-large (more than 100,000 calls).
Result<Model> unfolded(Model model);

} // namespace tilewright::model
