#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

LayerSpec conv_lstm2_dLayer() { return convLstm(2); }

} // namespace tilewright::model
