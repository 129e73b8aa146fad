#include "engine/model/layers/attention_rules.h"

namespace tilewright::model {

LayerSpec additive_attentionLayer() { return dotOrAdditiveAttention(true); }

} // namespace tilewright::model
