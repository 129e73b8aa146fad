#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec addLayer() { return elementwiseMerge("Add", "Elementwise sum of the inputs."); }

} // namespace tilewright::model
