#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec global_average_pooling_2dLayer() { return globalPoolingSpec("GlobalAveragePooling2D", 2, false); }

} // namespace tilewright::model
