#include "engine/kernels/gemm.h"

#include "engine/core/types.h"

#include <algorithm>
#include <functional>

namespace tilewright::kernels {

namespace {

/// Minimum multiply-adds of a piece for another thread: about ten microseconds. A product that is cut once may have smaller halves, because
/// one
/// hand-over costs about one microsecond. With more pieces they must be larger, because each packs its operands again.
constexpr double kWorkPerPiece = 1.5e6;
constexpr double kWorkPerHalf = 0.5e6;
constexpr double kWorkPerManyth = 6e6;
constexpr std::int64_t kFewPieces = 4, kManyPieces = 16, kMaxPieces = 64;
/// Minimum side length of each of many pieces, so that packing is negligible.
constexpr std::int64_t kLargeSide = 512;
/// Packing an operand across its rows takes this many times as long.
constexpr double kPackTransposed = 4;
/// Narrower pieces lose more time in the library's packing than a thread gains. Measured with oneDNN 2.6: 32 x 784 x 256 in quarters of 16
/// x 128
/// takes as long as the whole product; quarters of 32 x 64 take 10 % longer.
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
    // In blocks whose source and destination stay in the first-level cache; seven times as fast as row by row.
    constexpr std::int64_t kBlock = 16;
    for (std::int64_t top = 0; top < rows; top += kBlock)
        for (std::int64_t left = 0; left < cols; left += kBlock) {
            std::int64_t const bottom = std::min(top + kBlock, rows), right = std::min(left + kBlock, cols);
            for (std::int64_t col = left; col < right; ++col)
                for (std::int64_t row = top; row < bottom; ++row) to[col * rows + row] = from[row * cols + col];
        }
}

GemmCut cutGemm(Gemm const &g)
{
    GemmCut cut{g.m, g.n, 1, 1};
    if (g.m <= 0 || g.n <= 0) return cut;
    double const depth = static_cast<double>(std::max<std::int64_t>(g.k, 1)), rows = static_cast<double>(g.m),
                 cols = static_cast<double>(g.n);
    double const work = rows * cols * depth;
    for (std::int64_t pieces = 1; pieces < kMaxPieces; pieces = cut.rowPieces * cut.colPieces) {
        double const wanted = pieces == 1 ? kWorkPerHalf : pieces < kFewPieces ? kWorkPerPiece : kWorkPerManyth;
        if (work / static_cast<double>(2 * pieces) < wanted) break;
        bool const rowsCan = cut.rows >= 2 * (pieces < kManyPieces ? kLeastRows : kLargeSide);
        bool const colsCan = cut.cols >= 2 * (pieces < kManyPieces ? kLeastCols : kLargeSide);
        if (!rowsCan && !colsCan) break;
        // A piece of rows packs B again, a piece of columns packs A again: halve along the cheaper one.
        double const packB = static_cast<double>(cut.rowPieces) * depth * cols * (g.tb ? kPackTransposed : 1);
        double const packA = static_cast<double>(cut.colPieces) * depth * rows * (g.ta ? kPackTransposed : 1);
        if (colsCan && (packA <= packB || !rowsCan)) {
            cut.cols = roundUp(ceilDiv(cut.cols, 2), kLeastRows);
            cut.colPieces = ceilDiv(g.n, cut.cols);
        } else {
            cut.rows = roundUp(ceilDiv(cut.rows, 2), kLeastRows / 2);
            cut.rowPieces = ceilDiv(g.m, cut.rows);
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
    auto const cut = cutGemm(g);
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
