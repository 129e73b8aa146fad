#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec averageLayer() { return elementwiseMerge("Average", "Mean of the inputs."); }

} // namespace tilewright::model
