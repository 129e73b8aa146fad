#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec zero_padding3dLayer() { return zeroPaddingLayer(3); }

} // namespace tilewright::model
