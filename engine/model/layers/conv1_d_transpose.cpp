#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec conv1_d_transposeLayer() { return transposedConvolution(1); }

} // namespace tilewright::model
