#include "engine/graph/axes.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cstring>

// Ops that only move bytes: any type.

namespace tilewright::kernels {

namespace {

constexpr Bytes kBytesPerTask = 4 * kElementsPerTask;

Status requireSameType(PrepareArgs const &args)
{
    for (auto const &input : args.inputs) TW_TRY(requireType(args, input, args.outputs[0].dtype));
    return {};
}

/// `count` runs of `bytes` contiguous bytes each, at two strides.
struct StridedCopy {
    std::byte const *from = nullptr;
    std::byte *to = nullptr;
    std::int64_t count = 0;
    Bytes bytes = 0, fromStride = 0, toStride = 0;
};

void runCopy(RunContext &ctx, StridedCopy const &c)
{
    if (c.count == 0 || c.bytes == 0) return;
    if (c.count == 1 || (c.fromStride == c.bytes && c.toStride == c.bytes)) {
        Pieces const pieces{c.count * c.bytes, kBytesPerTask};
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            auto const begin = pieces.begin(task);
            std::memcpy(c.to + begin, c.from + begin, static_cast<std::size_t>(pieces.end(task) - begin));
        });
        return;
    }
    Pieces const pieces{c.count, std::max<std::int64_t>(1, kBytesPerTask / c.bytes)};
    parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
        for (auto i = pieces.begin(task); i < pieces.end(task); ++i)
            std::memcpy(c.to + i * c.toStride, c.from + i * c.fromStride, static_cast<std::size_t>(c.bytes));
    });
}

struct AxisSplit {
    std::int64_t outer = 1, inner = 1;
};
AxisSplit splitAt(Shape const &shape, std::size_t axis)
{
    AxisSplit s;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i < axis) s.outer *= shape[i];
        if (i > axis) s.inner *= shape[i];
    }
    return s;
}

Result<std::size_t> axisOf(PrepareArgs const &args, Shape const &shape)
{
    auto const axis = args.node.attrs.integer("axis");
    if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size()))
        return unsupported(args.node, Message::of("axis %1 is not an axis of %2.", axis, toText(shape)));
    return static_cast<std::size_t>(axis);
}

} // namespace

Result<Prepared> prepareCopy(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireSameType(args));
    TW_TRY(requireElements(args, args.outputs[0], args.inputs[0].elements()));
    if (args.inputs[0].data == args.outputs[0].data) return Prepared([](RunContext &) {});
    Bytes const bytes = args.inputs[0].elements() * sizeOf(args.inputs[0].dtype);
    StridedCopy const copy{args.inputs[0].data, args.outputs[0].data, 1, bytes, bytes, bytes};
    return Prepared([copy](RunContext &ctx) { runCopy(ctx, copy); });
}

Result<Prepared> prepareReshape(PrepareArgs const &args) { return prepareCopy(args); }

Result<Prepared> prepareConcat(PrepareArgs const &args)
{
    if (args.inputs.empty() || args.outputs.size() != 1) return unsupported(args.node, Message::of("needs operands and one result."));
    TW_TRY(requireSameType(args));
    Shape const &shape = args.outputs[0].shape;
    TW_ASSIGN(std::size_t const axis, axisOf(args, shape));
    auto const split = splitAt(shape, axis);
    Bytes const row = split.inner * sizeOf(args.outputs[0].dtype);
    std::vector<StridedCopy> copies;
    std::int64_t at = 0;
    for (auto const &input : args.inputs) {
        bool fits = input.shape.size() == shape.size();
        for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = i == axis || input.shape[i] == shape[i];
        if (!fits) return unsupported(args.node, Message::of("operand %1 does not fit into %2.", toText(input.shape), toText(shape)));
        Bytes const bytes = input.shape[axis] * row;
        copies.push_back({input.data, args.outputs[0].data + at * row, split.outer, bytes, bytes, shape[axis] * row});
        at += input.shape[axis];
    }
    if (at != shape[axis]) return unsupported(args.node, Message::of("operands do not fill %1.", toText(shape)));
    return Prepared([copies](RunContext &ctx) {
        for (auto const &copy : copies) runCopy(ctx, copy);
    });
}

// The last loop of the broadcast is a run: copied, or filled with one element.
Result<Prepared> prepareBroadcast(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 1));
    TW_TRY(requireSameType(args));
    Shape const &from = args.inputs[0].shape;
    Shape const &to = args.outputs[0].shape;
    if (!graph::broadcasts(from, to)) return unsupported(args.node, Message::of("%1 does not broadcast to %2.", toText(from), toText(to)));
    auto axes = graph::broadcastLoops(from, to);
    if (axes.empty() || (axes.size() == 1 && axes[0].stride != 0)) return prepareCopy(args);
    auto const run = axes.back();
    axes.pop_back();
    std::int64_t runs = 1;
    for (auto const &axis : axes) runs *= axis.extent;
    Bytes const size = sizeOf(args.outputs[0].dtype);
    auto const *x = args.inputs[0].data;
    auto *out = args.outputs[0].data;
    if (elementCount(to) == 0) return Prepared([](RunContext &) {});
    Pieces const pieces{runs, std::max<std::int64_t>(1, kBytesPerTask / (run.extent * size))};
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto r = pieces.begin(task); r < pieces.end(task); ++r) {
                std::byte const *source = x + graph::elementOf(axes, r) * size;
                std::byte *target = out + r * run.extent * size;
                if (run.stride != 0) {
                    std::memcpy(target, source, static_cast<std::size_t>(run.extent * size));
                } else if (size == 4) {
                    std::uint32_t value;
                    std::memcpy(&value, source, sizeof value);
                    std::fill_n(reinterpret_cast<std::uint32_t *>(target), run.extent, value);
                } else if (size == 2) {
                    std::uint16_t value;
                    std::memcpy(&value, source, sizeof value);
                    std::fill_n(reinterpret_cast<std::uint16_t *>(target), run.extent, value);
                } else {
                    std::memset(target, std::to_integer<int>(*source), static_cast<std::size_t>(run.extent));
                }
            }
        });
    });
}

} // namespace tilewright::kernels
