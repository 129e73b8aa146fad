#include "engine/kernels/ops.h"
#include "engine/kernels/optimizer_math.h"
#include "engine/kernels/support.h"

namespace tilewright::kernels {

Result<Prepared> prepareAccumulate(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireF32(args));
    std::int64_t const n = args.inputs[0].elements();
    TW_TRY(requireElements(args, args.inputs[1], n));
    TW_TRY(requireElements(args, args.outputs[0], n));
    auto const scale = static_cast<float>(args.node.attrs.real("scale"));
    auto const *acc = args.inputs[0].f32();
    auto const *g = args.inputs[1].f32();
    auto *out = args.outputs[0].f32();
    Pieces const pieces{n, kElementsPerTask};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const end = pieces.end(task);
#pragma GCC ivdep
            for (auto i = pieces.begin(task); i < end; ++i) out[i] = accumulateValue(acc[i], g[i], scale);
        });
    });
}

Result<Prepared> prepareAccumulateRunning(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 3, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::F32));
    TW_TRY(requireType(args, args.inputs[1], DType::F32));
    TW_TRY(requireType(args, args.inputs[2], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    std::int64_t const n = args.inputs[0].elements();
    TW_TRY(requireElements(args, args.inputs[1], n));
    TW_TRY(requireElements(args, args.inputs[2], 1));
    TW_TRY(requireElements(args, args.outputs[0], n));
    auto const *acc = args.inputs[0].f32();
    auto const *g = args.inputs[1].f32();
    auto const *k = args.inputs[2].i32();
    auto *out = args.outputs[0].f32();
    Pieces const pieces{n, kElementsPerTask};
    return Prepared([=](RunContext &ctx) {
        auto const c = runningCoefficients(*k);
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const end = pieces.end(task);
#pragma GCC ivdep
            for (auto i = pieces.begin(task); i < end; ++i) out[i] = runningValue(acc[i], g[i], c);
        });
    });
}

Result<Prepared> prepareIncrement(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::I32));
    TW_TRY(requireElements(args, args.inputs[0], 1));
    TW_TRY(requireElements(args, args.outputs[0], 1));
    auto const by = static_cast<std::uint32_t>(args.node.attrs.integer("by"));
    auto const *x = args.inputs[0].i32();
    auto *out = args.outputs[0].i32();
    return Prepared([=](RunContext &) { *out = static_cast<std::int32_t>(static_cast<std::uint32_t>(*x) + by); });
}

} // namespace tilewright::kernels
