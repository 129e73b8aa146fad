// Sums, extremes, products, where extremes are, and running sums and products.
#include "tests/engine/program/case_parts.h"

#include <algorithm>

namespace tilewright::tests {

namespace {

/// The four ways in which codelets combine elements, by the last part of their names.
struct Way {
    std::string name;
    double (*combine)(double, double);
};
Way const kWays[] = {{"Sum", [](double a, double b) { return a + b; }},
                     {"Max", [](double a, double b) { return std::max(a, b); }},
                     {"Min", [](double a, double b) { return std::min(a, b); }},
                     {"Product", [](double a, double b) { return a * b; }}};

CodeletCase partials(Random &random, Way const &way)
{
    CodeletCase c;
    auto const type = floating(random), result = random.below(2) ? type : DType::F32;
    auto const g = upTo(random, 9), r = upTo(random, 12), n = upTo(random, 90);
    c.fields = {out(result, 1, r, n), in(type, g, r, n)};
    c.tolerance = toleranceOf(result);
    c.naive = [g, combine = way.combine](Contents &x) {
        auto const n2 = x[0].size();
        for (std::size_t i = 0; i < n2; ++i) {
            double acc = x[1][i];
            for (std::size_t k = 1; k < static_cast<std::size_t>(g); ++k) acc = combine(acc, x[1][k * n2 + i]);
            x[0][i] = acc;
        }
    };
    return c;
}

/// Reduces the block over `rows`, over `cols`, or both.
CodeletCase onTile(Random &random, bool overRows, bool overCols, Way const &way)
{
    CodeletCase c;
    auto const type = floating(random);
    bool const product = way.name == "Product"; // its elements are near 1, or it leaves the range of float16
    auto const r = upTo(random, product ? 9 : 30), n = upTo(random, product ? 12 : 60);
    c.fields = {out(type, 1, overRows ? 1 : r, overCols ? 1 : n),
                in(type, 1, r, n, product ? 0.9 : 0.1, product ? 1.1 : 1)}; // addends that do not cancel
    c.tolerance = toleranceOf(type);
    c.naive = [r, n, overRows, overCols, combine = way.combine](Contents &x) {
        std::vector<char> seen(x[0].size(), 0);
        for (std::int64_t i = 0; i < r; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                auto const to = static_cast<std::size_t>((overRows ? 0 : i) * (overCols ? 1 : n) + (overCols ? 0 : j));
                double const v = x[1][static_cast<std::size_t>(i * n + j)];
                x[0][to] = !seen[to] ? v : combine(x[0][to], v);
                seen[to] = 1;
            }
    };
    return c;
}

CodeletCase arg(Random &random, bool largest)
{
    CodeletCase c;
    auto const r = upTo(random, 30), n = upTo(random, 12);
    // Few different values, because the first of equal ones is expected.
    c.fields = {out(DType::I32, 1, r, 1, 0, 5), in(DType::F32, 1, r, n, 0, 3)};
    c.fields[1].dtype = random.below(2) ? DType::I32 : DType::F32;
    c.tolerance = 0;
    c.naive = [r, n, largest](Contents &x) {
        for (std::int64_t i = 0; i < r; ++i) {
            auto const begin = x[1].begin() + i * n;
            auto const best = largest ? std::max_element(begin, begin + n) : std::min_element(begin, begin + n);
            x[0][static_cast<std::size_t>(i)] = static_cast<double>(best - begin);
        }
    };
    return c;
}

CodeletCase cumulative(Random &random, bool product)
{
    CodeletCase c;
    auto const type = random.below(4) == 0 ? DType::I32 : floating(random);
    auto const r = upTo(random, 20), n = upTo(random, 12);
    bool const exclusive = random.below(2), reverse = random.below(2), whole = type == DType::I32;
    c.fields = {out(type, 1, r, n, 0, 1), whole ? in(type, 1, r, n, 1, 3) : in(type, 1, r, n, 0.5, 1.5)};
    c.scalars = {exclusive ? 1.0 : 0.0, reverse ? 1.0 : 0.0};
    c.tolerance = whole ? 0 : toleranceOf(type);
    c.naive = [=](Contents &x) {
        for (std::int64_t i = 0; i < r; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                double value = product ? 1 : 0;
                for (std::int64_t k = 0; k < n; ++k) {
                    double const at = x[1][static_cast<std::size_t>(i * n + k)];
                    if (k == j ? exclusive : (k < j) == reverse) continue;
                    value = product ? value * at : value + at;
                }
                x[0][static_cast<std::size_t>(i * n + j)] = value;
            }
    };
    return c;
}

} // namespace

CaseMakers reductionCases()
{
    CaseMakers m;
    for (bool first : {false, true}) {
        m[first ? "ArgMax" : "ArgMin"] = [first](Random &r) { return arg(r, first); };
        m[first ? "CumProd" : "CumSum"] = [first](Random &r) { return cumulative(r, first); };
    }
    for (auto const &way : kWays) {
        m[way.name == "Sum" ? "ReduceAdd" : "Reduce" + way.name] = [&way](Random &r) { return partials(r, way); };
        m["Row" + way.name] = [&way](Random &r) { return onTile(r, false, true, way); };
        m["Column" + way.name] = [&way](Random &r) { return onTile(r, true, false, way); };
        m["All" + way.name] = [&way](Random &r) { return onTile(r, true, true, way); };
    }
    return m;
}

} // namespace tilewright::tests
