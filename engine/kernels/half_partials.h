#pragma once

#include "engine/kernels/conv.h"
#include "engine/kernels/gemm.h"

/// Sums with float16 partial sums (graph::halfPartials) of widened operands: groups of inputs are summed in float32, added to the sum so
/// far, and rounded; the caller does the last store. Each accumulation takes one more pass over the result than float32 sums. The partition
/// depends on shapes alone.
namespace tilewright::kernels {

/// `products` consecutive pairs of matrices in each operand.
Prepared gemmInHalf(Gemm const &first, std::int64_t products, std::int64_t inputs);
Prepared convInHalf(ConvCall const &call, std::int64_t inputs);
/// to[outer][inner] = the sums over n of from[outer][n][inner].
Prepared sumInHalf(float const *from, std::int64_t outer, std::int64_t n, std::int64_t inner, float *to, std::int64_t inputs);

} // namespace tilewright::kernels
