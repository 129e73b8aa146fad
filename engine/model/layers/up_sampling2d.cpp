#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec up_sampling2dLayer() { return upSamplingLayer(2); }

} // namespace tilewright::model
