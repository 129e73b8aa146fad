#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec minimumLayer() { return elementwiseMerge("Minimum", "Smallest of the inputs, element by element."); }

} // namespace tilewright::model
