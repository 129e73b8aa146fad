// Vertices of pooling: a block of windows anywhere in the tensor, and the inputs they cover.
#include "tests/engine/program/case_parts.h"

#include <algorithm>

namespace tilewright::tests {

namespace {

using program::Box;
using program::FieldBlock;

struct Axis {
    std::int64_t in, window, stride, before, out;
    Box::Range covered(std::int64_t o) const
    {
        auto const first = o * stride - before;
        return {std::max<std::int64_t>(0, first), std::min(in, first + window)};
    }
};

struct Pool {
    std::vector<Axis> axes;
    FieldBlock x, y; ///< inputs covered by the block of windows (and a little more); the windows
    FieldBlock dx;   ///< inputs of which y holds all windows

    explicit Pool(Random &random)
    {
        auto const spatial = upTo(random, 3);
        std::int64_t const small = spatial == 1 ? 12 : spatial == 2 ? 7 : 4;
        for (std::int64_t a = 0; a < spatial; ++a) {
            Axis axis{};
            axis.window = upTo(random, 3);
            axis.stride = upTo(random, 3);
            axis.in = axis.window + upTo(random, small) - 1;
            axis.before = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(axis.window)));
            // As many windows as see something.
            axis.out = (axis.in + axis.before - 1) / axis.stride + 1;
            axes.push_back(axis);
        }
        auto const samples = upTo(random, 3), channels = upTo(random, 20), firstSample = upTo(random, 4), firstChannel = upTo(random, 4);
        auto const fill = [&](FieldBlock &field, auto const &range, auto const &extent) {
            field.rank = static_cast<int>(spatial) + 2;
            field.range[0] = {firstSample, firstSample + samples};
            field.extent[0] = firstSample + samples + 2;
            auto const last = static_cast<std::size_t>(spatial) + 1;
            field.range[last] = {firstChannel, firstChannel + channels};
            field.extent[last] = firstChannel + channels;
            for (std::size_t a = 0; a < axes.size(); ++a) {
                field.range[a + 1] = range(a);
                field.extent[a + 1] = extent(a);
            }
        };
        std::vector<Box::Range> windows;
        for (auto const &axis : axes) {
            auto const begin = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(axis.out)));
            windows.push_back({begin, begin + upTo(random, axis.out - begin)});
        }
        auto const out = [&](std::size_t a) { return axes[a].out; };
        auto const in = [&](std::size_t a) { return axes[a].in; };
        fill(
            y, [&](std::size_t a) { return windows[a]; }, out);
        fill(
            x,
            [&](std::size_t a) {
                auto const first = axes[a].covered(windows[a].begin), last = axes[a].covered(windows[a].end - 1);
                return Box::Range{first.begin, std::min(axes[a].in, last.end + (random.below(4) == 0 ? 1 : 0))};
            },
            in);
        fill(
            dx,
            [&](std::size_t a) {
                // The part after an earlier window and before a later one; everything without such windows.
                auto const &axis = axes[a];
                std::int64_t begin = windows[a].begin > 0 ? axis.covered(windows[a].begin - 1).end : 0;
                std::int64_t end = windows[a].end < axis.out ? axis.covered(windows[a].end).begin : axis.in;
                if (begin >= end) {
                    windows[a] = {0, axis.out};
                    begin = 0;
                    end = axis.in;
                }
                return Box::Range{begin, end};
            },
            in);
        fill(
            y, [&](std::size_t a) { return windows[a]; }, out);
        fill(
            x,
            [&](std::size_t a) {
                auto const first = axes[a].covered(windows[a].begin), last = axes[a].covered(windows[a].end - 1);
                return Box::Range{first.begin, last.end};
            },
            in);
    }

    std::vector<double> scalars(double scale) const
    {
        std::vector<double> all{scale};
        for (auto member : {&Axis::window, &Axis::stride, &Axis::before})
            for (auto const &axis : axes) all.push_back(static_cast<double>(axis.*member));
        return all;
    }
};

/// All positions of a block, as subscripts in the tensor.
template <typename Visit> void forEach(FieldBlock const &block, Visit const &visit)
{
    std::vector<std::int64_t> at;
    for (int d = 0; d < block.rank; ++d) at.push_back(block.begin(d));
    for (;;) {
        visit(at);
        int d = block.rank;
        while (d-- > 0) {
            if (++at[static_cast<std::size_t>(d)] < block.end(d)) break;
            at[static_cast<std::size_t>(d)] = block.begin(d);
        }
        if (d < 0) return;
    }
}

