#include "engine/kernels/reduce.h"

#include "engine/kernels/support.h"

#include <array>
#include <limits>
#include <type_traits>

namespace tilewright::kernels {

namespace {

constexpr int kLanes = 32;
/// Elements of a contiguous run that are added per lane before pairwise summation.
constexpr std::int64_t kRun = 1024;
/// Rows that are added in sequence before pairwise summation.
constexpr std::int64_t kRows = 32;
/// Columns whose sums fit in the first-level cache.
constexpr std::int64_t kCols = 256;
/// Rows (or elements of one run) per task if a single result has many.
constexpr std::int64_t kRowsPerTask = 1024;
constexpr std::int64_t kRunPerTask = 32768;

using Kind = MiddleReduction::Kind;

template <typename T, Kind K> T combine(T a, T b)
{
    constexpr bool real = std::is_same_v<T, float>;
    // Integers wrap around.
    constexpr auto bits = [](T v) { return static_cast<std::uint32_t>(v); };
    if constexpr (K == Kind::Max && real) return (b > a) | (b != b) ? b : a;
    else if constexpr (K == Kind::Min && real) return (b < a) | (b != b) ? b : a;
    else if constexpr (K == Kind::Max) return std::max(a, b);
    else if constexpr (K == Kind::Min) return std::min(a, b);
    else if constexpr (K == Kind::Product && real) return a * b;
    else if constexpr (real) return a + b;
    else return static_cast<T>(K == Kind::Product ? bits(a) * bits(b) : bits(a) + bits(b));
}
template <typename T, Kind K> constexpr T neutral()
{
    using Limits = std::numeric_limits<T>;
    if constexpr (K == Kind::Sum) return T(0);
    else if constexpr (K == Kind::Product) return T(1);
    else if constexpr (Limits::has_infinity) return K == Kind::Max ? -Limits::infinity() : Limits::infinity();
    else return K == Kind::Max ? Limits::lowest() : Limits::max();
}

/// At most kRun elements; `term(i)` is element i.
template <typename T, Kind K, typename Term> T reduceShort(std::int64_t n, Term const &term)
{
    if (n < kLanes) {
        T sum = neutral<T, K>();
        for (std::int64_t i = 0; i < n; ++i) sum = combine<T, K>(sum, term(i));
        return sum;
    }
    std::array<T, kLanes> lanes;
    for (int l = 0; l < kLanes; ++l) lanes[static_cast<std::size_t>(l)] = term(l);
    std::int64_t i = kLanes;
    for (; i + kLanes <= n; i += kLanes)
        for (int l = 0; l < kLanes; ++l)
            lanes[static_cast<std::size_t>(l)] = combine<T, K>(lanes[static_cast<std::size_t>(l)], term(i + l));
    for (int l = 0; i + l < n; ++l) lanes[static_cast<std::size_t>(l)] = combine<T, K>(lanes[static_cast<std::size_t>(l)], term(i + l));
    for (int width = kLanes / 2; width > 0; width /= 2)
        for (int l = 0; l < width; ++l)
            lanes[static_cast<std::size_t>(l)] =
                combine<T, K>(lanes[static_cast<std::size_t>(l)], lanes[static_cast<std::size_t>(l + width)]);
    return lanes[0];
}

/// Any length: split in halves at a multiple of kRun.
template <typename T, Kind K, typename Term> T reduceRun(std::int64_t begin, std::int64_t n, Term const &term)
{
    if (n <= kRun) return reduceShort<T, K>(n, [&](std::int64_t i) { return term(begin + i); });
    std::int64_t const half = roundUp(ceilDiv(n, 2), kRun);
    return combine<T, K>(reduceRun<T, K>(begin, half, term), reduceRun<T, K>(begin + half, n - half, term));
}

/// out[c] = reduction over rows of x[row * stride + c], c < cols <= kCols.
template <typename T, Kind K> void reduceRows(T const *x, std::int64_t rows, std::int64_t stride, std::int64_t cols, T *out)
{
    if (rows <= kRows) {
        if (rows == 0) {
            std::fill_n(out, cols, neutral<T, K>());
            return;
        }
        std::array<T, kCols> sums;
        std::copy_n(x, cols, sums.data());
        for (std::int64_t r = 1; r < rows; ++r) {
            T const *row = x + r * stride;
            for (std::int64_t c = 0; c < cols; ++c)
                sums[static_cast<std::size_t>(c)] = combine<T, K>(sums[static_cast<std::size_t>(c)], row[c]);
        }
        std::copy_n(sums.data(), cols, out);
        return;
    }
    std::int64_t const half = roundUp(ceilDiv(rows, 2), kRows);
    std::array<T, kCols> second;
    reduceRows<T, K>(x, half, stride, cols, out);
    reduceRows<T, K>(x + half * stride, rows - half, stride, cols, second.data());
    for (std::int64_t c = 0; c < cols; ++c) out[c] = combine<T, K>(out[c], second[static_cast<std::size_t>(c)]);
}

template <typename T, Kind K> void reduceWide(T const *x, std::int64_t rows, std::int64_t cols, T *out)
{
    for (std::int64_t c = 0; c < cols; c += kCols) reduceRows<T, K>(x + c, rows, cols, std::min(kCols, cols - c), out + c);
}

template <typename T, Kind K> void reduce(RunContext &ctx, MiddleReduction const &r, T const *x, T *out, std::vector<T> &scratch)
{
    if (r.outer == 0 || r.inner == 0) return;
    if (r.inner == 1) {
        auto const reduceOne = [&](std::int64_t begin, std::int64_t n) {
            return reduceRun<T, K>(begin, n, [x](std::int64_t i) { return x[i]; });
        };
        if (r.n <= 2 * kRunPerTask) {
            Pieces const pieces{r.outer, std::max<std::int64_t>(1, kRunPerTask / std::max<std::int64_t>(1, r.n))};
            parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
                for (auto o = pieces.begin(task); o < pieces.end(task); ++o) out[o] = reduceOne(o * r.n, r.n);
            });
            return;
        }
        Pieces const pieces{r.n, kRunPerTask};
        scratch.resize(pieces.tasks());
        for (std::int64_t o = 0; o < r.outer; ++o) {
            parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
                scratch[task] = reduceOne(o * r.n + pieces.begin(task), pieces.end(task) - pieces.begin(task));
            });
            out[o] = reduceRun<T, K>(0, static_cast<std::int64_t>(scratch.size()),
                                     [&](std::int64_t i) { return scratch[static_cast<std::size_t>(i)]; });
        }
        return;
    }
    if (r.outer > 1) {
        Pieces const pieces{r.outer, std::max<std::int64_t>(1, kRunPerTask / std::max<std::int64_t>(1, r.n * r.inner))};
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto o = pieces.begin(task); o < pieces.end(task); ++o)
                reduceWide<T, K>(x + o * r.n * r.inner, r.n, r.inner, out + o * r.inner);
        });
        return;
    }
    Pieces const rows{r.n, kRowsPerTask};
    if (rows.tasks() <= 1 || r.n * r.inner <= 2 * kRunPerTask) {
        // Few rows: divide the columns among tasks.
        Pieces const cols{r.inner, roundUp(std::max(kCols, kRunPerTask / std::max<std::int64_t>(1, r.n)), kCols)};
        parallelFor(ctx, cols.tasks(), [&](std::size_t task) {
            for (auto c = cols.begin(task); c < cols.end(task); c += kCols)
                reduceRows<T, K>(x + c, r.n, r.inner, std::min(kCols, cols.end(task) - c), out + c);
        });
        return;
    }
    scratch.resize(rows.tasks() * static_cast<std::size_t>(r.inner));
    parallelFor(ctx, rows.tasks(), [&](std::size_t task) {
        reduceWide<T, K>(x + rows.begin(task) * r.inner, rows.end(task) - rows.begin(task), r.inner,
                         scratch.data() + static_cast<std::int64_t>(task) * r.inner);
    });
    DenormalGuard const guard;
    reduceWide<T, K>(scratch.data(), static_cast<std::int64_t>(rows.tasks()), r.inner, out);
}

} // namespace

