#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cstring>

namespace tilewright::kernels {

Result<Prepared> prepareGather(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireType(args, args.inputs[1], DType::I32));
    TW_TRY(requireType(args, args.inputs[0], args.outputs[0].dtype));
    auto const &shape = args.inputs[0].shape;
    if (shape.size() != 2) return unsupported(args.node, Message::of("the table %1 is not a matrix.", toText(shape)));
    std::int64_t const rows = shape[0], ids = args.inputs[1].elements();
    TW_TRY(requireElements(args, args.outputs[0], ids * shape[1]));
    Bytes const row = shape[1] * sizeOf(args.inputs[0].dtype);
    std::byte const *const table = args.inputs[0].data;
    std::int32_t const *const numbers = args.inputs[1].i32();
    std::byte *const out = args.outputs[0].data;
    Pieces const pieces{ids, std::max<std::int64_t>(1, 4 * kElementsPerTask / std::max<Bytes>(1, row))};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto i = pieces.begin(task); i < pieces.end(task); ++i) {
                auto const at = std::int64_t{numbers[i]};
                if (at < 0 || at >= rows) std::memset(out + i * row, 0, static_cast<std::size_t>(row));
                else std::memcpy(out + i * row, table + at * row, static_cast<std::size_t>(row));
            }
        });
    });
}

/// A task has its own rows of the table and adds to them in the order of the numbers.
Result<Prepared> prepareScatterAdd(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireType(args, args.inputs[0], DType::F32));
    TW_TRY(requireType(args, args.outputs[0], DType::F32));
    TW_TRY(requireType(args, args.inputs[1], DType::I32));
    auto const &shape = args.outputs[0].shape;
    if (shape.size() != 2 || shape[0] != args.node.attrs.integer("rows"))
        return unsupported(args.node, Message::of("the table %1 does not have the number of rows that the node declares.", toText(shape)));
    std::int64_t const cols = shape[1], ids = args.inputs[1].elements();
    TW_TRY(requireElements(args, args.inputs[0], ids * cols));
    float const *const rows = args.inputs[0].f32();
    std::int32_t const *const numbers = args.inputs[1].i32();
    float *const out = args.outputs[0].f32();
    Pieces const pieces{shape[0], std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, cols))};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const begin = pieces.begin(task), end = pieces.end(task);
            std::fill_n(out + begin * cols, (end - begin) * cols, 0.0f);
            for (std::int64_t i = 0; i < ids; ++i) {
                auto const at = std::int64_t{numbers[i]};
                if (at < begin || at >= end) continue;
                float *const to = out + at * cols;
                float const *const from = rows + i * cols;
                for (std::int64_t c = 0; c < cols; ++c) to[c] += from[c];
            }
        });
    });
}

} // namespace tilewright::kernels
