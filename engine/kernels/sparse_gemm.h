#pragma once

#include "engine/kernels/gemm.h"

namespace tilewright::kernels {

/// C = op(A) op(B) as runGemm() with alpha 1 and beta 0, skipping products with zero elements: results of relu, dropout, or the background
/// of a digit. Returns false, with an undefined C, if a sample of both operands has too few zeros for a gain, if the product is small, or
/// if the other operand is not finite everywhere (0 times infinity is not 0). Sums run over k in ascending order with one rounding per
/// step, with or without skipping, so that the number of threads does not affect the bits. The decision depends on both whole operands and
/// on the processor's vectors: the last bits of a row may differ in another batch, as the library's differ in another shape and on another
/// processor. `wide`: wideVectors() at binding time.
bool runSparseGemm(ThreadPool &pool, Gemm const &g, bool wide);

/// The same for any operands, skipping zeros of A or of B. For tests and benchmarks.
enum class SparseSide { A, B };
bool multiplySkipping(ThreadPool &pool, Gemm const &g, SparseSide side, bool wide);

} // namespace tilewright::kernels
