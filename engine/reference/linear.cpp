#include "engine/reference/partial_sums.h"

#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace tilewright::reference {

namespace {

double &at(RefTensor &t, std::int64_t i) { return t.v[static_cast<std::size_t>(i)]; }
double at(RefTensor const &t, std::int64_t i) { return t.v[static_cast<std::size_t>(i)]; }

/// Adds inputs(0 … count) to an element, an accumulation at a time.
template <typename Inputs> void sumOver(PartialSums &sums, std::int64_t element, std::int64_t count, Inputs const &inputs)
{
    std::int64_t const atOnce = sums.atOnce(count);
    for (std::int64_t first = 0; first < count; first += atOnce) {
        double sum = 0;
        for (std::int64_t i = first; i < std::min(count, first + atOnce); ++i) sum += inputs(i);
        sums.add(element, sums.accumulation(first), sum);
    }
}

Status matmul(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    bool const ta = call.attrs().flag("transpose_a"), tb = call.attrs().flag("transpose_b");
    auto const a = rowsOf(call.in[0].shape), b = rowsOf(call.in[1].shape);
    std::int64_t const m = ta ? a.length : a.count, k = ta ? a.count : a.length;
    std::int64_t const n = tb ? b.count : b.length;
    if ((tb ? b.length : b.count) != k) return badOperands(call.node, Message::of("inner extents differ."));
    TW_TRY(expectElements(call, call.out[0], m * n));
    PartialSums sums(call);
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j)
            sumOver(sums, i * n + j, k, [&](std::int64_t l) {
                return at(call.in[0], ta ? l * a.length + i : i * a.length + l) * at(call.in[1], tb ? j * b.length + l : l * b.length + j);
            });
    sums.finish();
    return {};
}

/// Index into `small`, which broadcasts to `big`, for element `i` of `big`; -1 if it does not broadcast.
std::int64_t broadcastIndex(Shape const &big, Shape const &small, std::int64_t i)
{
    if (small.size() > big.size()) return -1;
    std::int64_t index = 0, stride = 1;
    for (std::size_t k = 0; k < big.size(); ++k) {
        std::int64_t const extent = big[big.size() - 1 - k];
        std::int64_t const position = i % extent;
        i /= extent;
        if (k >= small.size()) continue;
        std::int64_t const own = small[small.size() - 1 - k];
        if (own != extent && own != 1) return -1;
        if (own != 1) index += position * stride;
        stride *= own;
    }
    return index;
}

Status batchMatmul(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    bool const ta = call.attrs().flag("transpose_a"), tb = call.attrs().flag("transpose_b");
    Shape a = call.in[0].shape, b = call.in[1].shape, out = call.out[0].shape;
    if (a.size() < 2 || b.size() < 2 || out.size() != std::max(a.size(), b.size()))
        return badOperands(call.node, Message::of("the ranks do not fit."));
    auto const take = [](Shape &shape) {
        auto const last = shape.back();
        shape.pop_back();
        return last;
    };
    auto const aCols = take(a), aRows = take(a), bCols = take(b), bRows = take(b);
    std::int64_t const m = ta ? aCols : aRows, k = ta ? aRows : aCols, n = tb ? bRows : bCols;
    if ((tb ? bCols : bRows) != k) return badOperands(call.node, Message::of("inner extents differ."));
    if (take(out) != n || take(out) != m) return badOperands(call.node, Message::of("the result has other extents."));
    PartialSums sums(call);
    for (std::int64_t p = 0; p < elementCount(out); ++p) {
        std::int64_t const left = broadcastIndex(out, a, p), right = broadcastIndex(out, b, p);
        if (left < 0 || right < 0) return badOperands(call.node, Message::of("numbers of matrices differ."));
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                sumOver(sums, (p * m + i) * n + j, k, [&](std::int64_t l) {
                    return at(call.in[0], left * m * k + (ta ? l * m + i : i * k + l))
                        * at(call.in[1], right * k * n + (tb ? j * k + l : l * n + j));
                });
    }
    sums.finish();
    return {};
}

