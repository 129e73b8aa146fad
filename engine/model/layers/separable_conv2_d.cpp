#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec separable_conv2_dLayer() { return separableConvolution(2); }

} // namespace tilewright::model
