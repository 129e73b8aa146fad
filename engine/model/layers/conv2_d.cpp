#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec conv2_dLayer() { return convolution(2); }

} // namespace tilewright::model