/// Calls visit(element, element of the result, number of it among those that are combined there).
template <typename Visit> Status forEachCombined(Call const &call, Visit const &visit)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto const &x = call.in[0];
    auto const rank = static_cast<std::int64_t>(x.shape.size());
    std::set<std::int64_t> combined;
    if (!call.attrs().has("axes"))
        for (std::int64_t axis = 0; axis < rank; ++axis) combined.insert(axis);
    for (auto const axis : call.attrs().integers("axes")) {
        bool const known = axis >= -rank && axis < rank && combined.insert((axis + rank) % rank).second;
        if (!known) return badOperands(call.node, Message::of("unknown axes."));
    }
    Shape wanted;
    for (std::int64_t axis = 0; axis < rank; ++axis) {
        bool const kept = !combined.contains(axis);
        if (kept || call.attrs().flag("keepdims")) wanted.push_back(kept ? x.shape[static_cast<std::size_t>(axis)] : 1);
    }
    if (wanted != call.out[0].shape) return badOperands(call.node, Message::of("the result is %1.", toText(wanted)));
    std::vector<std::int64_t> index(x.shape.size());
    std::vector<char> isCombined;
    for (std::int64_t axis = 0; axis < rank; ++axis) isCombined.push_back(combined.contains(axis));
    for (std::size_t i = 0; i < x.v.size(); ++i) {
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t k = index.size(); k-- > 0; rest /= x.shape[k]) index[k] = rest % x.shape[k];
        std::int64_t to = 0, number = 0;
        for (std::size_t k = 0; k < index.size(); ++k) {
            auto &position = isCombined[k] ? number : to;
            position = position * x.shape[k] + index[k];
        }
        visit(x.v[i], to, number);
    }
    return {};
}

Status reduceSum(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    PartialSums sums(call);
    TW_TRY(forEachCombined(call, [&](double x, std::int64_t to, std::int64_t number) { sums.add(to, sums.accumulation(number), x); }));
    sums.finish();
    return {};
}

Status reduceMean(Call const &call)
{
    std::vector<std::int64_t> counts(call.out.empty() ? 0 : call.out[0].v.size(), 0);
    TW_TRY(forEachCombined(call, [&](double x, std::int64_t to, std::int64_t) {
        at(call.out[0], to) += x;
        ++counts[static_cast<std::size_t>(to)];
    }));
    for (std::size_t i = 0; i < counts.size(); ++i) {
        double &value = call.out[0].v[i];
        value = call.round(value / static_cast<double>(counts[i]));
    }
    return {};
}

/// Combines from `first`, the result of nothing; NaN stays.
template <typename Combine> Status reduceFrom(Call const &call, double first, Combine const &combine)
{
    for (auto &result : call.out) std::ranges::fill(result.v, first);
    TW_TRY(forEachCombined(call, [&](double x, std::int64_t to, std::int64_t) {
        double &all = at(call.out[0], to);
        all = std::isnan(all) || std::isnan(x) ? std::nan("") : combine(all, x);
    }));
    for (double &value : call.out[0].v) value = call.round(value);
    return {};
}

bool isInteger(Call const &call) { return call.out.size() == 1 && call.out[0].dtype == DType::I32; }

Status reduceMax(Call const &call)
{
    double const lowest = isInteger(call) ? -2147483648.0 : -std::numeric_limits<double>::infinity();
    return reduceFrom(call, lowest, [](double a, double b) { return std::max(a, b); });
}

Status reduceMin(Call const &call)
{
    double const highest = isInteger(call) ? 2147483647.0 : std::numeric_limits<double>::infinity();
    return reduceFrom(call, highest, [](double a, double b) { return std::min(a, b); });
}

Status reduceProd(Call const &call)
{
    // A product of integers wraps around, as the device's registers do.
    if (isInteger(call))
        return reduceFrom(call, 1, [](double a, double b) {
            return static_cast<double>(
                static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(a) * static_cast<std::int64_t>(b))));
        });
    return reduceFrom(call, 1, [](double a, double b) { return a * b; });
}

Status broadcast(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(call.out[0].v.size()); ++i) {
        auto const from = broadcastIndex(call.out[0].shape, call.in[0].shape, i);
        if (from < 0) return badOperands(call.node, Message::of("shapes do not broadcast."));
        at(call.out[0], i) = at(call.in[0], from);
    }
    return {};
}

Status reduceTo(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(call.in[0].v.size()); ++i) {
        auto const to = broadcastIndex(call.in[0].shape, call.out[0].shape, i);
        if (to < 0) return badOperands(call.node, Message::of("shapes do not reduce."));
        at(call.out[0], to) += at(call.in[0], i);
    }
    for (double &value : call.out[0].v) value = call.round(value);
    return {};
}

constexpr std::array kOps{
    RefOp{"matmul", matmul},          RefOp{"batch_matmul", batchMatmul}, RefOp{"reduce_sum", reduceSum},
    RefOp{"reduce_mean", reduceMean}, RefOp{"reduce_max", reduceMax},     RefOp{"reduce_min", reduceMin},
    RefOp{"reduce_prod", reduceProd}, RefOp{"broadcast", broadcast},      RefOp{"reduce_to", reduceTo},
};

} // namespace

std::span<RefOp const> linearOps() { return kOps; }

} // namespace tilewright::reference
