#include "engine/graph/partial_sums.h"
#include "engine/kernels/norm_shape.h"
#include "engine/kernels/ops.h"
#include "engine/kernels/reduce.h"
#include "engine/kernels/support.h"

#include <cmath>
#include <memory>
#include <vector>

namespace tilewright::kernels {

Result<NormView> normView(graph::Attrs const &attrs, Shape const &shape, std::string const &subject)
{
    auto const view = attrs.integers("view");
    bool good = view.size() == 4;
    for (auto const extent : view) good = good && extent >= 1;
    if (!good) return makeError(ErrorKind::Invalid, "graph.norm", subject, Message::of("view needs four extents of at least 1."));
    NormView const v{view[0], view[1], view[2], view[3]};
    std::int64_t rest = elementCount(shape);
    for (auto const extent : view) rest = rest % extent == 0 ? rest / extent : 0;
    if (rest != 1)
        return makeError(ErrorKind::Invalid, "graph.norm", subject,
                         Message::of("view %1 does not have the number of elements of %2.", toText(view), toText(shape)));
    if (!(attrs.real("epsilon") >= 0))
        return makeError(ErrorKind::Invalid, "graph.norm", subject, Message::of("epsilon must be at least 0."));
    return v;
}

namespace {

/// Sums of `Count` terms over the reduced rows: tasks take rows of one outer index each, their sums are added in order.
/// `columns` are kept x inner.
class ColumnSums {
public:
    ColumnSums(NormView const &view, std::int64_t terms)
        : m_view(view), m_columns(view.kept * view.inner),
          m_terms(terms), m_rows{view.reduced, std::max<std::int64_t>(1, 2 * kElementsPerTask / m_columns)}
    {
        m_partial.resize(tasks() * static_cast<std::size_t>(m_terms * m_columns));
    }
    std::size_t tasks() const { return static_cast<std::size_t>(m_view.outer) * m_rows.tasks(); }

    /// rows(outer, first row, count, columns, sums): adds the terms of so many rows to sums[term * columns + column].
    /// Afterwards give(outer, kept, sums by term).
    template <typename Rows, typename Give> void run(RunContext &ctx, Rows const &rows, Give const &give)
    {
        constexpr std::int64_t kBlock = 32; // rows added in float before they join the sum in double
        auto const width = static_cast<std::size_t>(m_terms * m_columns);
        parallelFor(ctx, tasks(), [&](std::size_t task) {
            auto const outer = static_cast<std::int64_t>(task / m_rows.tasks());
            auto const part = task % m_rows.tasks();
            double *sums = m_partial.data() + task * width;
            std::fill_n(sums, width, 0.0);
            std::vector<float> block(width);
            for (auto r = m_rows.begin(part); r < m_rows.end(part); r += kBlock) {
                std::ranges::fill(block, 0.0f);
                rows(outer, r, std::min(kBlock, m_rows.end(part) - r), m_columns, block.data());
                for (std::size_t i = 0; i < width; ++i) sums[i] += static_cast<double>(block[i]);
            }
        });
        for (std::int64_t outer = 0; outer < m_view.outer; ++outer)
            for (std::int64_t k = 0; k < m_view.kept; ++k) {
                double total[2] = {0, 0};
                for (std::size_t part = 0; part < m_rows.tasks(); ++part) {
                    double const *sums = m_partial.data() + (static_cast<std::size_t>(outer) * m_rows.tasks() + part) * width;
                    for (std::int64_t t = 0; t < m_terms; ++t)
                        for (std::int64_t j = 0; j < m_view.inner; ++j) total[t] += sums[t * m_columns + k * m_view.inner + j];
                }
                give(outer, k, total);
            }
    }

