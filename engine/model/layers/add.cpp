#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec addLayer() { return elementwiseMerge("Add", "Sum of the inputs."); }

} // namespace tilewright::model
