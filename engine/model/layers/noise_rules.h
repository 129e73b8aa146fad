#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// SpatialDropout1D … 3D: drops whole channels.
LayerSpec spatialDropoutSpec(std::string className, int spatial);

/// rate, 0 to below 1.
ParamInfo rateParam();
Status checkRate(Layer const &layer);

} // namespace tilewright::model
