#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec averageLayer() { return elementwiseMerge("Average", "Elementwise mean of the inputs."); }

} // namespace tilewright::model
