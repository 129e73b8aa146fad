#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec conv3_dLayer() { return convolution(3); }

} // namespace tilewright::model
