#include "engine/kernels/ops.h"
#include "engine/kernels/pool_shape.h"
#include "engine/kernels/support.h"

namespace tilewright::kernels {

Result<PoolShape> poolShape(graph::Attrs const &attrs, Shape const &input, std::string const &subject)
{
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.pool", subject, std::move(what)); };
    auto const window = attrs.integers("window"), stride = attrs.integers("stride"), before = attrs.integers("before"),
               after = attrs.integers("after");
    std::size_t const n = window.size();
    if (n < 1 || n > 3 || stride.size() != n || before.size() != n || after.size() != n)
        return fail(Message::of("window, stride, before and after need one entry for each of up to three axes."));
    if (input.size() != n + 2) return fail(Message::of("an input of shape %1 does not have %2 spatial axes.", toText(input), n));
    PoolShape shape;
    shape.spatial = static_cast<int>(n);
    shape.samples = input.front();
    shape.channels = input.back();
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t const a = shape.axis(static_cast<int>(i));
        constexpr std::int64_t kMost = std::int64_t{1} << 30;
        if (window[i] < 1 || stride[i] < 1 || before[i] < 0 || after[i] < 0 || std::max(window[i], stride[i]) > kMost)
            return fail(Message::of("windows and strides must be at least 1, padding at least 0."));
        if (before[i] >= window[i] || after[i] >= window[i]) return fail(Message::of("a window would cover only padding."));
        std::int64_t const room = input[i + 1] + before[i] + after[i] - window[i];
        if (room < 0) return fail(Message::of("a window of %1 does not fit an axis of %2.", window[i], input[i + 1]));
        shape.window.extent[a] = input[i + 1];
        shape.window.window[a] = window[i];
        shape.window.stride[a] = stride[i];
        shape.window.before[a] = before[i];
        shape.out[a] = room / stride[i] + 1;
        // The last window may begin behind the input where strides are larger than windows.
        if ((shape.out[a] - 1) * stride[i] - before[i] >= input[i + 1]) return fail(Message::of("a window would cover only padding."));
    }
    return shape;
}

namespace {

/// Tasks of whole rows (the last axis) of a tensor [samples, axes, channels].
struct RowTasks {
    std::int64_t samples = 1;
    Axes extent{1, 1, 1};
    std::int64_t channels = 1;
    std::int64_t rows = 1; ///< of the middle axis, of a task

