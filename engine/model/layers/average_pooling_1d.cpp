#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec average_pooling_1dLayer() { return poolingSpec("AveragePooling1D", 1, false); }

} // namespace tilewright::model
