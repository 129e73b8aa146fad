#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// MaxPooling1D … AveragePooling3D: a moving window over `spatial` axes.
LayerSpec poolingSpec(std::string className, int spatial, bool maximum);
/// GlobalMaxPooling1D … GlobalAveragePooling3D: one value per channel.
LayerSpec globalPoolingSpec(std::string className, int spatial, bool maximum);

} // namespace tilewright::model
