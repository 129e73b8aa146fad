#include "engine/graph/parts.h"
#include "engine/kernels/half.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cstring>

namespace tilewright::kernels {

namespace {

template <typename T> void oneHotRows(RunContext &ctx, Pieces const &rows, std::int64_t depth, std::int32_t const *ids, T *out, T one)
{
    parallelFor(ctx, rows.tasks(), [&](std::size_t task) {
        for (auto r = rows.begin(task); r < rows.end(task); ++r) {
            std::fill_n(out + r * depth, depth, T{});
            if (ids[r] >= 0 && ids[r] < depth) out[r * depth + ids[r]] = one;
        }
    });
}

/// Where the part of a tensor along an axis lies that begins at a number the program computes.
struct RunningPart {
    graph::AxisView whole, part;
    std::int32_t const *start = nullptr;
    Bytes row = 0; ///< of one index of the axis

    Bytes offset() const { return std::clamp<std::int64_t>(*start, 0, whole.n - part.n) * row; }
};

Result<RunningPart> runningPart(PrepareArgs const &args, HostTensor const &whole, HostTensor const &part)
{
    auto const all = graph::axisViewOf(args.node, whole.shape), some = graph::axisViewOf(args.node, part.shape);
    if (!all.ok() || !some.ok() || all->outer != some->outer || all->inner != some->inner || some->n > all->n)
        return unsupported(args.node, Message::of("%1 is not a part of %2 along the axis.", toText(part.shape), toText(whole.shape)));
    TW_TRY(requireType(args, part, whole.dtype));
    TW_TRY(requireType(args, args.inputs.back(), DType::I32));
    TW_TRY(requireElements(args, args.inputs.back(), 1));
    return RunningPart{*all, *some, args.inputs.back().i32(), all->inner * sizeOf(whole.dtype)};
}

} // namespace

Result<Prepared> prepareOneHot(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::I32));
    auto const depth = args.node.attrs.integer("depth");
    auto const &out = args.outputs[0];
    TW_TRY(requireElements(args, out, args.inputs[0].elements() * depth));
    Pieces const rows{args.inputs[0].elements(), std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, depth))};
    auto const *ids = args.inputs[0].i32();
    switch (out.dtype) {
    case DType::F32: return Prepared([=, to = out.f32()](RunContext &ctx) { oneHotRows(ctx, rows, depth, ids, to, 1.0f); });
    case DType::F16: return Prepared([=, to = out.f16()](RunContext &ctx) { oneHotRows(ctx, rows, depth, ids, to, floatToHalf(1.0f)); });
    case DType::I32: return Prepared([=, to = out.i32()](RunContext &ctx) { oneHotRows(ctx, rows, depth, ids, to, std::int32_t{1}); });
    default: return unsupported(args.node, Message::of("returns float32, float16 and int32 only."));
    }
}

Result<Prepared> prepareDynamicSlice(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    auto const &x = args.inputs[0], &out = args.outputs[0];
    TW_ASSIGN(auto const part, runningPart(args, x, out));
    return Prepared([part, from = x.data, to = out.data](RunContext &) {
        Bytes const bytes = part.part.n * part.row, stride = part.whole.n * part.row;
        for (std::int64_t o = 0; o < part.whole.outer; ++o)
            std::memcpy(to + o * bytes, from + o * stride + part.offset(), static_cast<std::size_t>(bytes));
    });
}

Result<Prepared> prepareDynamicUpdate(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 3, 1));
    auto const &x = args.inputs[0], &out = args.outputs[0];
    TW_ASSIGN(auto const part, runningPart(args, x, args.inputs[1]));
    TW_TRY(requireType(args, out, x.dtype));
    TW_TRY(requireElements(args, out, x.elements()));
    return Prepared([part, from = x.data, slice = args.inputs[1].data, to = out.data](RunContext &) {
        Bytes const bytes = part.part.n * part.row, stride = part.whole.n * part.row;
        if (from != to) std::memcpy(to, from, static_cast<std::size_t>(part.whole.outer * stride));
        for (std::int64_t o = 0; o < part.whole.outer; ++o)
            std::memcpy(to + o * stride + part.offset(), slice + o * bytes, static_cast<std::size_t>(bytes));
    });
}

} // namespace tilewright::kernels
