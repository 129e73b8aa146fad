#include "engine/kernels/half_partials.h"

#include "engine/kernels/half_storage.h"
#include "engine/kernels/rounding.h"
#include "engine/kernels/support.h"

#include <memory>
#include <vector>

namespace tilewright::kernels {

namespace {

using graph::ConvGeometry;

/// Partial sums of a result between two accumulations, as stored in float16.
struct Partials {
    float const *result; ///< first element of the whole result
    std::uint64_t seed;  ///< of the result; 0: round to nearest
    std::int64_t stores; ///< stores per element, including that of the result

    /// Store number `number` of values[0 … count), which are part of the result.
    void store(std::int64_t number, float *values, std::int64_t count) const
    {
        if (number + 1 >= stores) return;
        thread_local std::vector<std::uint16_t> halves;
        halves.resize(static_cast<std::size_t>(count));
        narrow(values, count, halves.data(), partialSeed(seed, number), values - result);
        widen(halves.data(), count, values);
    }
    /// The same for rows of the result.
    void store(std::int64_t number, float *values, std::int64_t rows, std::int64_t cols, std::int64_t step) const
    {
        for (std::int64_t row = 0; row < rows; ++row) store(number, values + row * step, cols);
    }
};

/// Accumulations over the inner dimension, with numbers from `first`.
void accumulate(Gemm const &g, std::int64_t inputs, std::int64_t first, Partials const &partials)
{
    std::int64_t number = first;
    for (std::int64_t k = 0; k < g.k; k += inputs, ++number) {
        Gemm some = g;
        some.k = std::min(inputs, g.k - k);
        some.a += g.ta ? k * g.lda : k;
        some.b += g.tb ? k : k * g.ldb;
        some.beta = number > 0 ? 1.0f : 0.0f;
        gemm(some);
        partials.store(number, g.c, g.m, g.n, g.ldc);
    }
}

class Convolution {
public:
    Convolution(ConvCall const &call, std::int64_t inputs) : m_call(call), m_g(call.geometry), m_inputs(inputs)
    {
        auto const &[az, ay, ax] = m_g.axis;
        m_sources.reserve(static_cast<std::size_t>(m_g.kernelElements() * m_g.outPositions()));
        for (std::int64_t element = 0; element < m_g.kernelElements(); ++element)
            for (std::int64_t position = 0; position < m_g.outPositions(); ++position) {
                std::int64_t const ix = ax.source(position % ax.out, element % ax.kernel);
                std::int64_t const iy = ay.source(position / ax.out % ay.out, element / ax.kernel % ay.kernel);
                std::int64_t const iz = az.source(position / ax.out / ay.out, element / ax.kernel / ay.kernel);
                bool const inside = ix >= 0 && ix < ax.in && iy >= 0 && iy < ay.in && iz >= 0 && iz < az.in;
                m_sources.push_back(inside ? (iz * ay.in + iy) * ax.in + ix : -1);
            }
    }

    void run(RunContext &ctx) const
    {
        auto const &g = m_g;
        auto const seed = ctx.roundingOf(0);
        switch (m_call.result) {
        case ConvResult::Output: {
            std::int64_t const each = ceilDiv(g.channels, m_inputs);
            Partials const partials{m_call.y, seed, g.kernelElements() * each};
            parallelFor(ctx, static_cast<std::size_t>(g.batch * g.groups),
                        [&](std::size_t task) { output(static_cast<std::int64_t>(task), each, partials); });
            return;
        }
        case ConvResult::InputGradient: {
            std::int64_t const each = ceilDiv(g.filters, m_inputs);
            Partials const partials{m_call.x, seed, g.kernelElements() * each};
            parallelFor(ctx, static_cast<std::size_t>(g.batch * g.groups),
                        [&](std::size_t task) { inputGradient(static_cast<std::int64_t>(task), each, partials); });
            return;
        }
        case ConvResult::WeightGradient: {
            std::int64_t const each = ceilDiv(g.outPositions(), m_inputs);
            Partials const partials{m_call.w, seed, g.batch * each};
            parallelFor(ctx, static_cast<std::size_t>(g.kernelElements() * g.groups),
                        [&](std::size_t task) { weightGradient(static_cast<std::int64_t>(task), each, partials); });
            return;
        }
        }
    }

private:
    std::int64_t channels() const { return m_g.groups * m_g.channels; }
    std::int64_t filters() const { return m_g.groups * m_g.filters; }
    float *x(std::int64_t image, std::int64_t group) const
    {
        return m_call.x + image * m_g.inPositions() * channels() + group * m_g.channels;
    }
    float *y(std::int64_t image, std::int64_t group) const
    {
        return m_call.y + image * m_g.outPositions() * filters() + group * m_g.filters;
    }
    float *w(std::int64_t element, std::int64_t group) const { return m_call.w + element * m_g.channels * filters() + group * m_g.filters; }
    std::int64_t const *sources(std::int64_t element) const { return m_sources.data() + element * m_g.outPositions(); }

    /// The inputs of all positions of the output at one kernel element: [position][channels], zeros outside.
    void gather(std::int64_t image, std::int64_t group, std::int64_t element, std::vector<float> &rows) const
    {
        rows.assign(static_cast<std::size_t>(m_g.outPositions() * m_g.channels), 0.0f);
        auto const *source = sources(element);
        for (std::int64_t position = 0; position < m_g.outPositions(); ++position)
            if (source[position] >= 0)
                std::copy_n(x(image, group) + source[position] * channels(), m_g.channels, rows.data() + position * m_g.channels);
    }

