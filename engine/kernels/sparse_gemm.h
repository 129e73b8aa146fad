#pragma once

#include "engine/kernels/gemm.h"

namespace tilewright::kernels {

/// C = op(A) op(B) as runGemm() with alpha 1 and beta 0, leaving out the products with elements that are 0: what relu
/// clipped, what dropout took, the paper around a written digit. Gives false, and then C holds nothing of use, where a sample
/// of both operands has too few zeros for that to be faster, where the product is small, and where the other operand is not
/// finite everywhere (0 times that is not 0). Sums run over k in ascending order with one rounding a step, whatever is left
/// out: neither the number of threads nor the vectors of the processor change a bit.
bool runSparseGemm(ThreadPool &pool, Gemm const &g);

/// The same whatever the operands hold, skipping zeros of A or of B: what tests and benchmarks call.
enum class SparseSide { A, B };
bool multiplySkipping(ThreadPool &pool, Gemm const &g, SparseSide side);

} // namespace tilewright::kernels
