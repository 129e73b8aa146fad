#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// The input's shape. Error model.shape: softmax over an axis that is not there or is the batch, or on
/// rank 1 (Keras refuses it).
Result<Shape> activationShape(Layer const &layer, Shape const &input, Activation const &activation);

} // namespace tilewright::model
