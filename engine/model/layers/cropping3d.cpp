#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec cropping3dLayer() { return croppingLayer(3); }

} // namespace tilewright::model
