#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec separable_conv1_dLayer() { return separableConvolution(1); }

} // namespace tilewright::model
