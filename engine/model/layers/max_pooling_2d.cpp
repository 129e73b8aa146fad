#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec max_pooling_2dLayer() { return poolingSpec("MaxPooling2D", 2, true); }

} // namespace tilewright::model
