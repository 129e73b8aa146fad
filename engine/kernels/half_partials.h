#pragma once

#include "engine/kernels/conv.h"
#include "engine/kernels/gemm.h"

/// Sums whose partial sums are float16 (graph::halfPartials), of operands that are widened already: so many inputs at a time
/// in float32, put on what has been summed, rounded; the last store is left to whoever stores the result. Slower than sums
/// in float32 by a pass over the result for each accumulation; cut by shapes alone, like those.
namespace tilewright::kernels {

/// `products` pairs of matrices, one behind the other in each operand.
Prepared gemmInHalf(Gemm const &first, std::int64_t products, std::int64_t inputs);
Prepared convInHalf(ConvCall const &call, std::int64_t inputs);
/// to[outer][inner] = the sums over n of from[outer][n][inner].
Prepared sumInHalf(float const *from, std::int64_t outer, std::int64_t n, std::int64_t inner, float *to, std::int64_t inputs);

} // namespace tilewright::kernels
