#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec cropping1dLayer() { return croppingLayer(1); }

} // namespace tilewright::model
