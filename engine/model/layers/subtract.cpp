#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

LayerSpec subtractLayer() { return elementwiseMerge("Subtract", "Difference of two inputs: the first minus the second.", 2); }

} // namespace tilewright::model
