#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

LayerSpec conv_lstm3_dLayer() { return convLstm(3); }

} // namespace tilewright::model
