#pragma once

#include "engine/graph/axes.h"
#include "engine/kernels/support.h"
#include "engine/kernels/vector_math.h"

/// Shared by softmax and the cross-entropies.
namespace tilewright::kernels {

/// A softmax element costs about four additions.
constexpr std::int64_t kSoftmaxElementsPerTask = kElementsPerTask / 4;

/// Runs along the last axis, cut into pieces for such kernels.
Pieces rowPieces(graph::AxisView const &runs);

/// y = softmax of each row of x (max-subtracted); y may be x. `logSums` may be null; it receives ln sum exp(x - max) per row.
void softmaxRows(float const *x, float *y, std::int64_t rows, std::int64_t cols, float *logSums);

} // namespace tilewright::kernels
