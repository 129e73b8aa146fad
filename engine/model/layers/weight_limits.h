#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// The classes, whose weights now have the penalties and constraints of the layer's arguments: no class reads them itself. A wrapper
/// receives its inner layer's weights from the inner class, with their own. Errors of such weights: model.shape, and those of
/// parseRegularizer and parseConstraint.
std::vector<LayerSpec> withLimits(std::vector<LayerSpec> specs);

} // namespace tilewright::model
