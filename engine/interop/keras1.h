#pragma once

#include "engine/model/param.h"

namespace tilewright::interop {

/// Rewrites the layers of a model written by Keras 1 (`Convolution2D(nb_filter, nb_row, …)`, `Merge(mode)`) as Keras 2 writes them, nested
/// models and wrapped layers too. Names and arguments that Keras 1 and 2 share stay as they are, so that a document of Keras 2 is
/// unchanged. What Keras 2 has no argument for is dropped if it changes no result (`consume_less`, `input_dim`); else it stays, and
/// reading the layer refuses it by name. Arguments of versions after 2.6 go if they have the value that 2.6 has built in. Source:
/// keras/legacy/interfaces.py and layers.py of Keras 2.
void modernizeKeras(model::Json &model);

} // namespace tilewright::interop