    /// apply(offset of a row of columns, outer) for all rows.
    template <typename Apply> void forEachRow(RunContext &ctx, Apply const &apply) const
    {
        parallelFor(ctx, tasks(), [&](std::size_t task) {
            auto const outer = static_cast<std::int64_t>(task / m_rows.tasks());
            auto const part = task % m_rows.tasks();
            for (auto r = m_rows.begin(part); r < m_rows.end(part); ++r) apply((outer * m_view.reduced + r) * m_columns, outer);
        });
    }

private:
    NormView m_view;
    std::int64_t m_columns, m_terms;
    Pieces m_rows;
    std::vector<double> m_partial;
};

float inverseDeviation(float variance, float epsilon) { return 1.0f / std::sqrt(variance + epsilon); }

/// Of one pass. The difference is below 0 only by rounding; NaN stays.
float varianceOf(float meanSquare, float mean)
{
    float const difference = meanSquare - mean * mean;
    return 0.0f > difference ? 0.0f : difference;
}

/// Groups whose elements lie side by side: rows of v.perGroup() elements.
Prepared whitenRows(NormView const &v, bool onePass, float epsilon, float const *x, float *y, float *means, float *variances)
{
    std::int64_t const length = v.perGroup();
    Pieces const pieces{v.groups(), std::max<std::int64_t>(1, kElementsPerTask / length)};
    return [=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto r = pieces.begin(task); r < pieces.end(task); ++r) {
                float const *from = x + r * length;
                float *to = y + r * length;
                auto const n = static_cast<float>(length);
                float const mean = sumOf(from, length) / n;
#pragma GCC ivdep
                for (std::int64_t i = 0; i < length; ++i) to[i] = from[i] - mean;
                float const variance = onePass ? varianceOf(dotOf(from, from, length) / n, mean) : dotOf(to, to, length) / n;
                float const inverse = inverseDeviation(variance, epsilon);
#pragma GCC ivdep
                for (std::int64_t i = 0; i < length; ++i) to[i] *= inverse;
                means[r] = mean;
                variances[r] = variance;
            }
        });
    };
}

Prepared whitenRowsGrad(NormView const &v, float epsilon, float const *whitened, float const *variances, float const *d, float *dx)
{
    std::int64_t const length = v.perGroup();
    Pieces const pieces{v.groups(), std::max<std::int64_t>(1, kElementsPerTask / length)};
    return [=](RunContext &ctx) {
        parallelFor(ctx, pieces.tasks(), [&](std::size_t task) {
            for (auto r = pieces.begin(task); r < pieces.end(task); ++r) {
                float const *w = whitened + r * length, *g = d + r * length;
                float *to = dx + r * length;
                auto const n = static_cast<float>(length);
                float const mean = sumOf(g, length) / n, along = dotOf(g, w, length) / n;
                float const inverse = inverseDeviation(variances[r], epsilon);
#pragma GCC ivdep
                for (std::int64_t i = 0; i < length; ++i) to[i] = ((g[i] - mean) - w[i] * along) * inverse;
            }
        });
    };
}

/// One number for each column of a group's row from one for each group.
void spread(NormView const &v, std::int64_t outer, float const *groups, float *columns)
{
    for (std::int64_t k = 0; k < v.kept; ++k) std::fill_n(columns + k * v.inner, v.inner, groups[outer * v.kept + k]);
}

struct Scratch {
    ColumnSums sums;
    std::vector<float> a, b, c; ///< one number for each column of each outer index
    Scratch(NormView const &v, std::int64_t terms)
        : sums(v, terms), a(static_cast<std::size_t>(v.outer * v.kept * v.inner)), b(a.size()), c(a.size())
    {
    }
};

Prepared whitenColumns(NormView const &v, bool onePass, float epsilon, float const *x, float *y, float *means, float *variances)
{
    auto const scratch = std::make_shared<Scratch>(v, onePass ? 2 : 1);
    std::int64_t const columns = v.kept * v.inner;
    return [=](RunContext &ctx) {
        auto const n = static_cast<double>(v.perGroup());
        float *const mean = scratch->a.data(), *const inverse = scratch->b.data();
        scratch->sums.run(
            ctx,
            [&](std::int64_t outer, std::int64_t r, std::int64_t count, std::int64_t cols, float *sums) {
                float const *from = x + (outer * v.reduced + r) * cols;
                for (std::int64_t i = 0; i < count; ++i, from += cols)
#pragma GCC ivdep
                    for (std::int64_t c = 0; c < cols; ++c) {
                        sums[c] += from[c];
                        if (onePass) sums[cols + c] += from[c] * from[c];
                    }
            },
            [&](std::int64_t outer, std::int64_t k, double const *total) {
                auto const group = outer * v.kept + k;
                means[group] = static_cast<float>(total[0] / n);
                if (onePass) variances[group] = varianceOf(static_cast<float>(total[1] / n), means[group]);
            });
        for (std::int64_t outer = 0; outer < v.outer; ++outer) spread(v, outer, means, mean + outer * columns);
        if (!onePass)
            scratch->sums.run(
                ctx,
                [&](std::int64_t outer, std::int64_t r, std::int64_t count, std::int64_t cols, float *sums) {
                    float const *from = x + (outer * v.reduced + r) * cols;
                    float const *m = mean + outer * cols;
                    for (std::int64_t i = 0; i < count; ++i, from += cols)
#pragma GCC ivdep
                        for (std::int64_t c = 0; c < cols; ++c) {
                            float const apart = from[c] - m[c];
                            sums[c] += apart * apart;
                        }
                },
                [&](std::int64_t outer, std::int64_t k, double const *total) {
                    variances[outer * v.kept + k] = static_cast<float>(total[0] / n);
                });
        for (std::int64_t outer = 0; outer < v.outer; ++outer) {
            spread(v, outer, variances, inverse + outer * columns);
            for (std::int64_t c = 0; c < columns; ++c)
                inverse[outer * columns + c] = inverseDeviation(inverse[outer * columns + c], epsilon);
        }
        scratch->sums.forEachRow(ctx, [&](std::int64_t at, std::int64_t outer) {
            float const *from = x + at, *m = mean + outer * columns, *s = inverse + outer * columns;
            float *to = y + at;
#pragma GCC ivdep
            for (std::int64_t c = 0; c < columns; ++c) to[c] = (from[c] - m[c]) * s[c];
        });
    };
}

