#pragma once

#include "engine/core/parallel.h"

#include <cstdint>
#include <string_view>

namespace tilewright::kernels {

/// C[M,N] = alpha op(A) op(B) + beta C, all row-major, op(A) [M,K], op(B) [K,N]. With `ta` A is stored [K,M], with `tb` B is stored [N,K].
/// lda, ldb, ldc are strides of stored rows, in elements. f32 accumulation. With beta 0, C is not read. C must not overlap A or B.
struct Gemm {
    bool ta = false, tb = false;
    std::int64_t m = 0, n = 0, k = 0;
    float const *a = nullptr;
    std::int64_t lda = 0;
    float const *b = nullptr;
    std::int64_t ldb = 0;
    float *c = nullptr;
    std::int64_t ldc = 0;
    float alpha = 1, beta = 0;
};

/// One library call on the calling thread: oneDNN if the build found it, else Eigen. Never starts threads. Throws std::bad_alloc if the
/// library cannot allocate its copies.
void gemm(Gemm const &g);
/// Sets OpenMP's thread count of the calling thread to one, once per thread. Debian's oneDNN uses OpenMP; this keeps each library call on
/// its thread. Nothing else here uses OpenMP.
void stayOnThisThread();
/// "oneDNN" or "Eigen".
std::string_view gemmLibrary();

/// The same with Eigen, and with three plain loops: references for gemm().
void gemmEigen(Gemm const &g);
void gemmNaive(Gemm const &g);

/// to[cols, rows] = the transpose of from[rows, cols], both row-major and dense.
void transposeMatrix(float const *from, std::int64_t rows, std::int64_t cols, float *to);

/// The cut of a product into library calls: a function of its extents and of the order of its operands alone, so that the number of threads
/// does not affect the bits. K is never cut.
struct GemmCut {
    std::int64_t rows = 0, cols = 0; ///< of a piece; the last ones may be smaller
    std::int64_t rowPieces = 1, colPieces = 1;
};
GemmCut cutGemm(Gemm const &g);
/// Piece number `index` of a product cut by `cut`.
Gemm gemmPiece(Gemm const &whole, GemmCut const &cut, std::int64_t index);
/// Computes all pieces on the pool.
void runGemm(ThreadPool &pool, Gemm const &g);

} // namespace tilewright::kernels
