#pragma once

#include "engine/model/param.h"

namespace tilewright::interop {

/// Replaces operations that a document of Keras has as layers (TFOpLambda, TensorFlowOpLayer, operations of Keras 3) by layers with the
/// same values: a merge, an activation, Reshape, Concatenate, Permute, or a Lambda with an expression. Also in the models inside. An
/// operation that is called several times, or whose values would differ, stays as it is.
void replaceOperations(model::Json &document);

} // namespace tilewright::interop
