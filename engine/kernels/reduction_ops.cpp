#include "engine/graph/partial_sums.h"
#include "engine/kernels/half_partials.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/reduce.h"
#include "engine/kernels/support.h"

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

Result<Prepared> prepareReduce(PrepareArgs const &args, MiddleReduction::Kind kind)
{
    TW_TRY(requireCounts(args, 1, 1));
    auto const rc = graph::rowsCols(args.inputs[0].shape);
    auto const axes = args.node.attrs.text("axes");
    if (axes == "rows") return bindReduction(args, {kind, 1, rc.rows, rc.cols});
    if (axes == "cols") return bindReduction(args, {kind, rc.rows, rc.cols, 1});
    if (axes == "all") return bindReduction(args, {kind, 1, rc.rows * rc.cols, 1});
    return unsupported(args.node, Message::of("unknown axes '%1'.", axes), Message::of("Use rows, cols or all."));
}

} // namespace

Result<Prepared> prepareReduceSum(PrepareArgs const &args) { return prepareReduce(args, MiddleReduction::Sum); }
Result<Prepared> prepareReduceMax(PrepareArgs const &args) { return prepareReduce(args, MiddleReduction::Max); }

// The output's shape, right-aligned to the input's; runs of axes that are all kept or all summed are one axis,
// and each summed one is a pass of its own, outermost first (the passes after it are smaller).
Result<Prepared> prepareReduceTo(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireF32(args));
    Shape const &from = args.inputs[0].shape;
    Shape const &to = args.outputs[0].shape;
    struct Axis {
        std::int64_t extent;
        bool summed;
    };
    std::vector<Axis> axes;
    if (to.size() > from.size()) return unsupported(args.node, Message::of("%1 has fewer axes than %2.", toText(from), toText(to)));
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t const missing = from.size() - to.size();
        std::int64_t const kept = i < missing ? 1 : to[i - missing];
        if (kept != from[i] && kept != 1) return unsupported(args.node, Message::of("%1 does not reduce to %2.", toText(from), toText(to)));
        if (from[i] == 1) continue;
        bool const summed = kept != from[i];
        if (!axes.empty() && axes.back().summed == summed) axes.back().extent *= from[i];
        else axes.push_back({from[i], summed});
    }
    std::vector<MiddleReduction> passes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!axes[i].summed) continue;
        MiddleReduction pass{MiddleReduction::Sum, 1, axes[i].extent, 1};
        for (std::size_t k = 0; k < i; ++k)
            if (!axes[k].summed) pass.outer *= axes[k].extent;
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
