#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

LayerSpec conv_lstm1_dLayer() { return convLstm(1); }

} // namespace tilewright::model
