#pragma once

#include "engine/kernels/conv.h"
#include "engine/kernels/gemm.h"

#include <cstdint>
#include <vector>

/// Sums with float16 partial sums (graph::halfPartials) of widened operands: groups of inputs are summed in float32, added to the sum so
/// far, and rounded; the caller does the last store. Each accumulation takes one more pass over the result than float32 sums. The partition
/// depends on shapes alone.
namespace tilewright::kernels {

/// By product of a batch: the numbers of its matrices in both operands. Empty: each product has its own.
struct MatrixPairs {
    std::vector<std::int64_t> a, b;
    std::int64_t ofA(std::int64_t product) const { return a.empty() ? product : a[static_cast<std::size_t>(product)]; }
    std::int64_t ofB(std::int64_t product) const { return b.empty() ? product : b[static_cast<std::size_t>(product)]; }
};

/// `products` products, `first` without an offset.
Prepared gemmInHalf(Gemm const &first, std::int64_t products, MatrixPairs pairs, std::int64_t inputs);
Prepared convInHalf(ConvCall const &call, std::int64_t inputs);
/// to[outer][inner] = the sums over n of from[outer][n][inner].
Prepared sumInHalf(float const *from, std::int64_t outer, std::int64_t n, std::int64_t inner, float *to, std::int64_t inputs);

} // namespace tilewright::kernels
