#include "engine/program/codelets/conv_state.h"
#include "engine/program/cost/conv_cost.h"
#include "tests/engine/program/codelet_cases.h"
#include "tests/support/random_conv.h"

#include <algorithm>

namespace tilewright::tests {

using cost::ConvPart;
using graph::ConvGeometry;
using program::Box;
using program::FieldBlock;

namespace {

Box::Range part(RandomStream &random, std::int64_t extent)
{
    auto const begin = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(extent)));
    return {begin, begin + 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(extent - begin)))};
}

/// The part of an axis that a block meets on the other side, at least one position.
Box::Range met(ConvGeometry::Axis const &axis, Box::Range const &own, bool toOutput)
{
    std::int64_t low = toOutput ? axis.out : axis.in, high = -1;
    for (auto at = own.begin; at < own.end; ++at)
        for (std::int64_t k = 0; k < axis.kernel; ++k) {
            std::int64_t const other = toOutput ? axis.reader(at, k) : axis.source(at, k);
            if (other < 0 || other >= (toOutput ? axis.out : axis.in)) continue;
            low = std::min(low, other);
            high = std::max(high, other);
        }
    return high < 0 ? Box::Range{0, 1} : Box::Range{low, high + 1};
}

struct BlockOf {
    FieldBlock block;
    void add(Box::Range range, std::int64_t extent)
    {
        auto const at = static_cast<std::size_t>(block.rank++);
        block.range[at] = range;
        block.extent[at] = extent;
    }
};

/// A part of a convolution or of one of its gradients on one tile.
CodeletCase conv(cost::ConvVertex vertex, RandomStream &random)
{
    CodeletCase c;
    c.codelet = program::convCodelet(vertex);
    auto const conv = randomConv(random, 8);
    auto const g = conv.geometry;
    bool const grouped = g.groups > 1;
    auto const what = static_cast<ConvPart>(random.below(3));
    bool const toInput = what == ConvPart::InputGradient;
    auto const batch = part(random, g.batch), groups = part(random, g.groups), channels = part(random, g.channels),
               filters = part(random, g.filters);
    std::array<Box::Range, 3> in, out;
    BlockOf x, y, w;
    x.add(batch, g.batch);
    y.add(batch, g.batch);
    for (std::size_t i = 0; i < 3; ++i) {
        auto const &axis = g.axis[i];
        if (toInput) {
            in[i] = part(random, axis.in);
            out[i] = met(axis, in[i], true);
        } else {
            out[i] = part(random, axis.out);
            in[i] = met(axis, out[i], false);
        }
        if (i < ConvGeometry::kAxes - static_cast<std::size_t>(g.spatial)) continue;
        x.add(in[i], axis.in);
        y.add(out[i], axis.out);
    }
    w.add({0, g.kernelElements()}, g.kernelElements());
    w.add(channels, g.channels);
    for (auto *b : {&x, &y, &w})
        if (grouped) b->add(groups, g.groups);
    x.add(channels, g.channels);
    y.add(filters, g.filters);
    w.add(filters, g.filters);

    auto const type = random.below(3) == 0 ? DType::F16 : DType::F32;
    auto const field = [&](BlockOf const &b, bool written) { return blockField(type, 1, b.block, written); };
    std::size_t const ix = toInput ? 0 : 1, iw = what == ConvPart::WeightGradient ? 0 : 2,
                      iy = what == ConvPart::Output ? 0
        : toInput                                   ? 1
                                                    : 2;
    c.fields.resize(3);
    c.fields[ix] = field(x, ix == 0);
    c.fields[iy] = field(y, iy == 0);
    c.fields[iw] = field(w, iw == 0);
    c.tolerance = type == DType::F16 ? 2e-3 : 2e-5;
    program::ConvVertexState state;
    state.part = what;
    state.spatial = g.spatial;
    state.grouped = grouped;
    state.axes = g.axis;
    c.scalars = state.scalars();
    c.naive = [=](Contents &t) {
        std::int64_t const cs = channels.size(), fs = filters.size(), gs = grouped ? groups.size() : 1;
        std::vector<double> result(t[0].size(), 0.0);
        auto const at = [](std::array<Box::Range, 3> const &r, std::int64_t b, std::int64_t z, std::int64_t yy, std::int64_t xx) {
            return ((b * r[0].size() + z - r[0].begin) * r[1].size() + yy - r[1].begin) * r[2].size() + xx - r[2].begin;
        };
        for (std::int64_t b = 0; b < batch.size(); ++b)
            for (auto oz = out[0].begin; oz < out[0].end; ++oz)
                for (auto oy = out[1].begin; oy < out[1].end; ++oy)
                    for (auto ox = out[2].begin; ox < out[2].end; ++ox)
                        for (std::int64_t e = 0; e < g.kernelElements(); ++e) {
                            auto const kx = e % g.axis[2].kernel, ky = e / g.axis[2].kernel % g.axis[1].kernel,
                                       kz = e / g.axis[2].kernel / g.axis[1].kernel;
                            auto const sz = g.axis[0].source(oz, kz), sy = g.axis[1].source(oy, ky), sx = g.axis[2].source(ox, kx);
                            if (sz < in[0].begin || sz >= in[0].end || sy < in[1].begin || sy >= in[1].end || sx < in[2].begin
                                || sx >= in[2].end)
                                continue;
                            for (std::int64_t h = 0; h < gs; ++h)
                                for (std::int64_t i = 0; i < cs; ++i)
                                    for (std::int64_t f = 0; f < fs; ++f) {
                                        auto const px = static_cast<std::size_t>((at(in, b, sz, sy, sx) * gs + h) * cs + i);
                                        auto const py = static_cast<std::size_t>((at(out, b, oz, oy, ox) * gs + h) * fs + f);
                                        auto const pw = static_cast<std::size_t>(((e * cs + i) * gs + h) * fs + f);
                                        if (what == ConvPart::Output) result[py] += t[ix][px] * t[iw][pw];
                                        else if (toInput) result[px] += t[iy][py] * t[iw][pw];
                                        else result[pw] += t[ix][px] * t[iy][py];
                                    }
                        }
        t[0] = result;
    };
    return c;
}

} // namespace

CaseMakers convCases()
{
    CaseMakers m;
    for (auto vertex : {cost::ConvVertex::AmpNx1, cost::ConvVertex::Amp1x1, cost::ConvVertex::Slic, cost::ConvVertex::HorizontalMac,
                        cost::ConvVertex::VerticalMac})
        m[program::convCodelet(vertex)] = [vertex](RandomStream &random) { return conv(vertex, random); };
    return m;
}

} // namespace tilewright::tests
