#include "engine/model/layers/spatial_rules.h"

namespace tilewright::model {

LayerSpec zero_padding2dLayer() { return zeroPaddingLayer(2); }

} // namespace tilewright::model
