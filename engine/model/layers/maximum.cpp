#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec maximumLayer() { return elementwiseMerge("Maximum", "Elementwise maximum of the inputs."); }

} // namespace tilewright::model
