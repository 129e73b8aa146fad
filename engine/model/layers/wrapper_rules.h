#pragma once

#include "engine/model/layer_spec.h"

#include <array>

namespace tilewright::model {

/// The layer inside a checked wrapper, its argument `layer`.
Layer innerLayer(Layer const &wrapper);
/// The two layers of a checked Bidirectional: its layer, and backward_layer or the same layer reading backwards.
std::array<Layer, 2> bidirectionalLayers(Layer const &wrapper);

} // namespace tilewright::model
