#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec global_max_pooling_3dLayer() { return globalPoolingSpec("GlobalMaxPooling3D", 3, true); }

} // namespace tilewright::model
