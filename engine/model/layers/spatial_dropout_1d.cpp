#include "engine/model/layers/noise_rules.h"

namespace tilewright::model {

LayerSpec spatial_dropout_1dLayer() { return spatialDropoutSpec("SpatialDropout1D", 1); }

} // namespace tilewright::model
