#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec average_pooling_2dLayer() { return poolingSpec("AveragePooling2D", 2, false); }

} // namespace tilewright::model
