#include "engine/kernels/noise_math.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

namespace tilewright::kernels {

Result<Prepared> prepareDropout(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, args.inputs.size() == 3 ? 3 : 2, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::F32));
    TW_TRY(requireType(args, args.inputs[1], DType::I32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    std::int64_t const n = args.inputs[0].elements();
    TW_TRY(requireElements(args, args.inputs[1], 1));
    TW_ASSIGN(auto const *added, addedStream(args));
    TW_TRY(requireElements(args, args.outputs[0], n));
    double const rateAttr = args.node.attrs.real("rate");
    if (!(rateAttr >= 0 && rateAttr < 1)) return unsupported(args.node, Message::of("the rate must be at least 0 and below 1."));
    auto const rate = static_cast<float>(rateAttr);
    auto const scale = static_cast<float>(1.0 / (1.0 - rateAttr));
    auto const nodeSeed = static_cast<std::uint64_t>(args.node.attrs.integer("node_seed"));
    auto const *x = args.inputs[0].f32();
    auto const *counter = args.inputs[1].i32();
    auto *out = args.outputs[0].f32();
    Pieces const pieces{n, kElementsPerTask / 4};
    return Prepared([=](RunContext &ctx) {
        auto const seed = drawingSeed(ctx.seed, ctx.replica, nodeSeed, added, *counter);
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const end = pieces.end(task);
#pragma GCC ivdep
            for (auto i = pieces.begin(task); i < end; ++i) {
                float const u = unitFloat(randomBits(seed, static_cast<std::uint64_t>(i)));
                float const kept = x[i] * scale;
                out[i] = u >= rate ? kept : 0.0f;
            }
        });
    });
}

} // namespace tilewright::kernels
