#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec zero_padding1dLayer() { return zeroPaddingLayer(1); }

} // namespace tilewright::model
