#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec average_pooling_3dLayer() { return poolingSpec("AveragePooling3D", 3, false); }

} // namespace tilewright::model
