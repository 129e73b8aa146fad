#pragma once

#include "engine/kernels/gemm.h"

namespace tilewright::kernels {

/// C = op(A) op(B) as runGemm() with alpha 1 and beta 0, leaving out the products with elements that are 0: what relu
/// clipped, what dropout took, the paper around a written digit. Gives false, and then C holds nothing of use, where a sample
/// of both operands has too few zeros for that to be faster, where the product is small, and where the other operand is not
/// finite everywhere (0 times that is not 0). Sums run over k in ascending order with one rounding a step, whatever is left
/// out, so that the number of threads changes no bit. Whether zeros are left out depends on all of both operands and on the
/// processor's vectors: the last bits of a row may be others in another batch, as those of the library are in another shape
/// and on another processor. `wide`: wideVectors() of when the product was bound.
bool runSparseGemm(ThreadPool &pool, Gemm const &g, bool wide);

/// The same whatever the operands hold, skipping zeros of A or of B: what tests and benchmarks call.
enum class SparseSide { A, B };
bool multiplySkipping(ThreadPool &pool, Gemm const &g, SparseSide side, bool wide);

} // namespace tilewright::kernels
