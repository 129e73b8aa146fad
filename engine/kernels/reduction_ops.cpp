#include "engine/graph/axes.h"
#include "engine/graph/partial_sums.h"
#include "engine/kernels/half_partials.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/reduce.h"
#include "engine/kernels/support.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace tilewright::kernels {

namespace {

template <typename T> Prepared bindReduction(MiddleReduction const &r, HostTensor const &x, HostTensor const &out)
{
    auto const scratch = std::make_shared<std::vector<T>>();
    auto const *from = reinterpret_cast<T const *>(x.data);
    auto *to = reinterpret_cast<T *>(out.data);
    return [=](RunContext &ctx) { reduceMiddle<T>(ctx, r, from, to, *scratch); };
}

Result<Prepared> bindReduction(PrepareArgs const &args, MiddleReduction const &r)
{
    TW_TRY(requireElements(args, args.inputs[0], r.outer * r.n * r.inner));
    TW_TRY(requireElements(args, args.outputs[0], r.outer * r.inner));
    TW_TRY(requireType(args, args.outputs[0], args.inputs[0].dtype));
    if (auto const inputs = graph::halfPartials(args.node))
        return sumInHalf(args.inputs[0].f32(), r.outer, r.n, r.inner, args.outputs[0].f32(), inputs);
    if (args.inputs[0].dtype == DType::F32) return bindReduction<float>(r, args.inputs[0], args.outputs[0]);
    if (args.inputs[0].dtype == DType::I32) return bindReduction<std::int32_t>(r, args.inputs[0], args.outputs[0]);
    return unsupported(args.node, Message::of("reduces f32 and i32 only."));
}

MiddleReduction middleOf(MiddleReduction::Kind kind, std::span<graph::AxisRun const> runs)
{
    MiddleReduction r{kind, 1, 1, 1};
    bool after = false;
    for (auto const &run : runs) {
        if (run.marked) r.n *= run.extent;
        else (after ? r.inner : r.outer) *= run.extent;
        after = after || run.marked;
    }
    return r;
}

/// Copies the operand to a buffer with its kept axes in front, and reduces the rest.
Result<Prepared> bindTurnedReduction(PrepareArgs const &args, MiddleReduction::Kind kind, std::vector<graph::AxisRun> const &runs)
{
    auto const &x = args.inputs[0];
    std::vector<graph::BroadcastLoop> loops; // kept axes, then reduced axes
    MiddleReduction r{kind, 1, 1, 1};
    for (bool const last : {false, true}) {
        std::int64_t stride = x.elements();
        for (auto const &run : runs) {
            stride /= run.extent;
            if (run.marked != last) continue;
            loops.push_back({run.extent, stride});
            (last ? r.n : r.outer) *= run.extent;
        }
    }
    auto const buffer = std::make_shared<std::vector<std::byte>>();
    HostTensor const source = x;
    auto const bytes = static_cast<std::size_t>(sizeOf(x.dtype));
    buffer->resize(static_cast<std::size_t>(x.elements()) * bytes);
    HostTensor turned{x.dtype, {r.outer, r.n}, buffer->data()};
    PrepareArgs const inner{args.node, {&turned, 1}, args.outputs};
    TW_ASSIGN(auto const reduce, bindReduction(inner, r));
    Pieces const pieces{r.outer, std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, r.n))};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (std::int64_t i = pieces.begin(task) * r.n; i < pieces.end(task) * r.n; ++i)
                std::memcpy(buffer->data() + static_cast<std::size_t>(i) * bytes,
                            source.data + static_cast<std::size_t>(graph::elementOf(loops, i)) * bytes, bytes);
        });
        reduce(ctx);
    });
}

Result<Prepared> prepareReduce(PrepareArgs const &args, MiddleReduction::Kind kind)
{
    TW_TRY(requireCounts(args, 1, 1));
    auto const reduced = graph::reducedAxes(args.node, args.inputs[0].shape);
    if (!reduced.ok()) return unsupported(args.node, reduced.error().message);
    auto const runs = graph::axisRuns(args.inputs[0].shape, *reduced);
    // One run of reduced axes is reduced where it lies. Several are brought together first, in one order of addition for all types.
    if (std::ranges::count_if(runs, &graph::AxisRun::marked) > 1) return bindTurnedReduction(args, kind, runs);
    return bindReduction(args, middleOf(kind, runs));
}

} // namespace

Result<Prepared> prepareReduceSum(PrepareArgs const &args) { return prepareReduce(args, MiddleReduction::Sum); }
Result<Prepared> prepareReduceMax(PrepareArgs const &args) { return prepareReduce(args, MiddleReduction::Max); }
Result<Prepared> prepareReduceMin(PrepareArgs const &args) { return prepareReduce(args, MiddleReduction::Min); }
Result<Prepared> prepareReduceProd(PrepareArgs const &args) { return prepareReduce(args, MiddleReduction::Product); }

// The sum times the inverse of the number of addends, as on the tiles.
Result<Prepared> prepareReduceMean(PrepareArgs const &args)
{
    TW_TRY(requireF32(args));
    TW_ASSIGN(auto const sum, prepareReduce(args, MiddleReduction::Sum));
    auto const out = args.outputs[0];
    auto const factor =
        static_cast<float>(static_cast<double>(out.elements()) / static_cast<double>(std::max<std::int64_t>(1, args.inputs[0].elements())));
    return Prepared([=](RunContext &ctx) {
        sum(ctx);
        DenormalGuard const guard;
        for (std::int64_t i = 0; i < out.elements(); ++i) out.f32()[i] *= factor;
    });
}

// The output's shape, right-aligned to the input's; runs of axes that are all kept or all summed are one axis,
// and each summed one is a pass of its own, outermost first (the passes after it are smaller).
Result<Prepared> prepareReduceTo(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireF32(args));
    Shape const &from = args.inputs[0].shape;
    Shape const &to = args.outputs[0].shape;
    if (!graph::broadcasts(to, from)) return unsupported(args.node, Message::of("%1 does not reduce to %2.", toText(from), toText(to)));
    Shape const wide = graph::alignedTo(from.size(), to);
    std::vector<bool> summed;
    for (std::size_t i = 0; i < from.size(); ++i) summed.push_back(wide[i] != from[i]);
    auto const axes = graph::axisRuns(from, summed);
    std::vector<MiddleReduction> passes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!axes[i].marked) continue;
        MiddleReduction pass{MiddleReduction::Sum, 1, axes[i].extent, 1};
        for (std::size_t k = 0; k < i; ++k)
            if (!axes[k].marked) pass.outer *= axes[k].extent;
        for (std::size_t k = i + 1; k < axes.size(); ++k) pass.inner *= axes[k].extent;
        passes.push_back(pass);
    }
    if (passes.empty()) return prepareCopy(args);
    if (passes.size() == 1) return bindReduction(args, passes[0]);
    struct State {
        std::vector<float> scratch, first, second;
    };
    auto const state = std::make_shared<State>();
    auto const *x = args.inputs[0].f32();
    auto *out = args.outputs[0].f32();
    return Prepared([=](RunContext &ctx) {
        float const *source = x;
        for (std::size_t i = 0; i < passes.size(); ++i) {
            auto const &pass = passes[i];
            float *target = out;
            if (i + 1 < passes.size()) {
                auto &buffer = i % 2 ? state->second : state->first;
                buffer.resize(static_cast<std::size_t>(pass.outer * pass.inner));
                target = buffer.data();
            }
            reduceMiddle<float>(ctx, pass, source, target, state->scratch);
            source = target;
        }
    });
}

} // namespace tilewright::kernels
