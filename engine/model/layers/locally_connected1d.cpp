#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec locally_connected1dLayer() { return locallyConnected(1); }

} // namespace tilewright::model
