#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec cropping2dLayer() { return croppingLayer(2); }

} // namespace tilewright::model
