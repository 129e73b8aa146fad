#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec maximumLayer() { return elementwiseMerge("Maximum", "Largest of the inputs, element by element."); }

} // namespace tilewright::model
