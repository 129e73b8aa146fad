#include "engine/kernels/gemm.h"

#include "engine/core/types.h"

#include <algorithm>
#include <functional>

namespace tilewright::kernels {

namespace {

/// Multiply-adds that make a piece worth handing to another thread: some ten microseconds; half of a product
/// that is cut once may be smaller, for one hand-over costs about one.
constexpr double kWorkPerPiece = 1.5e6;
constexpr double kWorkPerHalf = 0.5e6;
constexpr std::int64_t kMaxPieces = 64;
/// Pieces narrower than these lose more in the library's packing than a thread wins (measured with oneDNN
/// 2.6: 32 x 784 x 256 in quarters of 16 x 128 takes the time of the whole, in quarters of 32 x 64 10 % more).
constexpr std::int64_t kLeastRows = 16;
constexpr std::int64_t kLeastCols = 128;

} // namespace

void gemmNaive(Gemm const &g)
{
    for (std::int64_t i = 0; i < g.m; ++i) {
        for (std::int64_t j = 0; j < g.n; ++j) {
            float sum = 0;
            for (std::int64_t k = 0; k < g.k; ++k)
                sum += (g.ta ? g.a[k * g.lda + i] : g.a[i * g.lda + k]) * (g.tb ? g.b[j * g.ldb + k] : g.b[k * g.ldb + j]);
            float &c = g.c[i * g.ldc + j];
            c = g.beta == 0 ? g.alpha * sum : g.alpha * sum + g.beta * c;
        }
    }
}

void transposeMatrix(float const *from, std::int64_t rows, std::int64_t cols, float *to)
{
    // In blocks of which source and destination stay in the nearest cache: seven times as fast as row by row.
    constexpr std::int64_t kBlock = 16;
    for (std::int64_t top = 0; top < rows; top += kBlock)
        for (std::int64_t left = 0; left < cols; left += kBlock) {
            std::int64_t const bottom = std::min(top + kBlock, rows), right = std::min(left + kBlock, cols);
            for (std::int64_t col = left; col < right; ++col)
                for (std::int64_t row = top; row < bottom; ++row) to[col * rows + row] = from[row * cols + col];
        }
}

GemmCut cutGemm(std::int64_t m, std::int64_t n, std::int64_t k)
{
    GemmCut cut{m, n, 1, 1};
    if (m <= 0 || n <= 0) return cut;
    double const work = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::max<std::int64_t>(k, 1));
    for (std::int64_t pieces = 1; pieces < kMaxPieces; pieces = cut.rowPieces * cut.colPieces) {
        if (work / static_cast<double>(2 * pieces) < (pieces == 1 ? kWorkPerHalf : kWorkPerPiece)) break;
        bool const rowsCan = cut.rows >= 2 * kLeastRows;
        bool const colsCan = cut.cols >= 2 * kLeastCols;
        if (!rowsCan && !colsCan) break;
        // Halve the longer side: the least operand traffic per piece.
        if (colsCan && (cut.cols >= cut.rows || !rowsCan)) {
            cut.cols = roundUp(ceilDiv(cut.cols, 2), kLeastRows);
            cut.colPieces = ceilDiv(n, cut.cols);
        } else {
            cut.rows = roundUp(ceilDiv(cut.rows, 2), kLeastRows / 2);
            cut.rowPieces = ceilDiv(m, cut.rows);
        }
    }
    return cut;
}

Gemm gemmPiece(Gemm const &whole, GemmCut const &cut, std::int64_t index)
{
    std::int64_t const row = index / cut.colPieces * cut.rows;
    std::int64_t const col = index % cut.colPieces * cut.cols;
    Gemm piece = whole;
    piece.m = std::min(cut.rows, whole.m - row);
    piece.n = std::min(cut.cols, whole.n - col);
    piece.a += whole.ta ? row : row * whole.lda;
    piece.b += whole.tb ? col * whole.ldb : col;
    piece.c += row * whole.ldc + col;
    return piece;
}

void runGemm(ThreadPool &pool, Gemm const &g)
{
    auto const cut = cutGemm(g.m, g.n, g.k);
    auto const pieces = cut.rowPieces * cut.colPieces;
    if (pieces == 1) {
        DenormalGuard const guard;
        gemm(g);
        return;
    }
    auto const body = [&](std::size_t index) { gemm(gemmPiece(g, cut, static_cast<std::int64_t>(index))); };
    pool.run(static_cast<std::size_t>(pieces), std::cref(body));
}

} // namespace tilewright::kernels
