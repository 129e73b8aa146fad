#include "engine/kernels/map_blocks.h"

#include "engine/kernels/prim_math.h"
#include "engine/kernels/wide_vectors.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

namespace tilewright::kernels {

namespace {

using graph::arityOf;
using graph::Prim;

template <Prim P> std::int32_t intValue(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t p, std::int32_t q)
{
    auto const wrap = [](std::uint32_t v) { return static_cast<std::int32_t>(v); };
    auto const u = [](std::int32_t v) { return static_cast<std::uint32_t>(v); };
    if constexpr (P == Prim::Add) return wrap(u(x) + u(y));
    else if constexpr (P == Prim::Sub) return wrap(u(x) - u(y));
    else if constexpr (P == Prim::Mul) return wrap(u(x) * u(y));
    else if constexpr (P == Prim::Max) return std::max(x, y);
    else if constexpr (P == Prim::Min) return std::min(x, y);
    else if constexpr (P == Prim::Neg) return wrap(0u - u(x));
    else if constexpr (P == Prim::Abs) return x < 0 ? wrap(0u - u(x)) : x;
    else if constexpr (P == Prim::Square) return wrap(u(x) * u(x));
    else if constexpr (P == Prim::Sign) return (x > 0) - (x < 0);
    else if constexpr (P == Prim::Relu) return std::max(x, 0);
    else if constexpr (P == Prim::ReluGrad) return x > 0 ? y : 0;
    else if constexpr (P == Prim::MaxGrad) return x >= y ? z : 0;
    else if constexpr (P == Prim::Select) return x != 0 ? y : z;
    else if constexpr (P == Prim::AddScalar) return wrap(u(x) + u(p));
    else if constexpr (P == Prim::MulScalar) return wrap(u(x) * u(p));
    else if constexpr (P == Prim::MaxScalar) return std::max(x, p);
    else if constexpr (P == Prim::Clip) return std::min(std::max(x, p), q);
    else if constexpr (P == Prim::Step) return x > p;
    else if constexpr (P == Prim::Equal) return x == y;
    else if constexpr (P == Prim::Greater) return x > y;
    else {
        static_assert(P == Prim::GreaterEqual, "prims.def says that this primitive has a meaning for integers");
        return x >= y;
    }
}

template <Prim P> void intBlock(Block<std::int32_t> const &b)
{
    auto const p = static_cast<std::int32_t>(b.p), q = static_cast<std::int32_t>(b.q);
    for (std::int64_t r = 0; r < b.rows; ++r) {
        auto const *x = b.from[0] + r * b.fromStride[0], *y = b.from[1] + r * b.fromStride[1], *z = b.from[2] + r * b.fromStride[2];
        auto *out = b.to + r * b.toStride;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < b.cols; ++i) out[i] = intValue<P>(x[i], arityOf(P) > 1 ? y[i] : 0, arityOf(P) > 2 ? z[i] : 0, p, q);
    }
}

// Iterations are independent.
template <Prim P> void floatBlock(Block<float> const &b)
{
    auto const p = static_cast<float>(b.p), q = static_cast<float>(b.q);
    std::int64_t const cols = b.cols;
    for (std::int64_t r = 0; r < b.rows; ++r) {
        auto const *x = b.from[0] + r * b.fromStride[0], *y = b.from[1] + r * b.fromStride[1], *z = b.from[2] + r * b.fromStride[2];
        auto *out = b.to + r * b.toStride;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < cols; ++i) {
            if constexpr (arityOf(P) == 1) out[i] = primValue<P>(x[i], 0, 0, p, q);
            else if constexpr (arityOf(P) == 2) out[i] = primValue<P>(x[i], y[i], 0, p, q);
            else out[i] = primValue<P>(x[i], y[i], z[i], p, q);
        }
    }
}

template <Prim P> [[TW_WIDE_VECTORS]] void wideFloatBlock(Block<float> const &b) { floatBlock<P>(b); }

template <typename T, Prim P, bool Wide> constexpr BlockFn<T> blockOf()
{
    if constexpr (std::is_same_v<T, float>) return Wide ? &wideFloatBlock<P> : &floatBlock<P>;
    else if constexpr (graph::has(P, graph::kWhole)) return &intBlock<P>;
    // Primitives without an integer form have no entry in the table.
    else return nullptr;
}

template <typename T, bool Wide, std::size_t... I> constexpr auto makeBlockTable(std::index_sequence<I...>)
{
    return std::array<BlockFn<T>, sizeof...(I)>{blockOf<T, static_cast<Prim>(I), Wide>()...};
}
template <typename T, bool Wide> constexpr auto kBlockTable = makeBlockTable<T, Wide>(std::make_index_sequence<graph::kPrimCount>{});

} // namespace

template <typename T> BlockFn<T> blockFn(Prim prim)
{
    auto const at = static_cast<std::size_t>(prim);
    return wideVectors() ? kBlockTable<T, true>[at] : kBlockTable<T, false>[at];
}
template BlockFn<float> blockFn<float>(Prim);
template BlockFn<std::int32_t> blockFn<std::int32_t>(Prim);

int weightOf(Prim prim)
{
    constexpr int kHeavyWeight = 8;
    return graph::has(prim, graph::kHeavy) ? kHeavyWeight : 1;
}

} // namespace tilewright::kernels