    void output(std::int64_t task, std::int64_t each, Partials const &partials) const
    {
        std::int64_t const image = task / m_g.groups, group = task % m_g.groups;
        thread_local std::vector<float> rows;
        Gemm g;
        g.m = m_g.outPositions();
        g.k = g.lda = m_g.channels;
        g.n = m_g.filters;
        g.ldb = g.ldc = filters();
        g.c = y(image, group);
        for (std::int64_t element = 0; element < m_g.kernelElements(); ++element) {
            gather(image, group, element, rows);
            g.a = rows.data();
            g.b = w(element, group);
            accumulate(g, m_inputs, element * each, partials);
        }
    }

    void inputGradient(std::int64_t task, std::int64_t each, Partials const &partials) const
    {
        std::int64_t const image = task / m_g.groups, group = task % m_g.groups, width = m_g.channels;
        thread_local std::vector<float> rows;
        rows.resize(static_cast<std::size_t>(m_g.outPositions() * width));
        float *const to = x(image, group);
        for (std::int64_t position = 0; position < m_g.inPositions(); ++position) std::fill_n(to + position * channels(), width, 0.0f);
        for (std::int64_t element = 0; element < m_g.kernelElements(); ++element)
            for (std::int64_t part = 0; part < each; ++part) {
                Gemm g;
                g.tb = true;
                g.m = m_g.outPositions();
                g.k = std::min(m_inputs, m_g.filters - part * m_inputs);
                g.n = g.ldc = width;
                g.a = y(image, group) + part * m_inputs;
                g.b = w(element, group) + part * m_inputs;
                g.lda = g.ldb = filters();
                g.c = rows.data();
                gemm(g);
                auto const *source = sources(element);
                for (std::int64_t position = 0; position < g.m; ++position) {
                    if (source[position] < 0) continue; // two windows never have the same position at the same element
                    float *const sum = to + source[position] * channels();
                    for (std::int64_t c = 0; c < width; ++c) sum[c] += rows[static_cast<std::size_t>(position * width + c)];
                    partials.store(element * each + part, sum, width);
                }
            }
    }

    void weightGradient(std::int64_t task, std::int64_t each, Partials const &partials) const
    {
        std::int64_t const element = task / m_g.groups, group = task % m_g.groups;
        thread_local std::vector<float> rows;
        Gemm g;
        g.ta = true;
        g.m = g.lda = m_g.channels;
        g.k = m_g.outPositions();
        g.n = m_g.filters;
        g.ldb = g.ldc = filters();
        g.c = w(element, group);
        for (std::int64_t image = 0; image < m_g.batch; ++image) {
            gather(image, group, element, rows);
            g.a = rows.data();
            g.b = y(image, group);
            accumulate(g, m_inputs, image * each, partials);
        }
    }

    ConvCall m_call;
    ConvGeometry m_g;
    std::int64_t m_inputs;
    std::vector<std::int64_t> m_sources; ///< by kernel element and position of the output: position of the input, or -1
};

} // namespace

Prepared gemmInHalf(Gemm const &first, std::int64_t products, MatrixPairs pairs, std::int64_t inputs)
{
    auto const cut = cutGemm(first);
    auto const pieces = cut.rowPieces * cut.colPieces;
    return [=, pairs = std::move(pairs)](RunContext &ctx) {
        Partials const partials{first.c, ctx.roundingOf(0), ceilDiv(first.k, inputs)};
        parallelFor(ctx, static_cast<std::size_t>(products * pieces), [&](std::size_t task) {
            auto const product = static_cast<std::int64_t>(task) / pieces, piece = static_cast<std::int64_t>(task) % pieces;
            Gemm one = first;
            one.a += pairs.ofA(product) * first.m * first.k;
            one.b += pairs.ofB(product) * first.k * first.n;
            one.c += product * first.m * first.n;
            one = gemmPiece(one, cut, piece);
            if (one.k == 0) gemm(one);
            else accumulate(one, inputs, 0, partials);
        });
    };
}

Prepared convInHalf(ConvCall const &call, std::int64_t inputs)
{
    return [conv = std::make_shared<Convolution const>(call, inputs)](RunContext &ctx) { conv->run(ctx); };
}

Prepared sumInHalf(float const *from, std::int64_t outer, std::int64_t n, std::int64_t inner, float *to, std::int64_t inputs)
{
    Pieces const pieces{outer * inner, std::max<std::int64_t>(1, kElementsPerTask / std::max<std::int64_t>(1, n))};
    return [=](RunContext &ctx) {
        Partials const partials{to, ctx.roundingOf(0), ceilDiv(n, inputs)};
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto i = pieces.begin(task); i < pieces.end(task); ++i) {
                float const *const x = from + i / inner * n * inner + i % inner;
                to[i] = 0;
                for (std::int64_t begin = 0; begin < n; begin += inputs) {
                    float sum = 0;
                    for (std::int64_t k = begin; k < std::min(n, begin + inputs); ++k) sum += x[k * inner];
                    to[i] += sum;
                    partials.store(begin / inputs, to + i, 1);
                }
            }
        });
    };
}

} // namespace tilewright::kernels
