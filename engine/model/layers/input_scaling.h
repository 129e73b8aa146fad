#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// The axes that have a mean and a variance of their own in a Normalization layer.
struct NormalizedAxes {
    Shape kept;      ///< their extents: the shape of mean and variance
    Shape broadcast; ///< the input's rank, with 1 for every other axis
};
/// Error model.shape: an axis that the input does not have.
Result<NormalizedAxes> normalizedAxes(Layer const &layer, Shape const &input);

} // namespace tilewright::model
