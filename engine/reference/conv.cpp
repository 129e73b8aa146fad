// Convolutions as seven plain loops.
#include "engine/graph/conv.h"
#include "engine/reference/reference_ops.h"

#include <array>

namespace tilewright::reference {

namespace {

using graph::ConvGeometry;

/// Calls visit(element of x, of w, of y) for each product of the sum.
template <typename Visit> void forEachProduct(ConvGeometry const &g, Visit const &visit)
{
    auto const &[az, ay, ax] = g.axis;
    std::int64_t const allChannels = g.groups * g.channels, allFilters = g.groups * g.filters;
    for (std::int64_t b = 0; b < g.batch; ++b)
        for (std::int64_t position = 0; position < g.outPositions(); ++position)
            for (std::int64_t element = 0; element < g.kernelElements(); ++element) {
                std::int64_t const ox = position % ax.out, oy = position / ax.out % ay.out, oz = position / ax.out / ay.out;
                std::int64_t const kx = element % ax.kernel, ky = element / ax.kernel % ay.kernel, kz = element / ax.kernel / ay.kernel;
                std::int64_t const ix = ax.source(ox, kx), iy = ay.source(oy, ky), iz = az.source(oz, kz);
                if (ix < 0 || ix >= ax.in || iy < 0 || iy >= ay.in || iz < 0 || iz >= az.in) continue;
                std::int64_t const x = ((b * az.in + iz) * ay.in + iy) * ax.in + ix, y = b * g.outPositions() + position;
                for (std::int64_t group = 0; group < g.groups; ++group)
                    for (std::int64_t c = 0; c < g.channels; ++c)
                        for (std::int64_t f = 0; f < g.filters; ++f)
                            visit(x * allChannels + group * g.channels + c, (element * g.channels + c) * allFilters + group * g.filters + f,
                                  y * allFilters + group * g.filters + f);
            }
}

template <typename Add> Status convolve(Call const &call, Add const &add)
{
    TW_TRY(expectCounts(call, 2, 1));
    TW_ASSIGN(auto const g, graph::convGeometry(call.node, call.in[0].shape, call.in[1].shape));
    forEachProduct(g, [&](std::int64_t x, std::int64_t w, std::int64_t y) {
        add(static_cast<std::size_t>(x), static_cast<std::size_t>(w), static_cast<std::size_t>(y));
    });
    for (double &value : call.out[0].v) value = call.round(value);
    return {};
}

Status conv(Call const &call)
{
    return convolve(call, [&](std::size_t x, std::size_t w, std::size_t y) { call.out[0].v[y] += call.in[0].v[x] * call.in[1].v[w]; });
}
Status inputGradient(Call const &call)
{
    return convolve(call, [&](std::size_t x, std::size_t w, std::size_t y) { call.out[0].v[x] += call.in[0].v[y] * call.in[1].v[w]; });
}
Status weightGradient(Call const &call)
{
    return convolve(call, [&](std::size_t x, std::size_t w, std::size_t y) { call.out[0].v[w] += call.in[0].v[x] * call.in[1].v[y]; });
}

constexpr std::array kOps{
    RefOp{"conv", conv},
    RefOp{"conv_input_grad", inputGradient},
    RefOp{"conv_weight_grad", weightGradient},
};

} // namespace

std::span<RefOp const> convOps() { return kOps; }

} // namespace tilewright::reference
