#include "engine/kernels/conv.h"

#include "engine/graph/partial_sums.h"
#include "engine/kernels/gemm.h"
#include "engine/kernels/half_partials.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/support.h"

#include <cstring>

namespace tilewright::kernels {

namespace {

using graph::ConvGeometry;

/// Minimum number of multiply-adds per task.
constexpr std::int64_t kWorkPerPiece = 1'000'000;
constexpr std::int64_t kMostPieces = 16;

/// Calls visit(row of the matrix of windows, kernel element, position in x) for the window elements inside x.
template <typename Visit> void forEachTap(ConvGeometry const &g, Visit const &visit)
{
    auto const &[az, ay, ax] = g.axis;
    for (std::int64_t oz = 0; oz < az.out; ++oz)
        for (std::int64_t oy = 0; oy < ay.out; ++oy)
            for (std::int64_t kz = 0; kz < az.kernel; ++kz) {
                std::int64_t const iz = az.source(oz, kz);
                if (iz < 0 || iz >= az.in) continue;
                for (std::int64_t ky = 0; ky < ay.kernel; ++ky) {
                    std::int64_t const iy = ay.source(oy, ky);
                    if (iy < 0 || iy >= ay.in) continue;
                    for (std::int64_t ox = 0; ox < ax.out; ++ox)
                        for (std::int64_t kx = 0; kx < ax.kernel; ++kx) {
                            std::int64_t const ix = ax.source(ox, kx);
                            if (ix < 0 || ix >= ax.in) continue;
                            visit((oz * ay.out + oy) * ax.out + ox, (kz * ay.kernel + ky) * ax.kernel + kx, (iz * ay.in + iy) * ax.in + ix);
                        }
                }
            }
}

/// One image and one group.
class Products {
public:
    explicit Products(ConvCall const &call) : m_call(call), m_g(call.geometry), m_depth(m_g.kernelElements() * m_g.channels) {}

    void output(std::int64_t image, std::vector<float> &windows) const
    {
        for (std::int64_t group = 0; group < m_g.groups; ++group) {
            gather(image, group, windows);
            Gemm product;
            product.m = m_g.outPositions();
            product.k = m_depth;
            product.n = m_g.filters;
            product.a = windows.data();
            product.lda = m_depth;
            product.b = m_call.w + group * m_g.filters;
            product.ldb = filters();
            product.c = y(image, group);
            product.ldc = filters();
            gemm(product);
        }
    }
    void inputGradient(std::int64_t image, std::vector<float> &windows) const
    {
        auto const channels = m_g.groups * m_g.channels;
        std::fill_n(m_call.x + image * m_g.inPositions() * channels, m_g.inPositions() * channels, 0.0f);
        windows.resize(static_cast<std::size_t>(m_g.outPositions() * m_depth));
        for (std::int64_t group = 0; group < m_g.groups; ++group) {
            Gemm product;
            product.tb = true;
            product.m = m_g.outPositions();
            product.k = m_g.filters;
            product.n = m_depth;
            product.a = y(image, group);
            product.lda = filters();
            product.b = m_call.w + group * m_g.filters;
            product.ldb = filters();
            product.c = windows.data();
            product.ldc = m_depth;
            gemm(product);
            float *const to = m_call.x + image * m_g.inPositions() * channels + group * m_g.channels;
            forEachTap(m_g, [&](std::int64_t row, std::int64_t element, std::int64_t position) {
                float const *const from = windows.data() + row * m_depth + element * m_g.channels;
                for (std::int64_t c = 0; c < m_g.channels; ++c) to[position * channels + c] += from[c];
            });
        }
    }
    /// Adds to the gradient of all groups, [kernel…, channels, filters].
    void weightGradient(std::int64_t image, std::vector<float> &windows, float *sum) const
    {
        for (std::int64_t group = 0; group < m_g.groups; ++group) {
            gather(image, group, windows);
            Gemm product;
            product.ta = true;
            product.m = m_depth;
            product.k = m_g.outPositions();
            product.n = m_g.filters;
            product.a = windows.data();
            product.lda = m_depth;
            product.b = y(image, group);
            product.ldb = filters();
            product.c = sum + group * m_g.filters;
            product.ldc = filters();
            product.beta = 1;
            gemm(product);
        }
    }

private:
    std::int64_t filters() const { return m_g.groups * m_g.filters; }
    float *y(std::int64_t image, std::int64_t group) const
    {
        return m_call.y + image * m_g.outPositions() * filters() + group * m_g.filters;
    }

