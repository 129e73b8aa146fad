#pragma once

#include "engine/project/project.h"

namespace tilewright::cli {

/// `layers` equal encoder layers of BERT-base's width (768, 12 heads, 3,072 inside) in float16 on sequences of 128, dealt to a
/// Grouped pipeline of `stages` IPUs: micro-batch 1, accumulation 16, SGD with momentum. Requires: stages divides layers.
project::Project encoderStack(int layers, int stages);

/// `layers` times Dense(256) with relu behind digits, on one gc200; outlined or not.
project::Project denseChain(int layers, bool outlined);

} // namespace tilewright::cli
