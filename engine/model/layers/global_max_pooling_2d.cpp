#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec global_max_pooling_2dLayer() { return globalPoolingSpec("GlobalMaxPooling2D", 2, true); }

} // namespace tilewright::model