template <typename T> void reduceMiddle(RunContext &ctx, MiddleReduction const &r, T const *x, T *out, std::vector<T> &scratch)
{
    switch (r.kind) {
    case Kind::Sum: return reduce<T, Kind::Sum>(ctx, r, x, out, scratch);
    case Kind::Max: return reduce<T, Kind::Max>(ctx, r, x, out, scratch);
    case Kind::Min: return reduce<T, Kind::Min>(ctx, r, x, out, scratch);
    case Kind::Product: return reduce<T, Kind::Product>(ctx, r, x, out, scratch);
    }
}
template void reduceMiddle(RunContext &, MiddleReduction const &, float const *, float *, std::vector<float> &);
template void reduceMiddle(RunContext &, MiddleReduction const &, std::int32_t const *, std::int32_t *, std::vector<std::int32_t> &);

float sumOf(float const *x, std::int64_t n)
{
    return reduceRun<float, Kind::Sum>(0, n, [x](std::int64_t i) { return x[i]; });
}
float dotOf(float const *x, float const *y, std::int64_t n)
{
    return reduceRun<float, Kind::Sum>(0, n, [x, y](std::int64_t i) { return x[i] * y[i]; });
}
float maxOf(float const *x, std::int64_t n)
{
    return reduceRun<float, Kind::Max>(0, n, [x](std::int64_t i) { return x[i]; });
}

} // namespace tilewright::kernels
