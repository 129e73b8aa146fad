// Convolutions as seven plain loops.
#include "engine/graph/conv.h"
#include "engine/reference/partial_sums.h"

#include <array>

namespace tilewright::reference {

namespace {

using graph::ConvGeometry;

/// One product of the sum: elements of x, w and y with their indices.
struct Product {
    std::int64_t x, w, y, image, position, element, channel, filter;
};

template <typename Visit> void forEachProduct(ConvGeometry const &g, Visit const &visit)
{
    auto const &[az, ay, ax] = g.axis;
    std::int64_t const allChannels = g.groups * g.channels, allFilters = g.groups * g.filters;
    for (std::int64_t b = 0; b < g.batch; ++b)
        for (std::int64_t element = 0; element < g.kernelElements(); ++element)
            for (std::int64_t position = 0; position < g.outPositions(); ++position) {
                std::int64_t const ox = position % ax.out, oy = position / ax.out % ay.out, oz = position / ax.out / ay.out;
                std::int64_t const kx = element % ax.kernel, ky = element / ax.kernel % ay.kernel, kz = element / ax.kernel / ay.kernel;
                std::int64_t const ix = ax.source(ox, kx), iy = ay.source(oy, ky), iz = az.source(oz, kz);
                if (ix < 0 || ix >= ax.in || iy < 0 || iy >= ay.in || iz < 0 || iz >= az.in) continue;
                std::int64_t const x = ((b * az.in + iz) * ay.in + iy) * ax.in + ix, y = b * g.outPositions() + position;
                for (std::int64_t group = 0; group < g.groups; ++group)
                    for (std::int64_t c = 0; c < g.channels; ++c)
                        for (std::int64_t f = 0; f < g.filters; ++f)
                            visit({x * allChannels + group * g.channels + c,
                                   (element * g.channels + c) * allFilters + group * g.filters + f, y * allFilters + group * g.filters + f,
                                   b, position, element, c, f});
            }
}

template <typename Add> Status convolve(Call const &call, Add const &add)
{
    TW_TRY(expectCounts(call, 2, 1));
    TW_ASSIGN(auto const g, graph::convGeometry(call.node, call.in[0].shape, call.in[1].shape));
    PartialSums sums(call);
    auto const of = [&](std::size_t operand, std::int64_t i) { return call.in[operand].v[static_cast<std::size_t>(i)]; };
    forEachProduct(g, [&](Product const &p) { add(sums, g, p, of); });
    sums.finish();
    return {};
}

Status conv(Call const &call)
{
    return convolve(call, [](PartialSums &sums, ConvGeometry const &g, Product const &p, auto const &of) {
        sums.add(p.y, sums.accumulation(p.channel, p.element, g.channels), of(0, p.x) * of(1, p.w));
    });
}
Status inputGradient(Call const &call)
{
    return convolve(call, [](PartialSums &sums, ConvGeometry const &g, Product const &p, auto const &of) {
        sums.add(p.x, sums.accumulation(p.filter, p.element, g.filters), of(0, p.y) * of(1, p.w));
    });
}
Status weightGradient(Call const &call)
{
    return convolve(call, [](PartialSums &sums, ConvGeometry const &g, Product const &p, auto const &of) {
        sums.add(p.w, sums.accumulation(p.position, p.image, g.outPositions()), of(0, p.x) * of(1, p.y));
    });
}

constexpr std::array kOps{
    RefOp{"conv", conv},
    RefOp{"conv_input_grad", inputGradient},
    RefOp{"conv_weight_grad", weightGradient},
};

} // namespace

std::span<RefOp const> convOps() { return kOps; }

} // namespace tilewright::reference
