// Convolutions of the blocks on a tile, and both gradients. All vertices of the library compute the same sums in another
// way; here one function computes them, and each vertex has its own price.
//
// Fields: what is computed, then the two operands in the order of the op. Blocks: x [batch, axes…, (groups,) channels],
// w [kernel elements, channels, (groups,) filters], y [batch, axes…, (groups,) filters]. Scalars: see ConvVertexState.
#include "engine/graph/conv.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/conv_state.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/conv_cost.h"
#include "engine/program/cost/matmul_cost.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tilewright::program {

namespace {

using Vec = float __attribute__((vector_size(32)));
constexpr std::int64_t kLanes = 8;

using graph::ConvGeometry;
using cost::ConvPart;
using Span3 = std::array<std::int64_t, 3>;

/// A block of x or y: positions and their begin, groups, channels per group.
struct Field {
    float *data = nullptr;
    std::int64_t batch = 1;
    Span3 begin{0, 0, 0}, size{1, 1, 1};
    std::int64_t groups = 1, channels = 1;
    std::int64_t pixel() const { return groups * channels; }
    std::int64_t rows() const { return batch * size[0] * size[1]; }
    std::int64_t elements() const { return rows() * size[2] * pixel(); }
    float *row(std::int64_t b, std::int64_t z, std::int64_t y) const
    {
        return data + ((b * size[0] + z) * size[1] + y) * size[2] * pixel();
    }
};

/// A block of w: [elements][channels][groups][filters].
struct Kernel {
    float *data = nullptr;
    std::int64_t first = 0, elements = 1, channels = 1, groups = 1, filters = 1;
    std::int64_t count() const { return elements * channels * groups * filters; }
};

Field fieldOf(FieldBlock const &block, int spatial, bool grouped)
{
    Field f;
    f.batch = block.size(0);
    for (int i = 0; i < spatial; ++i) {
        auto const at = static_cast<std::size_t>(3 - spatial + i);
        f.begin[at] = block.begin(1 + i);
        f.size[at] = block.size(1 + i);
    }
    f.groups = grouped ? block.size(spatial + 1) : 1;
    f.channels = block.size(block.rank - 1);
    return f;
}

Kernel kernelOf(FieldBlock const &block, bool grouped)
{
    Kernel k;
    k.first = block.begin(0);
    k.elements = block.size(0);
    k.channels = block.size(1);
    k.groups = grouped ? block.size(2) : 1;
    k.filters = block.size(block.rank - 1);
    return k;
}

/// Inputs that are summed in one pass, at one kernel element (-1: at all elements).
struct Taken {
    std::int64_t element = -1, first = 0, inputs = 0;
    bool has(std::int64_t e) const { return element < 0 || e == element; }
};

/// Weights of one group in the layout of the inner loop: [element][inputs][outputs in whole vectors].
struct Packed {
    std::vector<float> values;
    std::int64_t inputs = 0, width = 0;

