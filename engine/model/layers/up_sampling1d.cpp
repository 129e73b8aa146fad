#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec up_sampling1dLayer() { return upSamplingLayer(1); }

} // namespace tilewright::model
