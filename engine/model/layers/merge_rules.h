#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// An elementwise merge. Shapes are broadcast without the batch, aligned at the last axis, as in Keras's merge layers. Fixed batches must
/// be equal.
LayerSpec elementwiseMerge(std::string className, std::string help, int maxInputs = 1 << 20);

/// The shape that the inputs are broadcast to. Error: model.shape.
Result<Shape> broadcastShape(Layer const &layer, std::span<Shape const> inputs);

/// The common batch, or model.shape.
Result<std::int64_t> commonBatch(Layer const &layer, std::span<Shape const> inputs);

} // namespace tilewright::model
