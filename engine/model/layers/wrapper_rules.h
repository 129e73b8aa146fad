#pragma once

#include "engine/model/layer_spec.h"

#include <array>

namespace tilewright::model {

/// The layer inside a checked wrapper, its argument `layer`.
Layer innerLayer(Layer const &wrapper);
/// What a checked Bidirectional runs: its layer, and backward_layer or the layer once more, reading backwards.
std::array<Layer, 2> bidirectionalLayers(Layer const &wrapper);

} // namespace tilewright::model