    std::int64_t perPlane() const { return ceilDiv(extent[1], rows); }
    std::size_t tasks() const { return static_cast<std::size_t>(samples * extent[0] * perPlane()); }
    std::int64_t sampleOf(std::size_t task) const { return static_cast<std::int64_t>(task) / (extent[0] * perPlane()); }
    std::int64_t sampleElements() const { return extent[0] * extent[1] * extent[2] * channels; }
    PoolBlock whole() const { return {{0, 0, 0}, extent, channels}; }
    PoolBlock blockOf(std::size_t task) const
    {
        auto const inSample = static_cast<std::int64_t>(task) % (extent[0] * perPlane());
        auto const z = inSample / perPlane(), y = inSample % perPlane() * rows;
        return {{z, y, 0}, {1, std::min(rows, extent[1] - y), extent[2]}, channels};
    }
    /// Where a block of whole rows begins in its sample.
    std::int64_t offsetOf(PoolBlock const &block) const { return whole().at(block.begin[0], block.begin[1], 0); }
};

/// Windows that cover a block of the input.
PoolBlock coveringBlock(PoolShape const &shape, PoolBlock const &in)
{
    PoolBlock block{{0, 0, 0}, {1, 1, 1}, in.channels};
    auto const &w = shape.window;
    for (std::size_t a = 0; a < 3; ++a) {
        auto const low = in.begin[a] + w.before[a] - w.window[a] + 1;
        auto const first = low <= 0 ? 0 : ceilDiv(low, w.stride[a]);
        auto const last = std::min(shape.out[a] - 1, (in.begin[a] + in.size[a] - 1 + w.before[a]) / w.stride[a]);
        block.begin[a] = first;
        block.size[a] = std::max<std::int64_t>(0, last - first + 1);
    }
    return block;
}

Result<PoolShape> shapeFor(PrepareArgs const &args, Shape const &input, std::size_t operands)
{
    TW_TRY(requireCounts(args, operands, 1));
    TW_TRY(requireF32(args));
    auto shape = poolShape(args.node.attrs, input, args.node.name);
    if (!shape.ok()) return unsupported(args.node, shape.error().message);
    return shape;
}

template <typename Pool> Result<Prepared> bindForward(PrepareArgs const &args, Pool pool)
{
    TW_ASSIGN(auto const shape, shapeFor(args, args.inputs.empty() ? Shape{} : args.inputs[0].shape, 1));
    TW_TRY(requireElements(args, args.outputs[0], elementCount(shape.outputShape())));
    RowTasks tasks{shape.samples, shape.out, shape.channels, 1};
    auto const perRow = std::max<std::int64_t>(1, tasks.extent[2] * tasks.channels * shape.volume());
    tasks.rows = std::clamp<std::int64_t>(2 * kElementsPerTask / perRow, 1, tasks.extent[1]);
    RowTasks const input{shape.samples, shape.window.extent, shape.channels, 1};
    auto const *x = args.inputs[0].f32();
    auto *y = args.outputs[0].f32();
    return Prepared([=](RunContext &ctx) {
        parallelFor(ctx, tasks.tasks(), [&](std::size_t task) {
            auto const sample = tasks.sampleOf(task);
            auto const block = tasks.blockOf(task);
            pool(shape.window, x + sample * input.sampleElements(), input.whole(),
                 y + sample * tasks.sampleElements() + tasks.offsetOf(block), block, PoolChannels{0, shape.channels});
        });
    });
}

/// pool(sample, windows, dx, its block): the tasks are rows of dx.
template <typename Pool> std::function<void(RunContext &)> bindGradient(PoolShape const &shape, float *dx, Pool pool)
{
    RowTasks tasks{shape.samples, shape.window.extent, shape.channels, 1};
    // Whole strides, and many of them where windows overlap: those at the border of two tasks are looked at twice.
    auto const stride = shape.window.stride[1], overlap = std::max<std::int64_t>(0, shape.window.window[1] - stride);
    auto const perRow = std::max<std::int64_t>(1, tasks.extent[2] * tasks.channels);
    tasks.rows = std::min(tasks.extent[1], roundUp(std::max({kElementsPerTask / perRow, 4 * overlap, std::int64_t{1}}), stride));
    return [=](RunContext &ctx) {
        parallelFor(ctx, tasks.tasks(), [&](std::size_t task) {
            auto const sample = tasks.sampleOf(task);
            auto const block = tasks.blockOf(task);
            pool(sample, coveringBlock(shape, block), dx + sample * tasks.sampleElements() + tasks.offsetOf(block), block);
        });
    };
}

} // namespace

Result<Prepared> preparePoolMax(PrepareArgs const &args) { return bindForward(args, poolMax); }
Result<Prepared> preparePoolAverage(PrepareArgs const &args)
{
    return bindForward(args, [](PoolWindow const &w, float const *x, PoolBlock const &in, float *y, PoolBlock const &out, PoolChannels c) {
        poolSum(w, 0.0f, x, in, y, out, c);
    });
}

Result<Prepared> preparePoolMaxGrad(PrepareArgs const &args)
{
    TW_ASSIGN(auto const shape, shapeFor(args, args.inputs.empty() ? Shape{} : args.inputs[0].shape, 2));
    TW_TRY(requireElements(args, args.inputs[1], elementCount(shape.outputShape())));
    TW_TRY(requireElements(args, args.outputs[0], elementCount(shape.inputShape())));
    PoolBlock const in{{0, 0, 0}, shape.window.extent, shape.channels}, upstream{{0, 0, 0}, shape.out, shape.channels};
    auto const *x = args.inputs[0].f32(), *d = args.inputs[1].f32();
    return Prepared(
        bindGradient(shape, args.outputs[0].f32(), [=](std::int64_t sample, PoolBlock const &windows, float *dx, PoolBlock const &out) {
            poolMaxGradient(shape.window, x + sample * in.positions() * in.channels, in, d + sample * upstream.positions() * in.channels,
                            upstream, windows, dx, out, {0, shape.channels});
        }));
}

Result<Prepared> preparePoolAverageGrad(PrepareArgs const &args)
{
    TW_ASSIGN(auto const shape, shapeFor(args, args.outputs.empty() ? Shape{} : args.outputs[0].shape, 1));
    TW_TRY(requireElements(args, args.inputs[0], elementCount(shape.outputShape())));
    PoolBlock const upstream{{0, 0, 0}, shape.out, shape.channels};
    auto const *d = args.inputs[0].f32();
    return Prepared(
        bindGradient(shape, args.outputs[0].f32(), [=](std::int64_t sample, PoolBlock const &windows, float *dx, PoolBlock const &out) {
            poolMeanGradient(shape.window, d + sample * upstream.positions() * upstream.channels, upstream, windows, dx, out,
                             {0, shape.channels});
        }));
}

} // namespace tilewright::kernels
