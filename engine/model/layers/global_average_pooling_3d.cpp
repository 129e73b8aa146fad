#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec global_average_pooling_3dLayer() { return globalPoolingSpec("GlobalAveragePooling3D", 3, false); }

} // namespace tilewright::model
