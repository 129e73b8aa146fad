#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec up_sampling3dLayer() { return upSamplingLayer(3); }

} // namespace tilewright::model
