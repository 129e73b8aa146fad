// Products of matrices, and the matrices turned for them.
#include "tests/engine/program/case_parts.h"

namespace tilewright::tests {

namespace {

CodeletCase amp(Random &random)
{
    CodeletCase c;
    auto const m = upTo(random, 20), k = upTo(random, 40), n = upTo(random, 50);
    auto const type = floating(random), partial = type == DType::F16 && random.below(2) ? DType::F16 : DType::F32;
    c.fields = {out(partial, 1, m, n), in(type, 1, m, k), in(type, 1, k, n)};
    c.scalars = {static_cast<double>(random.below(2))};
    // The positions come in groups of channels, or row-major where nothing moved them.
    if (random.below(2)) c.fields[1].colGroup = static_cast<std::int32_t>(upTo(random, 16));
    else if (random.below(2)) c.fields[2].rowGroup = static_cast<std::int32_t>(upTo(random, 16));
    c.tolerance = partial == DType::F16 ? 2e-3 : 1e-5;
    c.naive = [m, k, n](Contents &x) {
        for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::int64_t l = 0; l < k; ++l)
                    sum += x[1][static_cast<std::size_t>(i * k + l)] * x[2][static_cast<std::size_t>(l * n + j)];
                x[0][static_cast<std::size_t>(i * n + j)] = sum;
            }
    };
    return c;
}

CodeletCase transpose(Random &random)
{
    CodeletCase c;
    auto const g = upTo(random, 3), r = upTo(random, 20), n = upTo(random, 20);
    auto const type = static_cast<DType>(random.below(5));
    c.fields = {out(type, g, n, r, 0, 1), in(type, g, r, n, 0, type == DType::Bool ? 1 : 99)};
    (random.below(2) ? c.fields[0].rowGroup : c.fields[0].colGroup) = static_cast<std::int32_t>(upTo(random, 9));
    c.tolerance = 0;
    c.naive = [g, r, n](Contents &x) {
        for (std::int64_t b = 0; b < g; ++b)
            for (std::int64_t i = 0; i < r; ++i)
                for (std::int64_t j = 0; j < n; ++j)
                    x[0][static_cast<std::size_t>((b * n + j) * r + i)] = x[1][static_cast<std::size_t>((b * r + i) * n + j)];
    };
    return c;
}

CodeletCase rearrange(Random &random)
{
    CodeletCase c;
    auto const type = static_cast<DType>(random.below(5));
    c.fields = {out(type, upTo(random, 2), upTo(random, 20), upTo(random, 20), 0, type == DType::Bool ? 1 : 99)};
    (random.below(2) ? c.fields[0].rowGroup : c.fields[0].colGroup) = static_cast<std::int32_t>(upTo(random, 16));
    c.fields[0].regrouped = true;
    c.tolerance = 0;
    c.naive = [](Contents &) {};
    return c;
}

/// Several pairs of matrices, one under the other.
CodeletCase products(Random &random)
{
    if (random.below(2)) return amp(random);
    CodeletCase c;
    auto const p = 2 + upTo(random, 5), m = upTo(random, 9), k = upTo(random, 20), n = upTo(random, 20);
    auto const type = floating(random), partial = type == DType::F16 && random.below(2) ? DType::F16 : DType::F32;
    c.fields = {out(partial, 1, p * m, n), in(type, 1, p * m, k), in(type, 1, p * k, n)};
    c.scalars = {0.0};
    if (random.below(2)) c.fields[1].colGroup = static_cast<std::int32_t>(upTo(random, 16));
    c.tolerance = partial == DType::F16 ? 2e-3 : 1e-5;
    c.naive = [p, m, k, n](Contents &x) {
        for (std::int64_t i = 0; i < p * m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                double sum = 0;
                for (std::int64_t l = 0; l < k; ++l)
                    sum += x[1][static_cast<std::size_t>(i * k + l)] * x[2][static_cast<std::size_t>((i / m * k + l) * n + j)];
                x[0][static_cast<std::size_t>(i * n + j)] = sum;
            }
    };
    return c;
}

CodeletCase transposes(Random &random)
{
    if (random.below(2)) return transpose(random);
    CodeletCase c;
    auto const p = 1 + upTo(random, 5), r = upTo(random, 20), n = upTo(random, 20);
    auto const type = static_cast<DType>(random.below(5));
    c.fields = {out(type, 1, p * n, r, 0, 1), in(type, 1, p * r, n, 0, type == DType::Bool ? 1 : 99)};
    c.fields[0].colGroup = static_cast<std::int32_t>(upTo(random, 9));
    c.tolerance = 0;
    c.naive = [p, r, n](Contents &x) {
        for (std::int64_t b = 0; b < p; ++b)
            for (std::int64_t i = 0; i < r; ++i)
                for (std::int64_t j = 0; j < n; ++j)
                    x[0][static_cast<std::size_t>((b * n + j) * r + i)] = x[1][static_cast<std::size_t>((b * r + i) * n + j)];
    };
    return c;
}

} // namespace

CaseMakers productCases()
{
    return {{"ConvPartial1x1Out", products}, {"ConvPartialHorizontalMac", products}, {"Transpose", transposes}, {"Rearrange", rearrange}};
}

} // namespace tilewright::tests
