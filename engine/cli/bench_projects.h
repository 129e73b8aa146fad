#pragma once

#include "engine/project/project.h"

namespace tilewright::cli {

/// `layers` equal encoder layers as wide as BERT-base (768, 12 heads, 3,072 inside) in float16 on sequences of 128, on a Grouped pipeline
/// of `stages` IPUs: micro-batch 1, accumulation 16, SGD with momentum. Requires: stages divides layers.
project::Project encoderStack(int layers, int stages);

/// `layers` times LSTM(128) over the 28 rows of a digit, and a classifier, on one gc200.
project::Project lstmStack(int layers);

/// `layers` times Dense(256) with relu after the digits, on one gc200; with or without outlining.
project::Project denseChain(int layers, bool outlined);

} // namespace tilewright::cli
