#include "engine/model/layers/conv_rules.h"

namespace tilewright::model {

LayerSpec locally_connected2dLayer() { return locallyConnected(2); }

} // namespace tilewright::model