Prepared whitenColumnsGrad(NormView const &v, float epsilon, float const *whitened, float const *variances, float const *d, float *dx)
{
    auto const scratch = std::make_shared<Scratch>(v, 2);
    std::int64_t const columns = v.kept * v.inner;
    return [=](RunContext &ctx) {
        auto const n = static_cast<double>(v.perGroup());
        float *const mean = scratch->a.data(), *const along = scratch->b.data(), *const inverse = scratch->c.data();
        scratch->sums.run(
            ctx,
            [&](std::int64_t outer, std::int64_t r, std::int64_t count, std::int64_t cols, float *sums) {
                std::int64_t const at = (outer * v.reduced + r) * cols;
                float const *g = d + at, *w = whitened + at;
                for (std::int64_t i = 0; i < count; ++i, g += cols, w += cols)
#pragma GCC ivdep
                    for (std::int64_t c = 0; c < cols; ++c) {
                        sums[c] += g[c];
                        sums[cols + c] += g[c] * w[c];
                    }
            },
            [&](std::int64_t outer, std::int64_t k, double const *total) {
                std::int64_t const at = outer * columns + k * v.inner;
                std::fill_n(mean + at, v.inner, static_cast<float>(total[0] / n));
                std::fill_n(along + at, v.inner, static_cast<float>(total[1] / n));
                std::fill_n(inverse + at, v.inner, inverseDeviation(variances[outer * v.kept + k], epsilon));
            });
        scratch->sums.forEachRow(ctx, [&](std::int64_t at, std::int64_t outer) {
            float const *g = d + at, *w = whitened + at;
            float const *m = mean + outer * columns, *a = along + outer * columns, *s = inverse + outer * columns;
            float *to = dx + at;
#pragma GCC ivdep
            for (std::int64_t c = 0; c < columns; ++c) to[c] = ((g[c] - m[c]) - w[c] * a[c]) * s[c];
        });
    };
}

Result<NormView> viewOf(PrepareArgs const &args)
{
    TW_TRY(requireF32(args));
    auto view = normView(args.node.attrs, args.inputs[0].shape, args.node.name);
    if (!view.ok()) return unsupported(args.node, view.error().message);
    return view;
}

bool isRows(NormView const &v) { return v.reduced == 1 || v.kept == 1; }

} // namespace

Result<Prepared> prepareNormWhiten(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 1, 3));
    TW_ASSIGN(auto const v, viewOf(args));
    TW_TRY(requireElements(args, args.outputs[0], v.elements()));
    TW_TRY(requireElements(args, args.outputs[1], v.groups()));
    TW_TRY(requireElements(args, args.outputs[2], v.groups()));
    auto const whiten = isRows(v) ? whitenRows : whitenColumns;
    return whiten(v, args.node.attrs.flag(graph::kOnePass), static_cast<float>(args.node.attrs.real("epsilon")), args.inputs[0].f32(),
                  args.outputs[0].f32(), args.outputs[1].f32(), args.outputs[2].f32());
}

Result<Prepared> prepareNormWhitenGrad(PrepareArgs const &args)
{
    TW_TRY(requireCounts(args, 3, 1));
    TW_ASSIGN(auto const v, viewOf(args));
    TW_TRY(requireElements(args, args.inputs[1], v.groups()));
    TW_TRY(requireElements(args, args.inputs[2], v.elements()));
    TW_TRY(requireElements(args, args.outputs[0], v.elements()));
    auto const grad = isRows(v) ? whitenRowsGrad : whitenColumnsGrad;
    return grad(v, static_cast<float>(args.node.attrs.real("epsilon")), args.inputs[0].f32(), args.inputs[1].f32(), args.inputs[2].f32(),
                args.outputs[0].f32());
}

} // namespace tilewright::kernels
