#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec minimumLayer() { return elementwiseMerge("Minimum", "Elementwise minimum of the inputs."); }

} // namespace tilewright::model
