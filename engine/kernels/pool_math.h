#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

/// Pooling of one sample, channels last, on positioned blocks. Shared by the host kernels and the tiles' vertices, so that both round
/// alike. With fewer than three spatial axes, leading ones have extent 1.
namespace tilewright::kernels {

using Axes = std::array<std::int64_t, 3>;

/// Movement of the window over an input with these extents. Positions outside are padding and do not count.
struct PoolWindow {
    Axes extent{1, 1, 1}, window{1, 1, 1}, stride{1, 1, 1}, before{0, 0, 0};

    struct Range {
        std::int64_t begin, end;
    };
    /// Input positions of output o along an axis.
    Range covered(std::size_t axis, std::int64_t o) const
    {
        auto const first = o * stride[axis] - before[axis];
        return {std::max<std::int64_t>(0, first), std::min(extent[axis], first + window[axis])};
    }
    /// Inputs of one output: the divisor of its mean.
    std::int64_t count(Axes const &o) const
    {
        std::int64_t n = 1;
        for (std::size_t a = 0; a < 3; ++a) n *= covered(a, o[a]).end - covered(a, o[a]).begin;
        return n;
    }
};

/// A block of positions, row-major, with all channels at each position.
struct PoolBlock {
    Axes begin{0, 0, 0}, size{1, 1, 1};
    std::int64_t channels = 1;

    std::int64_t positions() const { return size[0] * size[1] * size[2]; }
    std::int64_t at(std::int64_t z, std::int64_t y, std::int64_t x) const
    {
        return (((z - begin[0]) * size[1] + y - begin[1]) * size[2] + x - begin[2]) * channels;
    }
    bool holds(std::int64_t z, std::int64_t y, std::int64_t x) const
    {
        return z >= begin[0] && z < begin[0] + size[0] && y >= begin[1] && y < begin[1] + size[1] && x >= begin[2]
            && x < begin[2] + size[2];
    }
};

/// A share of the channels.
struct PoolChannels {
    std::int64_t begin, end;
};

template <typename Visit> void forEachPosition(PoolBlock const &block, Visit const &visit)
{
    for (auto z = block.begin[0]; z < block.begin[0] + block.size[0]; ++z)
        for (auto y = block.begin[1]; y < block.begin[1] + block.size[1]; ++y)
            for (auto x = block.begin[2]; x < block.begin[2] + block.size[2]; ++x) visit(Axes{z, y, x});
}

template <typename Visit> void forEachCovered(PoolWindow const &w, Axes const &o, Visit const &visit)
{
    auto const z = w.covered(0, o[0]), y = w.covered(1, o[1]), x = w.covered(2, o[2]);
    for (auto i = z.begin; i < z.end; ++i)
        for (auto j = y.begin; j < y.end; ++j)
            for (auto k = x.begin; k < x.end; ++k) visit(i, j, k);
}

/// Maximum of each window; NaN if the window contains one. Requires: the block of x holds the windows of y.
inline void poolMax(PoolWindow const &w, float const *x, PoolBlock const &in, float *y, PoolBlock const &out, PoolChannels c)
{
    forEachPosition(out, [&](Axes const &o) {
        float *to = y + out.at(o[0], o[1], o[2]);
        bool first = true;
        forEachCovered(w, o, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
            float const *from = x + in.at(i, j, k);
            if (first) {
                std::copy(from + c.begin, from + c.end, to + c.begin);
                first = false;
                return;
            }
#pragma GCC ivdep
            for (auto n = c.begin; n < c.end; ++n) to[n] = (from[n] > to[n]) | (from[n] != from[n]) ? from[n] : to[n];
        });
    });
}

/// Sum of each window, divided by the number of its inputs, or multiplied by a nonzero `scale`.
inline void poolSum(PoolWindow const &w, float scale, float const *x, PoolBlock const &in, float *y, PoolBlock const &out, PoolChannels c)
{
    forEachPosition(out, [&](Axes const &o) {
        float *to = y + out.at(o[0], o[1], o[2]);
        std::fill(to + c.begin, to + c.end, 0.0f);
        forEachCovered(w, o, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
            float const *from = x + in.at(i, j, k);
#pragma GCC ivdep
            for (auto n = c.begin; n < c.end; ++n) to[n] += from[n];
        });
        float const factor = scale != 0.0f ? scale : 1.0f / static_cast<float>(w.count(o));
        for (auto n = c.begin; n < c.end; ++n) to[n] *= factor;
    });
}

/// Gradient of poolMax: the gradient of each of the `windows` (a part of d) goes to the first of its largest inputs. Requires: x holds all
/// their inputs, and they are all windows that cover a position of dx.
inline void poolMaxGradient(PoolWindow const &w, float const *x, PoolBlock const &in, float const *d, PoolBlock const &upstream,
                            PoolBlock const &windows, float *dx, PoolBlock const &out, PoolChannels c)
{
    constexpr std::int64_t kChunk = 64; // channels whose maxima stay in registers and the first-level cache
    for (std::int64_t p = 0; p < out.positions(); ++p) std::fill(dx + p * out.channels + c.begin, dx + p * out.channels + c.end, 0.0f);
    float best[kChunk];
    std::int32_t where[kChunk];
    forEachPosition(windows, [&](Axes const &o) {
        float const *g = d + upstream.at(o[0], o[1], o[2]);
        for (auto first = c.begin; first < c.end; first += kChunk) {
            auto const n = std::min(kChunk, c.end - first);
            std::int32_t position = 0;
            forEachCovered(w, o, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
                float const *from = x + in.at(i, j, k) + first;
                if (position == 0) {
                    std::copy_n(from, n, best);
                    std::fill_n(where, n, 0);
                } else {
#pragma GCC ivdep
                    for (std::int64_t m = 0; m < n; ++m) {
                        bool const larger = (from[m] > best[m]) | (from[m] != from[m]);
                        best[m] = larger ? from[m] : best[m];
                        where[m] = larger ? position : where[m];
                    }
                }
                ++position;
            });
            position = 0;
            forEachCovered(w, o, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
                auto const number = position++;
                if (!out.holds(i, j, k)) return;
                float *to = dx + out.at(i, j, k) + first;
#pragma GCC ivdep
                for (std::int64_t m = 0; m < n; ++m) to[m] += where[m] == number ? g[first + m] : 0.0f;
            });
        }
    });
}

/// Gradient of a mean: every input of a window gets its share. Requires: `windows` (a part of d) are all windows that cover a position of
/// dx.
inline void poolMeanGradient(PoolWindow const &w, float const *d, PoolBlock const &upstream, PoolBlock const &windows, float *dx,
                             PoolBlock const &out, PoolChannels c)
{
    for (std::int64_t p = 0; p < out.positions(); ++p) std::fill(dx + p * out.channels + c.begin, dx + p * out.channels + c.end, 0.0f);
    forEachPosition(windows, [&](Axes const &o) {
        float const *g = d + upstream.at(o[0], o[1], o[2]);
        float const factor = 1.0f / static_cast<float>(w.count(o));
        forEachCovered(w, o, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
            if (!out.holds(i, j, k)) return;
            float *to = dx + out.at(i, j, k);
#pragma GCC ivdep
            for (auto n = c.begin; n < c.end; ++n) to[n] += g[n] * factor;
        });
    });
}

} // namespace tilewright::kernels
