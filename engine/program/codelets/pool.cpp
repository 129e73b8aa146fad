// Pooling over blocks with halos. Each vertex has the position of its blocks, so padding is a position outside the tensor.
#include "engine/kernels/pool_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/nn_cost.h"

#include <vector>

namespace tilewright::program {

namespace {

using kernels::PoolBlock;
using kernels::PoolChannels;
using kernels::PoolWindow;

/// Scalars: scale (0: divide by the number of inputs of each window), then windows, strides and padding before, for all axes.
int axesOf(std::span<double const> scalars) { return (static_cast<int>(scalars.size()) - 1) / 3; }

PoolWindow windowOf(VertexState const &s, FieldBlock const &input)
{
    PoolWindow w;
    int const n = axesOf(s.scalars);
    for (int i = 0; i < n; ++i) {
        auto const axis = static_cast<std::size_t>(3 - n + i);
        auto const scalar = [&](int group) { return static_cast<std::int64_t>(s.scalars[static_cast<std::size_t>(1 + group * n + i)]); };
        w.extent[axis] = input.extent[static_cast<std::size_t>(i) + 1];
        w.window[axis] = scalar(0);
        w.stride[axis] = scalar(1);
        w.before[axis] = scalar(2);
    }
    return w;
}

PoolBlock blockOf(FieldBlock const &field)
{
    PoolBlock block;
    int const n = field.rank - 2;
    for (int i = 0; i < n; ++i) {
        auto const axis = static_cast<std::size_t>(3 - n + i);
        block.begin[axis] = field.begin(i + 1);
        block.size[axis] = field.size(i + 1);
    }
    block.channels = field.size(field.rank - 1);
    return block;
}

/// Calls pool(sample, channels, result) for the workers' items: samples times channels. The result is float32; other types are rounded
/// once.
template <typename Pool> void runPool(std::byte *tile, VertexState const &s, Workers workers, Pool const &pool)
{
    auto const out = blockOf(s.blocks[0]);
    std::int64_t const channels = out.channels, perSample = out.positions() * channels;
    auto const [begin, end] = shareOf(s.blocks[0].size(0) * channels, workers);
    bool const direct = s.fields[0].dtype == DType::F32;
    std::vector<float> wide(direct ? 0 : static_cast<std::size_t>(perSample));
    for (std::int64_t at = begin; at < end;) {
        std::int64_t const sample = at / channels, first = at % channels;
        PoolChannels const c{first, std::min(channels, first + end - at)};
        std::int64_t const offset = sample * perSample;
        pool(sample, c, direct ? program::at<float>(tile, s.fields[0]) + offset : wide.data());
        if (!direct)
            for (std::int64_t p = 0; p < out.positions(); ++p)
                storeFloats(tile, s.fields[0], offset + p * channels + c.begin, c.end - c.begin, wide.data() + p * channels + c.begin);
        at += c.end - c.begin;
    }
}

/// One sample of an operand as floats.
class Sample {
public:
    Sample(std::byte *tile, VertexState const &s, std::size_t field)
        : m_tile(tile), m_ref(s.fields[field]), block(blockOf(s.blocks[field])), m_count(block.positions() * block.channels)
    {
        if (m_ref.dtype != DType::F32) m_wide.resize(static_cast<std::size_t>(m_count));
    }
    float const *load(std::int64_t sample) { return loadFloats(m_tile, m_ref, sample * m_count, m_count, m_wide.data()); }

private:
    std::byte *m_tile;
    VertexState::Ref const &m_ref;

public:
    PoolBlock const block;

private:
    std::int64_t m_count;
    std::vector<float> m_wide;
};

void runMax(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const w = windowOf(s, s.blocks[1]);
    auto const out = blockOf(s.blocks[0]);
    Sample x(tile, s, 1);
    runPool(tile, s, workers, [&](std::int64_t n, PoolChannels c, float *y) { kernels::poolMax(w, x.load(n), x.block, y, out, c); });
}

void runSum(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const w = windowOf(s, s.blocks[1]);
    auto const out = blockOf(s.blocks[0]);
    auto const scale = static_cast<float>(s.scalars[0]);
    Sample x(tile, s, 1);
    runPool(tile, s, workers, [&](std::int64_t n, PoolChannels c, float *y) { kernels::poolSum(w, scale, x.load(n), x.block, y, out, c); });
}

void runMaxGradient(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const w = windowOf(s, s.blocks[0]);
    auto const out = blockOf(s.blocks[0]);
    Sample x(tile, s, 1), d(tile, s, 2);
    runPool(tile, s, workers, [&](std::int64_t n, PoolChannels c, float *dx) {
        kernels::poolMaxGradient(w, x.load(n), x.block, d.load(n), d.block, d.block, dx, out, c);
    });
}

void runMeanGradient(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const w = windowOf(s, s.blocks[0]);
    auto const out = blockOf(s.blocks[0]);
    Sample d(tile, s, 1);
    runPool(tile, s, workers,
            [&](std::int64_t n, PoolChannels c, float *dx) { kernels::poolMeanGradient(w, d.load(n), d.block, d.block, dx, out, c); });
}

/// Extents of a block along all spatial axes except the innermost, and along the innermost.
struct Rows {
    std::int64_t rows = 1, width = 1;
};
Rows rowsOf(FieldShape const &field)
{
    Rows r;
    for (int d = 0; d + 2 < field.rank; ++d) r.rows *= field.size[static_cast<std::size_t>(d)];
    r.width = field.size[static_cast<std::size_t>(field.rank - 2)];
    return r;
}

Cycles forwardCycles(VertexShape const &shape, cost::PoolKind kind)
{
    auto const &out = shape.fields[0];
    auto const r = rowsOf(out);
    int const n = axesOf(shape.scalars);
    cost::PoolingParams p;
    p.kind = kind;
    p.chanVectors = ceilDiv(out.cols, cost::ValueType(shape.fields[1].dtype).vectorWidth());
    p.rows = r.rows;
    // A run along a row of outputs for each element of the window.
    for (int i = 0; i < n; ++i) p.itemsPerRow *= static_cast<std::int64_t>(shape.scalars[static_cast<std::size_t>(1 + i)]);
    p.inputsPerItem = r.width;
    p.initPositions = r.rows * r.width;
    return cost::poolingCycles(p);
}

Cycles gradientCycles(VertexShape const &shape, cost::PoolKind kind)
{
    auto const &out = shape.fields[0];
    auto const r = rowsOf(out);
    int const n = axesOf(shape.scalars);
    cost::PoolingParams p;
    p.kind = kind;
    p.chanVectors = ceilDiv(out.cols, cost::ValueType(out.dtype).vectorWidth());
    p.rows = r.rows;
    // Each row of inputs is in this many rows of windows. Along the row, each window element is a run over the windows.
    for (int i = 0; i < n; ++i) {
        auto const window = static_cast<std::int64_t>(shape.scalars[static_cast<std::size_t>(1 + i)]);
        auto const stride = static_cast<std::int64_t>(shape.scalars[static_cast<std::size_t>(1 + n + i)]);
        auto const windows =
            i + 1 == n ? window : std::min(ceilDiv(window, stride), shape.fields.back().size[static_cast<std::size_t>(i) + 1]);
        p.itemsPerRow *= windows;
    }
    p.inputsPerItem = std::min(rowsOf(shape.fields.back()).width, r.width);
    p.initPositions = r.rows * r.width;
    return cost::poolingCycles(p);
}

std::shared_ptr<CodeletDescription const> describePool(char const *library, char const *title, cost::PoolKind kind, int fields)
{
    return describe(
        {.library = library,
         .family = "nn",
         .title = title,
         .source = kPopnnSource,
         .params = {cost::typeParam("type", "f16", "element type", {"f16", "f32"}),
                    cost::integerParam("channels", "", "channels per group", 1), cost::integerParam("chanGroups", "1", "channel groups", 1),
                    cost::integerParam("rows", "", "output rows, dealt to the workers"),
                    cost::integerParam("items", "1", "work items per row", 1),
                    cost::integerParam("inputs", "", "inputs accumulated per work item"),
                    cost::integerParam("init", "0", "output positions initialised; a compile's are all")},
         .vertex =
             [fields](cost::Args const &a) {
                 // A row of windows with the items along one axis only.
                 auto const field =
                     blockField(storageType(a.type("type")),
                                {1, a.integer("rows"), a.integer("inputs"), a.integer("channels") * a.integer("chanGroups")});
                 return SizedVertex{std::vector<FieldShape>(static_cast<std::size_t>(fields), field),
                                    {1, 1, static_cast<double>(a.integer("items")), 1, 1, 0, 0}};
             },
         .cycles = [kind](cost::Args const &a) -> Result<Cycles> {
             return cost::poolingCycles({.kind = kind,
                                         .chanVectors = ceilDiv(a.integer("channels"), a.type("type").vectorWidth()),
                                         .chanGroups = a.integer("chanGroups"),
                                         .rows = a.integer("rows"),
                                         .itemsPerRow = a.integer("items"),
                                         .inputsPerItem = a.integer("inputs"),
                                         .initPositions = a.integer("init")});
         }});
}

} // namespace

void addPoolCodelets(std::vector<Codelet> &all)
{
    struct Kind {
        char const *name;
        cost::PoolKind kind;
        bool gradient;
        void (*run)(std::byte *, VertexState const &, Workers);
        char const *library;
        char const *title;
        int fields;
    };
    for (auto const &entry :
         {Kind{"PoolMax", cost::PoolKind::Max, false, runMax, "popnn::MaxPooling", "largest of each window", 2},
          Kind{"PoolSum", cost::PoolKind::Sum, false, runSum, "popnn::SumPooling", "sum or mean of each window", 2},
          Kind{"PoolMaxGrad", cost::PoolKind::MaxGradient, true, runMaxGradient, "popnn::MaxPoolingGrad", "gradient of max pooling", 3},
          Kind{"PoolMeanGrad", cost::PoolKind::Sum, true, runMeanGradient, "", "gradient of mean pooling", 2}}) {
        Codelet c;
        c.name = entry.name;
        c.codeBytes = 440;
        c.wantsBlocks = true;
        c.cycles = [kind = entry.kind, gradient = entry.gradient](VertexShape const &shape, target::Chip const &) {
            return gradient ? gradientCycles(shape, kind) : forwardCycles(shape, kind);
        };
        // The workers' lists: three 2-byte numbers per row.
        c.stateBytes = [](VertexShape const &shape) -> Bytes { return 44 + 6 * rowsOf(shape.fields[0]).rows; };
        c.run = entry.run;
        c.description = describePool(entry.library, entry.title, entry.kind, entry.fields);
        all.push_back(std::move(c));
    }
}

} // namespace tilewright::program
