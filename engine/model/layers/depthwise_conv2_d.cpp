#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec depthwise_conv2_dLayer() { return depthwiseConvolution(); }

} // namespace tilewright::model
