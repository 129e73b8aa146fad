#include "engine/model/layers/noise_rules.h"

namespace tilewright::model {

LayerSpec spatial_dropout_2dLayer() { return spatialDropoutSpec("SpatialDropout2D", 2); }

} // namespace tilewright::model
