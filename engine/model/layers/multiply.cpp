#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec multiplyLayer() { return elementwiseMerge("Multiply", "Elementwise product of the inputs."); }

} // namespace tilewright::model
