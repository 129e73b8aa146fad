#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec conv2_d_transposeLayer() { return transposedConvolution(2); }

} // namespace tilewright::model
