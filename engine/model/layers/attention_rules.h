#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// Attention and AdditiveAttention: [query, value] or [query, value, key] -> length of the query, width of the value.
LayerSpec dotOrAdditiveAttention(bool additive);

} // namespace tilewright::model
