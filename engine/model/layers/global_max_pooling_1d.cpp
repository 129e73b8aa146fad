#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec global_max_pooling_1dLayer() { return globalPoolingSpec("GlobalMaxPooling1D", 1, true); }

} // namespace tilewright::model