    /// Packs the inputs of `taken`.
    void pack(Kernel const &k, std::int64_t group, bool turned, Taken const &taken)
    {
        inputs = taken.inputs;
        std::int64_t const outputs = turned ? k.channels : k.filters;
        width = roundUp(outputs, kLanes);
        values.resize(static_cast<std::size_t>(k.elements * inputs * width));
        for (std::int64_t e = 0; e < k.elements; ++e) {
            if (!taken.has(e)) continue;
            float *const to = values.data() + e * inputs * width;
            std::fill_n(to, inputs * width, 0.0f);
            for (std::int64_t c = turned ? 0 : taken.first; c < (turned ? k.channels : taken.first + inputs); ++c) {
                float const *const from = k.data + ((e * k.channels + c) * k.groups + group) * k.filters;
                if (turned)
                    for (std::int64_t f = 0; f < inputs; ++f) to[f * width + c] = from[taken.first + f];
                else std::copy_n(from, k.filters, to + (c - taken.first) * width);
            }
        }
    }
};

/// A kernel element that overlaps the source, and the begin of the data it meets.
struct Tap {
    std::int64_t element;
    std::int64_t source;
};

inline Vec load(float const *p)
{
    Vec v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

/// Sums all taps and inputs for `Rows` positions (`step` source elements apart) and `Vectors` vectors of outputs.
template <int Rows, int Vectors> inline void sumTaps(std::span<Tap const> taps, float const *source, std::int64_t step,
                                                     float const *weights, Packed const &packed, float *out, std::int64_t outStep,
                                                     std::int64_t outputs)
{
    Vec acc[Rows][Vectors] = {};
    for (auto const &tap : taps) {
        float const *const from = source + tap.source;
        float const *w = weights + tap.element * packed.inputs * packed.width;
        for (std::int64_t c = 0; c < packed.inputs; ++c, w += packed.width) {
            Vec b[Vectors];
            for (int v = 0; v < Vectors; ++v) b[v] = load(w + v * kLanes);
            for (int r = 0; r < Rows; ++r) {
                float const x = from[r * step + c];
                for (int v = 0; v < Vectors; ++v) acc[r][v] += x * b[v];
            }
        }
    }
    for (int r = 0; r < Rows; ++r)
        std::memcpy(out + r * outStep, &acc[r][0],
                    static_cast<std::size_t>(std::min<std::int64_t>(outputs, Vectors * kLanes)) * sizeof(float));
}

template <int Rows> void sumOutputs(std::span<Tap const> taps, float const *source, std::int64_t step, Packed const &packed, float *out,
                                    std::int64_t outStep, std::int64_t outputs)
{
    std::int64_t done = 0;
    for (; done + kLanes < outputs; done += 2 * kLanes)
        sumTaps<Rows, 2>(taps, source, step, packed.values.data() + done, packed, out + done, outStep, outputs - done);
    if (done < outputs) sumTaps<Rows, 1>(taps, source, step, packed.values.data() + done, packed, out + done, outStep, outputs - done);
}

/// Position in the source at which position p of the result meets kernel element k, along one axis; -1: not on this tile.
struct Meeting {
    ConvGeometry::Axis axis;
    bool turned; ///< the result is an input gradient
    std::int64_t begin, size;
    std::int64_t at(std::int64_t p, std::int64_t k) const
    {
        std::int64_t const s = (turned ? axis.reader(p, k) : axis.source(p, k));
        // Positions outside the tensor are outside its block.
        return s < begin || s >= begin + size ? -1 : s - begin;
    }
};

/// One channel in and one out per group, many groups: vectorised over groups.
void depthwiseRow(std::span<Tap const> taps, float const *source, float const *weights, std::int64_t groups, float *out)
{
    std::fill_n(out, groups, 0.0f);
    for (auto const &tap : taps) {
        float const *const x = source + tap.source, *const w = weights + tap.element * groups;
        for (std::int64_t g = 0; g < groups; ++g) out[g] += x[g] * w[g];
    }
}

/// The output, or (turned) the gradient of the input. Rows of positions are shared out to the workers.
void convolve(Field const &out, Field const &source, Kernel const &kernel, std::array<ConvGeometry::Axis, 3> const &axes, bool turned,
              Taken const &taken, Workers workers)
{
    auto const [firstRow, endRow] = shareOf(out.rows(), workers);
    if (firstRow == endRow) return;
    std::array<Meeting, 3> meet;
    for (std::size_t i = 0; i < 3; ++i) meet[i] = {axes[i], turned, source.begin[i], source.size[i]};
    std::int64_t const kx = axes[2].kernel, ky = axes[1].kernel;
    std::int64_t const width = out.size[2];
    // Positions that meet all columns of the kernel, if they are also contiguous in the source.
    std::int64_t insideBegin = width, insideEnd = width;
    if (!turned || axes[2].stride == 1) {
        auto const whole = [&](std::int64_t x) {
            for (std::int64_t k = 0; k < kx; ++k)
                if (meet[2].at(out.begin[2] + x, k) < 0) return false;
            return true;
        };
        insideBegin = 0;
        while (insideBegin < width && !whole(insideBegin)) ++insideBegin;
        insideEnd = insideBegin;
        while (insideEnd < width && whole(insideEnd)) ++insideEnd;
    }
    std::int64_t const step = (turned ? 1 : axes[2].stride) * source.pixel();
    bool const depthwise = kernel.channels == 1 && kernel.filters == 1 && kernel.groups > 1;
    thread_local Packed packed;
    thread_local std::vector<Tap> rows, taps;
    for (std::int64_t group = 0; group < (depthwise ? 1 : kernel.groups); ++group) {
        if (!depthwise) packed.pack(kernel, group, turned, taken);
        std::int64_t const outputs = turned ? kernel.channels : kernel.filters;
        for (std::int64_t row = firstRow; row < endRow; ++row) {
            std::int64_t const y = row % out.size[1], z = row / out.size[1] % out.size[0], b = row / out.size[1] / out.size[0];
            rows.clear(); // kernel rows that overlap a row of the source
            for (std::int64_t k = 0; k < axes[0].kernel * ky; ++k) {
                std::int64_t const sz = meet[0].at(out.begin[0] + z, k / ky), sy = meet[1].at(out.begin[1] + y, k % ky);
                if (sz >= 0 && sy >= 0) rows.push_back({k * kx, source.row(b, sz, sy) - source.data});
            }
            float const *const from = source.data + group * source.channels + taken.first;
            float *const to = out.row(b, z, y) + group * out.channels;
            auto const tapsAt = [&](std::int64_t x) {
                taps.clear();
                for (auto const &r : rows)
                    for (std::int64_t k = 0; k < kx; ++k)
                        if (auto const sx = meet[2].at(out.begin[2] + x, k); sx >= 0 && taken.has(r.element + k))
                            taps.push_back({r.element + k, r.source + sx * source.pixel()});
            };
            if (depthwise) {
                for (std::int64_t x = 0; x < width; ++x) {
                    tapsAt(x);
                    depthwiseRow(taps, source.data, kernel.data, kernel.groups, out.row(b, z, y) + x * out.pixel());
                }
                continue;
            }
            std::int64_t x = 0;
            while (x < width) {
                bool const inside = x >= insideBegin && x < insideEnd;
                tapsAt(x);
                if (!inside) {
                    sumOutputs<1>(taps, from, 0, packed, to + x * out.pixel(), 0, outputs);
                    ++x;
                    continue;
                }
                // All following positions have the taps of the first, shifted.
                for (; x + 4 <= insideEnd; x += 4) {
                    sumOutputs<4>(taps, from, step, packed, to + x * out.pixel(), out.pixel(), outputs);
                    for (auto &tap : taps) tap.source += 4 * step;
                }
                for (; x < insideEnd; ++x) {
                    sumOutputs<1>(taps, from, 0, packed, to + x * out.pixel(), 0, outputs);
                    for (auto &tap : taps) tap.source += step;
                }
            }
        }
    }
}

/// Sums x times y over positions, for `Rows` channels and `Vectors` vectors of filters.
template <int Rows, int Vectors>
inline void addPositions(std::int64_t n, float const *x, std::int64_t step, float const *y, std::int64_t yStep, Vec (&acc)[Rows][Vectors])
{
    for (std::int64_t i = 0; i < n; ++i, x += step, y += yStep) {
        Vec b[Vectors];
        for (int v = 0; v < Vectors; ++v) b[v] = load(y + v * kLanes);
        for (int r = 0; r < Rows; ++r)
            for (int v = 0; v < Vectors; ++v) acc[r][v] += x[r] * b[v];
    }
}

/// A run of positions along the innermost axis that overlaps a row of the input.
struct Run {
    std::int64_t x, y, n;
};

template <int Rows, int Vectors> inline void sumRuns(std::span<Run const> runs, float const *x, std::int64_t step, float const *y,
                                                     std::int64_t yStep, float *out, std::int64_t outStep, std::int64_t outputs)
{
    Vec acc[Rows][Vectors] = {};
    for (auto const &run : runs) addPositions<Rows, Vectors>(run.n, x + run.x, step, y + run.y * yStep, yStep, acc);
    for (int r = 0; r < Rows; ++r)
        std::memcpy(out + r * outStep, &acc[r][0],
                    static_cast<std::size_t>(std::min<std::int64_t>(outputs, Vectors * kLanes)) * sizeof(float));
}

template <int Rows> void sumFilters(std::span<Run const> runs, float const *x, std::int64_t step, float const *y, std::int64_t width,
                                    float *out, std::int64_t outStep, std::int64_t outputs)
{
    std::int64_t done = 0;
    for (; done + kLanes < outputs; done += 2 * kLanes)
        sumRuns<Rows, 2>(runs, x, step, y + done, width, out + done, outStep, outputs - done);
    if (done < outputs) sumRuns<Rows, 1>(runs, x, step, y + done, width, out + done, outStep, outputs - done);
}

/// The gradient of the weights. Kernel elements are shared out to the workers. Only the tile's own positions are summed.
void weightGradient(Kernel const &out, Field const &x, Field const &y, std::array<ConvGeometry::Axis, 3> const &axes,
                    std::int64_t firstPosition, std::int64_t endPosition, Workers workers)
{
    auto const [first, end] = shareOf(out.elements, workers);
    if (first == end) return;
    thread_local std::vector<float> filters; // of one group, in whole vectors: [position][width]
    thread_local std::vector<Run> runs;
    std::int64_t const width = roundUp(out.filters, kLanes), positions = y.rows() * y.size[2];
    std::int64_t const step = axes[2].stride * x.pixel();
    for (std::int64_t group = 0; group < out.groups; ++group) {
        float const *from = y.data + group * y.channels;
        std::int64_t yStep = y.pixel();
        if (out.filters % kLanes != 0) {
            filters.assign(static_cast<std::size_t>(positions * width), 0.0f);
            for (std::int64_t p = 0; p < positions; ++p) std::copy_n(from + p * yStep, out.filters, filters.data() + p * width);
            from = filters.data();
            yStep = width;
        }
        for (std::int64_t element = first; element < end; ++element) {
            std::int64_t const k = out.first + element, kx = k % axes[2].kernel, ky = k / axes[2].kernel % axes[1].kernel,
                               kz = k / axes[2].kernel / axes[1].kernel;
            runs.clear();
            // Windows whose element is inside the block of x.
            std::int64_t begin = 0, stop = y.size[2];
            auto const at = [&](std::int64_t o) { return axes[2].source(y.begin[2] + o, kx) - x.begin[2]; };
            while (begin < stop && at(begin) < 0) ++begin;
            while (stop > begin && at(stop - 1) >= x.size[2]) --stop;
            for (std::int64_t row = firstPosition / y.size[2]; row * y.size[2] < endPosition && begin < stop; ++row) {
                std::int64_t const oy = row % y.size[1], oz = row / y.size[1] % y.size[0], b = row / y.size[1] / y.size[0];
                std::int64_t const sz = axes[0].source(y.begin[0] + oz, kz) - x.begin[0],
                                   sy = axes[1].source(y.begin[1] + oy, ky) - x.begin[1];
                if (sz < 0 || sz >= x.size[0] || sy < 0 || sy >= x.size[1]) continue;
                std::int64_t const left = std::max(begin, firstPosition - row * y.size[2]),
                                   right = std::min(stop, endPosition - row * y.size[2]);
                if (left < right) runs.push_back({x.row(b, sz, sy) - x.data + at(left) * x.pixel(), row * y.size[2] + left, right - left});
            }
            float const *const source = x.data + group * x.channels;
            float *const to = out.data + (element * out.channels * out.groups + group) * out.filters;
            std::int64_t const outStep = out.groups * out.filters;
            std::int64_t c = 0;
            for (; c + 4 <= out.channels; c += 4)
                sumFilters<4>(runs, source + c, step, from, yStep, to + c * outStep, outStep, out.filters);
            for (; c < out.channels; ++c) sumFilters<1>(runs, source + c, step, from, yStep, to + c * outStep, outStep, out.filters);
        }
    }
}

/// The elements of a field as floats, in place or converted.
float *floats(std::byte *tile, VertexState::Ref const &ref, std::vector<float> &buffer)
{
    if (ref.dtype == DType::F32) return at<float>(tile, ref);
    buffer.resize(static_cast<std::size_t>(ref.elements()));
    loadFloats(tile, ref, 0, ref.elements(), buffer.data());
    return buffer.data();
}

void run(std::byte *tile, VertexState const &s, Workers workers)
{
    ConvVertexState const state(s.scalars);
    thread_local std::vector<float> firstWide, secondWide, outWide;
    float *const first = floats(tile, s.fields[1], firstWide), *const second = floats(tile, s.fields[2], secondWide);
    // For narrow types the last worker computes the whole result; other types are written in place by each worker.
    auto const &ref = s.fields[0];
    bool const narrow = ref.dtype != DType::F32;
    if (narrow) {
        if (workers.begin != 0) return; // one worker stores the result of all six
        workers = {};
        outWide.assign(static_cast<std::size_t>(ref.elements()), 0.0f);
    }
    float *const out = narrow ? outWide.data() : at<float>(tile, ref);
    int const n = state.spatial;
    bool const g = state.grouped, turned = state.part == ConvPart::InputGradient;
    // float16 sums are added to the stored value, one accumulation after the other.
    auto const inAccumulations = [&](std::int64_t count, auto const &sum) {
        thread_local std::vector<float> before;
        for (std::int64_t number = 0; number < count; ++number) {
            if (number > 0) {
                storePartials(tile, ref, 0, ref.elements(), out, number - 1);
                before.assign(out, out + ref.elements());
            }
            sum(number);
            for (std::int64_t i = 0; number > 0 && i < ref.elements(); ++i) out[i] += before[static_cast<std::size_t>(i)];
        }
    };
    if (state.part == ConvPart::WeightGradient) {
        auto w = kernelOf(s.blocks[0], g);
        auto x = fieldOf(s.blocks[1], n, g), y = fieldOf(s.blocks[2], n, g);
        w.data = out;
        x.data = first;
        y.data = second;
        std::int64_t const positions = y.rows() * y.size[2],
                           each = state.halfPartials > 0 ? state.halfPartials : std::max<std::int64_t>(1, positions);
        inAccumulations(std::max<std::int64_t>(1, ceilDiv(positions, each)), [&](std::int64_t number) {
            weightGradient(w, x, y, state.axes, number * each, std::min(positions, (number + 1) * each), workers);
        });
    } else {
        auto to = fieldOf(s.blocks[0], n, g), from = fieldOf(s.blocks[1], n, g);
        auto w = kernelOf(s.blocks[2], g);
        to.data = out;
        from.data = first;
        w.data = second;
        std::int64_t const inputs = turned ? w.filters : w.channels, each = state.halfPartials > 0 ? state.halfPartials : inputs;
        std::int64_t const parts = ceilDiv(inputs, each);
        if (state.halfPartials > 0)
            inAccumulations(w.elements * parts, [&](std::int64_t number) {
                std::int64_t const begin = number % parts * each;
                convolve(to, from, w, state.axes, turned, {number / parts, begin, std::min(each, inputs - begin)}, workers);
            });
        else convolve(to, from, w, state.axes, turned, {-1, 0, inputs}, workers);
    }
    if (narrow) storeFloats(tile, ref, 0, ref.elements(), out);
}

Cycles cycles(cost::ConvVertex vertex, VertexShape const &shape, target::Chip const &chip)
{
    return cost::convVertexCycles(vertex, convTile(shape), convMachine(chip, shape.fields[1].dtype));
}

// -- by name and sizes

cost::CostParam kernelElementsParam() { return cost::integerParam("kernelElements", "1", "elements of the kernel", 1); }
cost::CostParam groupGroupsParam() { return cost::integerParam("groups", "1", "groups of convolution groups", 1); }

/// Channels per AMP operation, from the bytes of weights that a unit holds.
std::int64_t inputGroup(cost::Args const &a) { return std::max<std::int64_t>(1, a.integer("weightBytes") / a.type("in").bytes()); }

cost::ConvTile nx1Tile(cost::Args const &a)
{
    cost::ConvTile tile;
    tile.in = a.type("in");
    tile.partials = a.type("partials");
    tile.positions = {1, a.integer("rows"), a.integer("width")};
    tile.kernel = {1, a.integer("kernelOuter") * a.integer("filterHeight"), a.integer("kernelInner")};
    tile.groups = a.integer("groups");
    tile.channels = a.integer("inGroups") * std::max<std::int64_t>(1, inputGroup(a) / a.integer("filterHeight"));
    tile.filters = a.integer("outGroups") * a.integer("outChans");
    return tile;
}

std::shared_ptr<CodeletDescription const> describeNx1()
{
    return describe({.library = "poplin::ConvPartialnx1",
                     .family = "matmul",
                     .title = "convolution with a kernel of several elements on the AMP",
                     .source = kPoplinSource,
                     .params = {inParam(), partialsParam(), rowsParam(), widthParam(),
                                cost::integerParam("kernelOuter", "1", "kernel rows (after filterHeight)", 1, 1024),
                                cost::integerParam("kernelInner", "1", "kernel columns", 1, 1024),
                                cost::choiceParam("filterHeight", "1", "kernel elements loaded per pass", {"1", "2", "4"}), groupsParam(),
                                inGroupsParam(), outGroupsParam(), outChansParam(), unitsParam(), weightBytesParam(), loadParam(),
                                cost::flagParam("regroup", "channels come last and are put into groups first, as a compile has it")},
                     .vertex = [](cost::Args const &a) { return convVertex(nx1Tile(a)); },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         auto const regroup = a.flag("regroup")
                             ? cost::regroupCycles(
                                 nx1Tile(a), {.weightLoadBytes = a.smallInteger("load"), .inputGroup = static_cast<int>(inputGroup(a))})
                             : 0;
                         return regroup
                             + cost::convNx1Cycles({.in = a.type("in"),
                                                    .partials = a.type("partials"),
                                                    .rows = a.integer("rows"),
                                                    .width = a.integer("width"),
                                                    .kernelOuter = a.integer("kernelOuter"),
                                                    .kernelInner = a.integer("kernelInner"),
                                                    .filterHeight = a.smallInteger("filterHeight"),
                                                    .convGroups = a.integer("groups"),
                                                    .inGroups = a.integer("inGroups"),
                                                    .outGroups = a.integer("outGroups"),
                                                    .outChansPerGroup = a.integer("outChans"),
                                                    .convUnits = a.smallInteger("units"),
                                                    .weightBytesPerUnit = a.smallInteger("weightBytes"),
                                                    .weightLoadBytes = a.smallInteger("load")});
                     }});
}

/// The weight gradient: rows are kernel elements, the sum is over positions.
std::shared_ptr<CodeletDescription const> describeWindows()
{
    return describe(
        {.family = "matmul",
         .title = "weight gradient of a convolution as a product of copied-out windows on the AMP",
         .source = std::string(kPoplinSource) + ", copying at 16 bytes a cycle",
         .params = {floatInParam(), partialsParam(), cost::integerParam("positions", "", "output positions that are summed over", 1),
                    kernelElementsParam(), cost::integerParam("inChans", "", "input channels per group", 1),
                    cost::integerParam("outChans", "", "output channels per group", 1), groupsParam()},
         .vertex = [](cost::Args const &a) {
             cost::ConvTile tile;
             tile.part = cost::ConvPart::WeightGradient;
             tile.in = a.type("in");
             tile.partials = a.type("partials");
             tile.positions = {1, 1, a.integer("positions")};
             tile.kernel = {1, 1, a.integer("kernelElements")};
             tile.groups = a.integer("groups");
             tile.channels = a.integer("inChans");
             tile.filters = a.integer("outChans");
             return convVertex(tile);
         }});
}

std::shared_ptr<CodeletDescription const> describeSlic()
{
    return describe({.library = "poplin::ConvPartial1xNSLIC",
                     .family = "matmul",
                     .title = "sliding-window convolution over few channels",
                     .source = kPoplinSource,
                     .params = {cost::typeParam("in", "f16", "type of inputs and weights", {"f8", "f16"}), partialsParam(), rowsParam(),
                                widthParam(), cost::choiceParam("chains", "4", "convolution chains", {"2", "4"}),
                                cost::choiceParam("groupsPerGroup", "1", "convolution groups per group", {"1", "2", "4", "8", "16"}),
                                cost::choiceParam("chansPerGroup", "4", "channels per convolution group", {"1", "2", "4"}),
                                cost::choiceParam("stride", "1", "output stride", {"1", "2"}),
                                cost::integerParam("subKernels", "1", "windows of four the kernel is cut into", 1), groupGroupsParam()},
                     .vertex =
                         [](cost::Args const &a) {
                             cost::ConvTile tile;
                             tile.in = a.type("in");
                             tile.partials = a.type("partials");
                             tile.positions = {1, a.integer("rows"), a.integer("width")};
                             tile.kernel = {1, a.integer("subKernels"), 4};
                             tile.stride = {1, 1, a.integer("stride")};
                             tile.groups = a.integer("groups") * a.integer("groupsPerGroup");
                             tile.channels = tile.filters = a.integer("chansPerGroup");
                             return convVertex(tile);
                         },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         return cost::slicCycles({.in = a.type("in"),
                                                  .partials = a.type("partials"),
                                                  .rows = a.integer("rows"),
                                                  .width = a.integer("width"),
                                                  .chains = a.smallInteger("chains"),
                                                  .convGroupsPerGroup = a.smallInteger("groupsPerGroup"),
                                                  .chansPerGroup = a.smallInteger("chansPerGroup"),
                                                  .outputStride = a.smallInteger("stride"),
                                                  .subKernels = a.integer("subKernels"),
                                                  .convGroupGroups = a.integer("groups")});
                     }});
}

