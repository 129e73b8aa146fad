#include "engine/graph/parts.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <type_traits>
#include <vector>

// Operations along one axis of outer x n x inner elements. Runs with something inside them are taken a block of neighbours at a
// time, so that memory is read in its order.

namespace tilewright::kernels {

namespace {

constexpr std::int64_t kNeighbours = 64;

struct Runs {
    graph::AxisView view;
    Pieces blocks; ///< of outer x (inner in blocks of neighbours)
    std::int64_t perRow = 1;
};

Result<Runs> runsOf(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    Runs runs;
    if (!args.inputs[0].shape.empty()) {
        auto const view = graph::axisViewOf(args.node, args.inputs[0].shape);
        if (!view.ok()) return unsupported(args.node, view.error().message);
        runs.view = *view;
    }
    runs.perRow = ceilDiv(runs.view.inner, kNeighbours);
    auto const elements = runs.view.n * std::min(runs.view.inner, kNeighbours);
    runs.blocks = {runs.view.outer * runs.perRow, std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, elements))};
    return runs;
}

/// body(first element of the block, first run, neighbours).
template <typename Body> void forEachBlock(RunContext &ctx, Runs const &runs, Body const &body)
{
    parallelFor(ctx, runs.blocks.tasks(), [&](std::size_t task) {
        for (auto b = runs.blocks.begin(task); b < runs.blocks.end(task); ++b) {
            std::int64_t const outer = b / runs.perRow, inner = b % runs.perRow * kNeighbours;
            body(outer * runs.view.n * runs.view.inner + inner, outer * runs.view.inner + inner,
                 std::min(kNeighbours, runs.view.inner - inner));
        }
    });
}

/// numpy's order: the first NaN, else the first extreme element.
template <bool Largest> bool before(float x, float held)
{
    if (held != held) return false;
    return (Largest ? x > held : x < held) || x != x;
}

template <bool Largest> Result<Prepared> bindArg(PrepareArgs const &args)
{
    TW_ASSIGN(auto const runs, runsOf(args));
    TW_TRY(requireType(args, args.inputs[0], DType::F32));
    TW_TRY(requireType(args, args.outputs[0], DType::I32));
    TW_TRY(requireElements(args, args.outputs[0], runs.view.rows()));
    return Prepared([=, x = args.inputs[0].f32(), out = args.outputs[0].i32()](RunContext &ctx) {
        forEachBlock(ctx, runs, [&](std::int64_t first, std::int64_t run, std::int64_t count) {
            float held[kNeighbours];
            std::copy_n(x + first, count, held);
            std::fill_n(out + run, count, 0);
            for (std::int64_t k = 1; k < runs.view.n; ++k) {
                float const *at = x + first + k * runs.view.inner;
                for (std::int64_t i = 0; i < count; ++i)
                    if (before<Largest>(at[i], held[i])) {
                        held[i] = at[i];
                        out[run + i] = static_cast<std::int32_t>(k);
                    }
            }
        });
    });
}

template <typename T, bool Product> T grown(T sum, T x)
{
    if constexpr (std::is_same_v<T, std::int32_t>) { // wraps around
        auto const a = static_cast<std::uint32_t>(sum), b = static_cast<std::uint32_t>(x);
        return static_cast<std::int32_t>(Product ? a * b : a + b);
    } else {
        return Product ? sum * x : sum + x;
    }
}

template <typename T, bool Product> Prepared bindRunning(Runs const &runs, PrepareArgs const &args)
{
    bool const exclusive = args.node.attrs.flag("exclusive"), reverse = args.node.attrs.flag("reverse");
    return [=, x = reinterpret_cast<T const *>(args.inputs[0].data), out = reinterpret_cast<T *>(args.outputs[0].data)](RunContext &ctx) {
        forEachBlock(ctx, runs, [&](std::int64_t first, std::int64_t, std::int64_t count) {
            T sums[kNeighbours];
            std::fill_n(sums, count, static_cast<T>(Product ? 1 : 0));
            for (std::int64_t k = 0; k < runs.view.n; ++k) {
                std::int64_t const at = first + (reverse ? runs.view.n - 1 - k : k) * runs.view.inner;
                for (std::int64_t i = 0; i < count; ++i) {
                    T const next = grown<T, Product>(sums[i], x[at + i]);
                    out[at + i] = exclusive ? sums[i] : next;
                    sums[i] = next;
                }
            }
        });
    };
}

template <bool Product> Result<Prepared> bindCumulative(PrepareArgs const &args)
{
    TW_ASSIGN(auto const runs, runsOf(args));
    TW_TRY(requireType(args, args.outputs[0], args.inputs[0].dtype));
    TW_TRY(requireElements(args, args.outputs[0], args.inputs[0].elements()));
    if (args.inputs[0].dtype == DType::F32) return bindRunning<float, Product>(runs, args);
    if (args.inputs[0].dtype == DType::I32) return bindRunning<std::int32_t, Product>(runs, args);
    return unsupported(args.node, Message::of("sums float32 and int32 only."));
}

} // namespace

Result<Prepared> prepareArgmax(PrepareArgs const &args) { return bindArg<true>(args); }
Result<Prepared> prepareArgmin(PrepareArgs const &args) { return bindArg<false>(args); }
Result<Prepared> prepareCumsum(PrepareArgs const &args) { return bindCumulative<false>(args); }
Result<Prepared> prepareCumprod(PrepareArgs const &args) { return bindCumulative<true>(args); }

} // namespace tilewright::kernels
