#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec global_average_pooling_1dLayer() { return globalPoolingSpec("GlobalAveragePooling1D", 1, false); }

} // namespace tilewright::model
