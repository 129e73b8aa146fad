#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// Attention and AdditiveAttention: [query, value] or [query, value, key] -> of the query's length and the value's width.
LayerSpec dotOrAdditiveAttention(bool additive);

} // namespace tilewright::model
