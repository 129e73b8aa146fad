#pragma once

#include "engine/model/model.h"

namespace tilewright::interop {

/// Replaces each layer of a class that Tilewright lacks by a placeholder, in a document of Keras and in the models inside it. The
/// placeholder keeps class, arguments and inbound nodes. Its output shape comes from the tensors of Keras 3, from the `build_config` of the
/// next layer of a Sequential model, or from the `output_shape` of a Lambda.
void holdUnknownLayers(model::Json &document);

/// The model as Keras 2.6 writes it (modelToKeras), with the original layer in the place of each placeholder.
model::OrderedJson documentWithOriginals(model::Model const &model);

} // namespace tilewright::interop
