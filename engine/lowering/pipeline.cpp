#include "engine/lowering/pipeline.h"
namespace tilewright::lowering {
Status lowerPipeline(LowerContext &, graph::NodeId) { return {}; }
}
