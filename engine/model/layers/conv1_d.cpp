#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec conv1_dLayer() { return convolution(1); }

} // namespace tilewright::model