    void gather(std::int64_t image, std::int64_t group, std::vector<float> &windows) const
    {
        windows.assign(static_cast<std::size_t>(m_g.outPositions() * m_depth), 0.0f);
        auto const channels = m_g.groups * m_g.channels;
        float const *const from = m_call.x + image * m_g.inPositions() * channels + group * m_g.channels;
        forEachTap(m_g, [&](std::int64_t row, std::int64_t element, std::int64_t position) {
            std::copy_n(from + position * channels, m_g.channels, windows.data() + row * m_depth + element * m_g.channels);
        });
    }

    ConvCall m_call;
    ConvGeometry m_g;
    std::int64_t m_depth;
};

Result<Prepared> prepare(PrepareArgs const &args, ConvResult result)
{
    TW_TRY(requireCounts(args, 2, 1));
    TW_TRY(requireF32(args));
    auto geometry = graph::convGeometry(args.node, args.inputs[0].shape, args.inputs[1].shape);
    if (!geometry.ok()) return unsupported(args.node, geometry.error().message);
    ConvCall call;
    call.geometry = *geometry;
    call.result = result;
    auto const &out = args.outputs[0];
    switch (result) {
    case ConvResult::Output:
        TW_TRY(requireElements(args, out, elementCount(call.geometry.outShape())));
        call.x = args.inputs[0].f32();
        call.w = args.inputs[1].f32();
        call.y = out.f32();
        break;
    case ConvResult::InputGradient:
        TW_TRY(requireElements(args, out, elementCount(call.geometry.inShape())));
        call.y = args.inputs[0].f32();
        call.w = args.inputs[1].f32();
        call.x = out.f32();
        break;
    case ConvResult::WeightGradient:
        TW_TRY(requireElements(args, out, elementCount(call.geometry.kernelShape())));
        call.x = args.inputs[0].f32();
        call.y = args.inputs[1].f32();
        call.w = out.f32();
        break;
    }
    if (auto const inputs = graph::halfPartials(args.node)) return convInHalf(call, inputs);
    if (auto library = convByLibrary(call)) return std::move(*library);
    return convByProducts(call);
}

} // namespace

ConvCut cutConv(ConvGeometry const &g, ConvResult result)
{
    std::int64_t pieces = std::clamp<std::int64_t>(g.multiplyAdds() / kWorkPerPiece, 1, std::min(g.batch, kMostPieces));
    // The partial weight gradients must be added; limit their number so that the sum costs no more than reading the operands.
    if (result == ConvResult::WeightGradient) {
        std::int64_t const read = elementCount(g.inShape()) + elementCount(g.outShape());
        pieces = std::clamp<std::int64_t>(read / elementCount(g.kernelShape()), 1, pieces);
    }
    ConvCut cut;
    cut.images = ceilDiv(g.batch, pieces);
    cut.pieces = static_cast<std::size_t>(ceilDiv(g.batch, cut.images));
    return cut;
}

Prepared convByProducts(ConvCall const &call)
{
    auto const cut = cutConv(call.geometry, call.result);
    return [call, cut, products = Products(call)](RunContext &ctx) {
        auto const &g = call.geometry;
        auto const images = [&](std::size_t piece) {
            auto const begin = static_cast<std::int64_t>(piece) * cut.images;
            return std::pair(begin, std::min(g.batch, begin + cut.images));
        };
        if (call.result != ConvResult::WeightGradient) {
            parallelFor(ctx, cut.pieces, [&](std::size_t piece) {
                std::vector<float> windows;
                for (auto [image, end] = images(piece); image < end; ++image) {
                    if (call.result == ConvResult::Output) products.output(image, windows);
                    else products.inputGradient(image, windows);
                }
            });
            return;
        }
        auto const size = static_cast<std::size_t>(elementCount(g.kernelShape()));
        std::vector<float> sums(size * cut.pieces, 0.0f);
        parallelFor(ctx, cut.pieces, [&](std::size_t piece) {
            std::vector<float> windows;
            for (auto [image, end] = images(piece); image < end; ++image)
                products.weightGradient(image, windows, sums.data() + piece * size);
        });
        std::copy_n(sums.data(), size, call.w);
        for (std::size_t piece = 1; piece < cut.pieces; ++piece)
            for (std::size_t i = 0; i < size; ++i) call.w[i] += sums[piece * size + i];
    };
}

Result<Prepared> prepareConv(PrepareArgs const &args) { return prepare(args, ConvResult::Output); }
Result<Prepared> prepareConvInputGrad(PrepareArgs const &args) { return prepare(args, ConvResult::InputGradient); }
Result<Prepared> prepareConvWeightGrad(PrepareArgs const &args) { return prepare(args, ConvResult::WeightGradient); }

#ifndef TILEWRIGHT_HAVE_DNNL
std::optional<Prepared> convByLibrary(ConvCall const &) { return std::nullopt; }
#endif

} // namespace tilewright::kernels
