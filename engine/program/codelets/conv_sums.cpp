#include "engine/program/codelets/conv_sums.h"

#include <algorithm>
#include <vector>

namespace tilewright::program::conv {

namespace {

using Vec = float __attribute__((vector_size(32)));
constexpr std::int64_t kLanes = 8;

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

} // namespace

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

} // namespace tilewright::program::conv
