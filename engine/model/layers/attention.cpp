#include "engine/model/layers/attention_rules.h"

namespace tilewright::model {

LayerSpec attentionLayer() { return dotOrAdditiveAttention(false); }

} // namespace tilewright::model