std::shared_ptr<CodeletDescription const> describeHorizontal()
{
    return describe({.family = "matmul",
                     .title = "convolution by dot products, without the AMP",
                     .source = kPoplinSource,
                     .params = {floatInParam(), partialsParam(), rowsParam(), widthParam(), kernelElementsParam(),
                                cost::integerParam("inChans", "1", "input channels per group", 1),
                                cost::integerParam("outChans", "1", "output channels per group", 1), groupsParam()},
                     .vertex = [](cost::Args const &a) {
                         cost::ConvTile tile;
                         tile.in = a.type("in");
                         tile.partials = a.type("partials");
                         tile.positions = {1, a.integer("rows"), a.integer("width")};
                         tile.kernel = {1, 1, a.integer("kernelElements")};
                         tile.groups = a.integer("groups");
                         tile.channels = a.integer("inChans");
                         tile.filters = a.integer("outChans");
                         return convVertex(tile);
                     }});
}

std::shared_ptr<CodeletDescription const> describeVertical()
{
    return describe({.library = "poplin::ConvPartialVerticalMac",
                     .family = "matmul",
                     .title = "depthwise convolution of f16 inputs",
                     .source = kPoplinSource,
                     .params = {partialsParam(), cost::choiceParam("groupsPerGroup", "4", "convolution groups per group", {"4", "8", "16"}),
                                cost::integerParam("rowsPerWorker", "", "work-list entries of the busiest worker"),
                                cost::integerParam("kernelWidth", "1", "positions of an entry", 1),
                                cost::integerParam("outputs", "", "output elements"), groupsParam(), inGroupsParam()},
                     .vertex =
                         [](cost::Args const &a) {
                             cost::ConvTile tile;
                             tile.in = cost::ValueType::F16;
                             tile.partials = a.type("partials");
                             tile.positions = {1, 1, cost::kWorkers * a.integer("rowsPerWorker")};
                             tile.kernel = {1, 1, a.integer("kernelWidth")};
                             tile.groups = a.integer("groups") * a.integer("groupsPerGroup");
                             return convVertex(tile);
                         },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         return cost::verticalMacCycles({.partials = a.type("partials"),
                                                         .convGroupsPerGroup = a.smallInteger("groupsPerGroup"),
                                                         .rowsPerWorker = a.integer("rowsPerWorker"),
                                                         .kernelWidth = a.integer("kernelWidth"),
                                                         .outElements = a.integer("outputs"),
                                                         .convGroups = a.integer("groups"),
                                                         .inGroups = a.integer("inGroups")});
                     }});
}

} // namespace

