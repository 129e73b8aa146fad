#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec multiplyLayer() { return elementwiseMerge("Multiply", "Product of the inputs."); }

} // namespace tilewright::model
