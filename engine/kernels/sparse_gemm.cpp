#include "engine/kernels/sparse_gemm.h"

#include "engine/core/types.h"
#include "engine/kernels/wide_vectors.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <vector>

// Only this file is compiled with contraction: each a b + c of vectors is rounded once, like fmadd().
namespace tilewright::kernels {

namespace {

using Narrow [[gnu::vector_size(32)]] = float;
using Wide [[gnu::vector_size(64)]] = float;
using Bits [[gnu::vector_size(32)]] = std::int32_t;

constexpr std::int64_t kWord = 32;          ///< elements along the depth per mask
constexpr std::int64_t kBlockFloats = 8192; ///< floats of the packed dense operand, 32 KiB
constexpr int kSums = 8;                    ///< vectors of sums: enough to hide the latency of an addition
constexpr std::int64_t kTile = 64;          ///< rows whose sums are computed and then written, if one block covers the whole depth
constexpr std::int64_t kMostRows = 256, kLeastRows = 32, kChunk = 128;

#if defined(__FMA__) || defined(__aarch64__)
constexpr bool kFused = true;
#else
constexpr bool kFused = false; ///< wide vectors would round once, those of the build twice
#endif

/// Minimum multiply-adds (below, the library finishes before the zeros are found) and minimum columns of a row of sums.
constexpr double kLeastWork = 4e5;
constexpr std::int64_t kLeastCols = 64;
/// Maximum share of nonzero elements for which skipping zeros is faster (tests/bench/bench_sparse against oneDNN 2.6 on Zen 4), for the
/// build's
/// vectors and for wide ones. Sums of columns are written across the rows of the result.
struct MostFilled {
    double rows, columns;
};
constexpr MostFilled kNarrowFilled{0.33, 0.15}, kWideFilled{0.5, 0.4};

/// out(r, c) = sum over k of side(r, k) dense(k, c), with strides in elements. One stride of each pair is 1.
struct Product {
    float const *side;
    std::int64_t sideRow, sideDepth;
    float const *dense;
    std::int64_t denseDepth, denseCol;
    float *out;
    std::int64_t outRow, outCol;
    std::int64_t rows, cols, depth;
};

Product productOf(Gemm const &g, SparseSide side)
{
    std::int64_t const aRow = g.ta ? 1 : g.lda, aDepth = g.ta ? g.lda : 1;
    std::int64_t const bDepth = g.tb ? 1 : g.ldb, bCol = g.tb ? g.ldb : 1;
    if (side == SparseSide::A) return {g.a, aRow, aDepth, g.b, bDepth, bCol, g.c, g.ldc, 1, g.m, g.n, g.k};
    return {g.b, bCol, bDepth, g.a, aDepth, aRow, g.c, 1, g.ldc, g.n, g.m, g.k};
}

/// Rows and columns of the result for each task; depends only on the extents.
struct Part {
    std::int64_t row, rows, col, cols;
};

struct Scratch {
    std::vector<std::uint32_t> masks; ///< [word][row]: bit k is set if the element is not 0
    std::vector<float> sums;          ///< [row][chunk]
    alignas(64) std::array<float, kBlockFloats> packed;
};

template <typename V> [[gnu::always_inline]] inline V load(float const *from)
{
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

template <typename V> [[gnu::always_inline]] inline void store(float *to, V const &v) { std::memcpy(to, &v, sizeof v); }

/// to[c][r] = from[r][c], 8 x 8.
[[gnu::always_inline]] inline void transpose8(float const *from, std::int64_t fromRow, float *to, std::int64_t toRow)
{
    Narrow a[8], b[8];
    for (int i = 0; i < 8; ++i, from += fromRow) a[i] = load<Narrow>(from);
    for (int i = 0; i < 8; i += 2) {
        b[i] = __builtin_shufflevector(a[i], a[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        b[i + 1] = __builtin_shufflevector(a[i], a[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; ++j) {
            a[i + 2 * j] = __builtin_shufflevector(b[i + j], b[i + j + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            a[i + 2 * j + 1] = __builtin_shufflevector(b[i + j], b[i + j + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; ++i) {
        b[i] = __builtin_shufflevector(a[i], a[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        b[i + 4] = __builtin_shufflevector(a[i], a[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int i = 0; i < 8; ++i, to += toRow) store(to, b[i]);
}

/// to[c * toRow + r] = from[r * fromRow + c].
[[gnu::always_inline]] inline void transposeInto(float const *from, std::int64_t fromRow, std::int64_t rows, std::int64_t cols, float *to,
                                                 std::int64_t toRow)
{
    std::int64_t const fullRows = rows & ~std::int64_t{7}, fullCols = cols & ~std::int64_t{7};
    for (std::int64_t c = 0; c < fullCols; c += 8)
        for (std::int64_t r = 0; r < fullRows; r += 8) transpose8(from + r * fromRow + c, fromRow, to + c * toRow + r, toRow);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = r < fullRows ? fullCols : 0; c < cols; ++c) to[c * toRow + r] = from[r * fromRow + c];
}

/// Masks of the rows of this part.
[[gnu::always_inline]] inline void markRows(Product const &p, Part const &part, std::vector<std::uint32_t> &masks)
{
    masks.assign(static_cast<std::size_t>(ceilDiv(p.depth, kWord) * part.rows), 0);
    float const *side = p.side + part.row * p.sideRow;
    if (p.sideDepth == 1) {
        Bits const places{1, 2, 4, 8, 16, 32, 64, 128};
        for (std::int64_t r = 0; r < part.rows; ++r) {
            float const *row = side + r * p.sideRow;
            for (std::int64_t k = 0; k < p.depth; k += kWord) {
                std::uint32_t mask = 0;
                if (k + kWord <= p.depth) {
                    Bits all{};
                    for (int i = 0; i < 4; ++i) all |= (load<Narrow>(row + k + 8 * i) != 0) & (places << (8 * i));
                    for (int i = 0; i < 8; ++i) mask |= static_cast<std::uint32_t>(all[i]);
                } else {
                    for (std::int64_t i = k; i < p.depth; ++i) mask |= std::uint32_t{row[i] != 0} << (i - k);
                }
                masks[static_cast<std::size_t>(k / kWord * part.rows + r)] = mask;
            }
        }
        return;
    }
    for (std::int64_t k = 0; k < p.depth; ++k) {
        float const *elements = side + k * p.sideDepth;
        std::uint32_t *of = masks.data() + k / kWord * part.rows;
        std::uint32_t const bit = std::uint32_t{1} << (k % kWord);
        for (std::int64_t r = 0; r < part.rows; ++r) of[r] |= elements[r] != 0 ? bit : 0;
    }
}

/// The first `cols` of a chunk. A whole chunk is copied as vectors, because memcpy() is slower for so few bytes.
template <typename V> [[gnu::always_inline]] inline void copyChunk(float const *from, std::int64_t cols, float *to)
{
    constexpr std::int64_t kLanes = sizeof(V) / sizeof(float);
    if (cols == kSums * kLanes)
        for (int i = 0; i < kSums; ++i) store(to + i * kLanes, load<V>(from + i * kLanes));
    else
        for (std::int64_t c = 0; c < cols; ++c) to[c] = from[c];
}

/// packed[k][c] = dense(k0 + k, c0 + c), 0 after the last column. Returns true if all are finite.
template <typename V> [[gnu::always_inline]] inline bool pack(Product const &p, std::int64_t k0, std::int64_t depth, std::int64_t c0,
                                                              std::int64_t cols, float *packed)
{
    constexpr std::int64_t kLanes = sizeof(V) / sizeof(float), kWidth = kSums * kLanes;
    float const *from = p.dense + k0 * p.denseDepth + c0 * p.denseCol;
    if (p.denseCol != 1) transposeInto(from, p.denseCol, cols, depth, packed, kWidth);
    V zeros[kSums] = {};
    for (std::int64_t k = 0; k < depth; ++k) {
        float *row = packed + k * kWidth;
        if (p.denseCol == 1) copyChunk<V>(from + k * p.denseDepth, cols, row);
        for (std::int64_t c = cols; c < kWidth; ++c) row[c] = 0;
        for (int i = 0; i < kSums; ++i) zeros[i] = 0.0F * load<V>(row + i * kLanes) + zeros[i]; // NaN for non-finite elements
    }
    float sum = 0;
    for (auto const &zero : zeros)
        for (int i = 0; i < kLanes; ++i) sum += zero[i];
    return sum == 0;
}

/// sums += the rows of `packed` selected by the mask, each times its element of the sparse operand.
template <typename V> [[gnu::always_inline]] inline void addRows(std::uint32_t mask, float const *side, std::int64_t sideDepth,
                                                                 float const *packed, V (&sums)[kSums])
{
    constexpr std::int64_t kLanes = sizeof(V) / sizeof(float), kWidth = kSums * kLanes;
    for (; mask != 0; mask &= mask - 1) {
        auto const k = std::countr_zero(mask);
        float const factor = side[k * sideDepth];
        float const *row = packed + k * kWidth;
        asm("" : "+r"(row)); // one address and eight offsets; eight addresses would need too many registers
#pragma GCC unroll 8
        for (int i = 0; i < kSums; ++i) sums[i] = factor * load<V>(row + i * kLanes) + sums[i];
    }
}

template <typename V> [[gnu::always_inline]] inline bool makePart(Product const &p, Part const &part, Scratch &scratch)
{
    constexpr std::int64_t kLanes = sizeof(V) / sizeof(float), kWidth = kSums * kLanes, kDepth = kBlockFloats / kWidth;
    static_assert(kDepth % kWord == 0);
    bool const oneBlock = p.depth <= kDepth;
    std::int64_t const tile = oneBlock ? std::min(kTile, part.rows) : part.rows;
    markRows(p, part, scratch.masks);
    scratch.sums.resize(static_cast<std::size_t>(tile * kWidth));
    bool finite = true;
    for (std::int64_t c0 = part.col; c0 < part.col + part.cols; c0 += kWidth) {
        std::int64_t const cols = std::min(kWidth, part.col + part.cols - c0);
        if (oneBlock) finite &= pack<V>(p, 0, p.depth, c0, cols, scratch.packed.data());
        for (std::int64_t r0 = 0; r0 < part.rows; r0 += tile) {
            std::int64_t const rows = std::min(tile, part.rows - r0);
            float *const out = p.out + (part.row + r0) * p.outRow + c0 * p.outCol;
            // Whole rows of a chunk write sums directly to the result, others through the scratch buffer.
            bool const inPlace = p.outCol == 1 && cols == kWidth;
            float *const sumsAt = inPlace ? out : scratch.sums.data();
            std::int64_t const sumsRow = inPlace ? p.outRow : kWidth;
            for (std::int64_t k0 = 0; k0 < p.depth; k0 += kDepth) {
                std::int64_t const depth = std::min(kDepth, p.depth - k0);
                if (!oneBlock) finite &= pack<V>(p, k0, depth, c0, cols, scratch.packed.data());
                for (std::int64_t r = 0; r < rows; ++r) {
                    float *at = sumsAt + r * sumsRow;
                    V sums[kSums] = {};
                    if (k0 > 0)
                        for (int i = 0; i < kSums; ++i) sums[i] = load<V>(at + i * kLanes);
                    for (std::int64_t k = k0; k < k0 + depth; k += kWord)
                        addRows(scratch.masks[static_cast<std::size_t>(k / kWord * part.rows + r0 + r)],
                                p.side + (part.row + r0 + r) * p.sideRow + k * p.sideDepth, p.sideDepth,
                                scratch.packed.data() + (k - k0) * kWidth, sums);
                    for (int i = 0; i < kSums; ++i) store(at + i * kLanes, sums[i]);
                }
            }
            if (inPlace) continue;
            if (p.outCol == 1)
                for (std::int64_t r = 0; r < rows; ++r) copyChunk<V>(sumsAt + r * kWidth, cols, out + r * p.outRow);
            else transposeInto(sumsAt, kWidth, rows, cols, out, p.outCol);
        }
    }
    return finite;
}

[[TW_WIDE_VECTORS]] bool makePartWide(Product const &p, Part const &part, Scratch &scratch) { return makePart<Wide>(p, part, scratch); }
bool makePartNarrow(Product const &p, Part const &part, Scratch &scratch) { return makePart<Narrow>(p, part, scratch); }

/// About as many parts as the library would get pieces. If one block covers the depth, packing is negligible and rows are cut; otherwise
/// cut
/// columns first, so that each is packed once for as many rows as possible.
std::vector<Part> partsOf(Product const &p, std::int64_t wanted)
{
    bool const oneBlock = p.depth <= kBlockFloats / kChunk;
    std::int64_t const cols = oneBlock ? p.cols : std::max(kChunk, roundUp(ceilDiv(p.cols, wanted), kChunk));
    std::int64_t const rowParts = oneBlock ? wanted : ceilDiv(wanted, ceilDiv(p.cols, cols));
    std::int64_t const rows = std::clamp(roundUp(ceilDiv(p.rows, rowParts), kLeastRows), oneBlock ? kTile : kLeastRows, kMostRows);
    std::vector<Part> parts;
    for (std::int64_t row = 0; row < p.rows; row += rows)
        for (std::int64_t col = 0; col < p.cols; col += cols)
            parts.push_back({row, std::min(rows, p.rows - row), col, std::min(cols, p.cols - col)});
    return parts;
}

bool multiply(ThreadPool &pool, Product const &p, std::int64_t wantedParts, bool wide)
{
    auto const parts = partsOf(p, wantedParts);
    auto const make = wide && kFused ? makePartWide : makePartNarrow;
    std::atomic<bool> finite{true};
    auto const body = [&](std::size_t index) {
        thread_local Scratch scratch;
        if (finite && !make(p, parts[index], scratch)) finite = false;
    };
    if (parts.size() == 1) {
        DenormalGuard const guard;
        body(0);
    } else {
        pool.run(parts.size(), std::cref(body));
    }
    return finite;
}

/// Share of nonzero elements of a stored matrix, from a sample that does not depend on the values.
double filledShare(float const *from, std::int64_t rows, std::int64_t cols, std::int64_t stride)
{
    constexpr std::int64_t kGroups = 64, kRun = 16;
    constexpr double kGolden = 0.6180339887498949; // its multiples modulo 1 do not align with a period of the matrix
    DenormalGuard const guard;
    std::int64_t const inRow = std::max<std::int64_t>(1, cols / kRun), length = std::min(cols, kRun);
    std::int64_t filled = 0;
    for (std::int64_t i = 0; i < kGroups; ++i) {
        double const at = static_cast<double>(i) * kGolden;
        auto const group = static_cast<std::int64_t>((at - std::floor(at)) * static_cast<double>(rows * inRow));
        float const *run = from + group / inRow * stride + group % inRow * kRun;
        for (std::int64_t j = 0; j < length; ++j) filled += run[j] != 0;
    }
    return static_cast<double>(filled) / static_cast<double>(kGroups * length);
}

/// The operand whose zeros are worth skipping, if any.
std::optional<SparseSide> sparseSideOf(Gemm const &g, bool wide)
{
    if (static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k) < kLeastWork) return std::nullopt;
    double const ofA = g.n < kLeastCols ? 1 : filledShare(g.a, g.ta ? g.k : g.m, g.ta ? g.m : g.k, g.lda);
    double const ofB = g.m < kLeastCols ? 1 : filledShare(g.b, g.tb ? g.n : g.k, g.tb ? g.k : g.n, g.ldb);
    auto const most = wide && kFused ? kWideFilled : kNarrowFilled;
    if (ofA <= most.rows && ofA <= ofB) return SparseSide::A;
    if (ofB <= most.columns) return SparseSide::B;
    return ofA <= most.rows ? std::optional(SparseSide::A) : std::nullopt;
}

} // namespace

bool multiplySkipping(ThreadPool &pool, Gemm const &g, SparseSide side, bool wide)
{
    if (g.alpha != 1 || g.beta != 0 || g.k == 0) return false;
    if (g.m == 0 || g.n == 0) return true;
    auto const cut = cutGemm(g);
    return multiply(pool, productOf(g, side), cut.rowPieces * cut.colPieces, wide);
}

bool runSparseGemm(ThreadPool &pool, Gemm const &g, bool wide)
{
    auto const side = sparseSideOf(g, wide);
    return side && multiplySkipping(pool, g, *side, wide);
}

} // namespace tilewright::kernels
