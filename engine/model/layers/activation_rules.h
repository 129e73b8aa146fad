#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// The input's shape. Error model.shape: softmax over a missing axis or the batch, or on rank 1 (refused by Keras).
Result<Shape> activationShape(Layer const &layer, Shape const &input, Activation const &activation);

} // namespace tilewright::model
