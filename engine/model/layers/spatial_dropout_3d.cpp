#include "engine/model/layers/noise_rules.h"

namespace tilewright::model {

LayerSpec spatial_dropout_3dLayer() { return spatialDropoutSpec("SpatialDropout3D", 3); }

} // namespace tilewright::model
