#include "engine/kernels/noise_math.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

namespace tilewright::kernels {

Result<std::int32_t const *> addedStream(PrepareArgs const &args)
{
    if (args.inputs.size() < 3) return static_cast<std::int32_t const *>(nullptr);
    TW_TRY(requireType(args, args.inputs[2], DType::I32));
    TW_TRY(requireElements(args, args.inputs[2], 1));
    return static_cast<std::int32_t const *>(args.inputs[2].i32());
}

Result<Prepared> prepareNormal(PrepareArgs const &args)
{
    // The first operand gives only the number of elements; its bytes are not read.
    TW_TRY(requireCounts(args, args.inputs.size() == 3 ? 3 : 2, 1));
    TW_TRY(requireType(args, args.inputs[1], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    std::int64_t const n = args.outputs[0].elements();
    TW_TRY(requireElements(args, args.inputs[0], n));
    TW_TRY(requireElements(args, args.inputs[1], 1));
    TW_ASSIGN(auto const *added, addedStream(args));
    auto const mean = static_cast<float>(args.node.attrs.real("mean")), deviation = static_cast<float>(args.node.attrs.real("stddev"));
    auto const nodeSeed = static_cast<std::uint64_t>(args.node.attrs.integer("node_seed"));
    auto const *counter = args.inputs[1].i32();
    auto *out = args.outputs[0].f32();
    Pieces const pieces{n, kElementsPerTask / 8};
    return Prepared([=](RunContext &ctx) {
        auto const seed = drawingSeed(ctx.seed, ctx.replica, nodeSeed, added, *counter);
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const end = pieces.end(task);
#pragma GCC ivdep
            for (auto i = pieces.begin(task); i < end; ++i) out[i] = normalValue(seed, static_cast<std::uint64_t>(i), mean, deviation);
        });
    });
}

} // namespace tilewright::kernels
