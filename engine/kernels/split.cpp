#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cstring>

namespace tilewright::kernels {

/// Equal parts along an axis: every row of the operand is dealt to all results.
Result<Prepared> prepareSplit(PrepareArgs const &args)
{
    if (args.inputs.size() != 1 || args.outputs.empty()) return unsupported(args.node, Message::of("takes one tensor."));
    auto const &in = args.inputs[0];
    auto const axis = args.node.attrs.integer("axis");
    auto const parts = static_cast<std::int64_t>(args.outputs.size());
    if (axis < 0 || axis >= static_cast<std::int64_t>(in.shape.size()) || in.shape[static_cast<std::size_t>(axis)] % parts != 0)
        return unsupported(args.node,
                           Message::of("%1 cannot be divided into %2 equal parts along axis %3.", toText(in.shape), parts, axis));
    std::int64_t outer = 1;
    for (std::int64_t i = 0; i < axis; ++i) outer *= in.shape[static_cast<std::size_t>(i)];
    Bytes const bytes = in.elements() / outer / parts * sizeOf(in.dtype);
    std::vector<std::byte *> to;
    for (auto const &out : args.outputs) {
        TW_TRY(requireType(args, out, in.dtype));
        TW_TRY(requireElements(args, out, in.elements() / parts));
        to.push_back(out.data);
    }
    Pieces const pieces{outer, std::max<std::int64_t>(1, kElementsPerTask * 4 / std::max<Bytes>(1, bytes * parts))};
    return Prepared([from = in.data, to, bytes, pieces](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const *row = from + pieces.begin(task) * bytes * static_cast<std::int64_t>(to.size());
            for (std::int64_t r = pieces.begin(task); r < pieces.end(task); ++r)
                for (auto *out : to) {
                    std::memcpy(out + r * bytes, row, static_cast<std::size_t>(bytes));
                    row += bytes;
                }
        });
    });
}

} // namespace tilewright::kernels