/// Place in a block; -1 outside.
std::int64_t offset(FieldBlock const &block, std::vector<std::int64_t> const &at)
{
    std::int64_t offset = 0;
    for (int d = 0; d < block.rank; ++d) {
        auto const i = at[static_cast<std::size_t>(d)];
        if (i < block.begin(d) || i >= block.end(d)) return -1;
        offset = offset * block.size(d) + i - block.begin(d);
    }
    return offset;
}

/// The inputs of one window, in their order.
std::vector<std::vector<std::int64_t>> inputsOf(Pool const &pool, std::vector<std::int64_t> const &o)
{
    FieldBlock window;
    window.rank = pool.y.rank;
    for (std::size_t d = 0; d < static_cast<std::size_t>(window.rank); ++d) {
        bool const spatial = d > 0 && d + 1 < static_cast<std::size_t>(window.rank);
        window.range[d] = spatial ? pool.axes[d - 1].covered(o[d]) : Box::Range{o[d], o[d] + 1};
    }
    std::vector<std::vector<std::int64_t>> all;
    forEach(window, [&](auto const &at) { all.push_back(at); });
    return all;
}

double &element(std::vector<double> &values, std::int64_t at) { return values[static_cast<std::size_t>(at)]; }

CodeletCase forward(Random &random, bool maximum)
{
    CodeletCase c;
    Pool const pool(random);
    auto const type = floating(random);
    auto const result = maximum || random.below(2) ? type : DType::F32;
    double const scale = !maximum && random.below(2) ? 0.25 : 0;
    c.fields = {blockField(result, 1, pool.y, true), blockField(type, 1, pool.x, false, maximum ? -4 : 0.1, maximum ? 4 : 1)};
    c.scalars = pool.scalars(scale);
    c.tolerance = result == DType::F16 ? 2e-3 : 1e-5;
    c.naive = [pool, maximum, scale](Contents &f) {
        forEach(pool.y, [&](auto const &o) {
            double sum = 0, most = -1e9;
            auto const inputs = inputsOf(pool, o);
            for (auto const &i : inputs) {
                double const v = element(f[1], offset(pool.x, i));
                sum += v;
                most = std::max(most, v);
            }
            element(f[0], offset(pool.y, o)) = maximum ? most : scale != 0 ? sum * scale : sum / static_cast<double>(inputs.size());
        });
    };
    return c;
}

CodeletCase gradient(Random &random, bool maximum)
{
    CodeletCase c;
    Pool const pool(random);
    auto const type = floating(random);
    c.fields = {blockField(type, 1, pool.dx, true)};
    if (maximum) c.fields.push_back(blockField(type, 1, pool.x, false, -2, 2)); // whole numbers: many are equal
    c.fields.push_back(blockField(type, 1, pool.y, false, 0.1, 1));
    c.scalars = pool.scalars(0);
    c.tolerance = type == DType::F16 ? 2e-3 : 1e-5;
    c.naive = [pool, maximum](Contents &f) {
        std::ranges::fill(f[0], 0.0);
        forEach(pool.y, [&](auto const &o) {
            double const d = element(f.back(), offset(pool.y, o));
            auto inputs = inputsOf(pool, o);
            double share = d / static_cast<double>(inputs.size());
            if (maximum) {
                auto const at = std::ranges::max_element(inputs, {}, [&](auto const &i) { return element(f[1], offset(pool.x, i)); });
                inputs = {*at}; // the first of equal ones
                share = d;
            }
            for (auto const &i : inputs)
                if (auto const at = offset(pool.dx, i); at >= 0) element(f[0], at) += share;
        });
    };
    return c;
}

} // namespace

CaseMakers poolCases()
{
    return {{"PoolMax", [](Random &r) { return forward(r, true); }},
            {"PoolSum", [](Random &r) { return forward(r, false); }},
            {"PoolMaxGrad", [](Random &r) { return gradient(r, true); }},
            {"PoolMeanGrad", [](Random &r) { return gradient(r, false); }}};
}

} // namespace tilewright::tests
