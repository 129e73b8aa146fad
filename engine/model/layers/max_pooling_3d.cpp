#include "engine/model/layers/pooling_rules.h"

namespace tilewright::model {

LayerSpec max_pooling_3dLayer() { return poolingSpec("MaxPooling3D", 3, true); }

} // namespace tilewright::model
