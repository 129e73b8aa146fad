#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec conv3_d_transposeLayer() { return transposedConvolution(3); }

} // namespace tilewright::model