void addConvCodelets(std::vector<Codelet> &all)
{
    struct Row {
        cost::ConvVertex vertex;
        Bytes code;
        std::shared_ptr<CodeletDescription const> (*description)();
    };
    for (auto const &[vertex, code, description] :
         {Row{cost::ConvVertex::AmpNx1, 1640, describeNx1}, Row{cost::ConvVertex::Amp1x1, 1160, describeWindows},
          Row{cost::ConvVertex::Slic, 1310, describeSlic}, Row{cost::ConvVertex::HorizontalMac, 640, describeHorizontal},
          Row{cost::ConvVertex::VerticalMac, 820, describeVertical}}) {
        Codelet codelet;
        codelet.name = convCodelet(vertex);
        codelet.codeBytes = code;
        codelet.wantsBlocks = true;
        codelet.usesAmp = vertex != cost::ConvVertex::HorizontalMac && vertex != cost::ConvVertex::VerticalMac;
        codelet.cycles = [vertex = vertex](VertexShape const &shape, target::Chip const &chip) { return cycles(vertex, shape, chip); };
        // Header, three pointer lists, and work lists of six bytes per entry (one entry per worker and kernel element).
        codelet.stateBytes = [](VertexShape const &shape) -> Bytes {
            auto const tile = convTile(shape);
            return 12 + 3 * 4 + 6 * cost::kWorkers * tile.kernel[0] * tile.kernel[1] * tile.kernel[2];
        };
        codelet.run = run;
        codelet.description = description();
        all.push_back(codelet);
    }
}

} // namespace tilewright::program
