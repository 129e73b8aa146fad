#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec max_pooling_1dLayer() { return poolingSpec("MaxPooling1D", 1, true); }

} // namespace tilewright::model
