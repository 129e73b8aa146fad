#pragma once

#include "engine/interop/import.h"

namespace tilewright::interop {

/// A layers model of TensorFlow.js: model.json with `modelTopology` and, beside it, the shards of its weights. Types of weights: float32,
/// and those quantised to uint8, uint16 (value · scale + min) or float16. Shards are read from the document's folder only. Errors
/// (Invalid): "import.tfjs" (a graph model, a missing or short shard, an unknown type, a path that leads elsewhere).
Result<Imported> readTensorFlowJs(Sniffed const &file, JobContext const &job);

} // namespace tilewright::interop
