#include "tests/engine/program/codelet_cases.h"

#include "engine/graph/expr.h"
#include "engine/program/codelets/conv_state.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::tests {

namespace {

using Random = RandomStream;

std::int64_t upTo(Random &random, std::int64_t limit) { return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit))); }
DType floating(Random &random) { return random.below(3) == 0 ? DType::F16 : DType::F32; }
double toleranceOf(DType type) { return type == DType::F16 ? 2e-3 : 1e-5; }

CaseField in(DType type, std::int64_t groups, std::int64_t rows, std::int64_t cols, double low = -1, double high = 1)
{
    return {type, groups, rows, cols, 0, 0, low, high, false, 1, 1, false, {}};
}
CaseField out(DType type, std::int64_t groups, std::int64_t rows, std::int64_t cols, double low = -1, double high = 1)
{
    return {type, groups, rows, cols, 0, 0, low, high, true, 1, 1, false, {}};
}

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

/// A block of a larger table; some offsets are of other blocks.
CodeletCase slices(Random &random, bool update)
{
    CodeletCase c;
    // Whole words: a row of odd float16 is written element by element, and costs more than a longer one.
    auto const rows = upTo(random, 12), cols = 2 * upTo(random, 10), n = upTo(random, 30);
    auto const row0 = static_cast<std::int64_t>(random.below(6));
    auto const type = floating(random);
    auto offsets = in(DType::I32, 1, n, 1, 0, static_cast<double>(row0 + rows + 3));
    auto table = update ? out(type, 1, rows, cols) : in(type, 1, rows, cols);
    table.row0 = row0;
    c.fields = update ? std::vector<CaseField>{table, in(type, 1, n, cols, 0.1, 1), offsets}
                      : std::vector<CaseField>{out(type, 1, n, cols), table, offsets};
    c.scalars = {static_cast<double>(row0 + rows + 4)};
    c.tolerance = update ? toleranceOf(type) : 0;
    c.naive = [=](Contents &x) {
        if (update) std::ranges::fill(x[0], 0.0);
        for (std::int64_t i = 0; i < n; ++i) {
            auto const at = static_cast<std::int64_t>(x[2][static_cast<std::size_t>(i)]) - row0;
            bool const inside = at >= 0 && at < rows;
            for (std::int64_t j = 0; j < cols; ++j) {
                auto const listed = static_cast<std::size_t>(i * cols + j), held = static_cast<std::size_t>(at * cols + j);
                if (!update) x[0][listed] = inside ? x[1][held] : 0.0;
                else if (inside) x[0][held] += x[1][listed];
            }
        }
    };
    return c;
}

CodeletCase map(Random &random)
{
    CodeletCase c;
    auto const type = floating(random);
    auto const rows = upTo(random, 24), cols = upTo(random, 600);
    // Operands: full, a row, a column, a scalar. (More than one row and column, or the block decides otherwise.)
    c.expr = "4: mul a0 a1; add t0 a2; axpby(0.5,-2) t1 a3; relu t2; sub t3 a0";
    c.fields = {out(type, 1, rows, cols), in(type, 1, rows, cols), in(type, 1, 1, cols), in(type, 1, rows, 1), in(type, 1, 1, 1)};
    c.tolerance = toleranceOf(type);
    c.naive = [rows, cols](Contents &x) {
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < cols; ++k) {
                auto const at = static_cast<std::size_t>(r * cols + k);
                double const a = x[1][at];
                double const t = 0.5 * (a * x[2][static_cast<std::size_t>(k)] + x[3][static_cast<std::size_t>(r)]) - 2 * x[4][0];
                x[0][at] = std::max(t, 0.0) - a;
            }
    };
    return c;
}

CodeletCase partials(Random &random, bool maximum)
{
    CodeletCase c;
    auto const type = floating(random), result = random.below(2) ? type : DType::F32;
    auto const g = upTo(random, 9), r = upTo(random, 12), n = upTo(random, 90);
    c.fields = {out(result, 1, r, n), in(type, g, r, n)};
    c.tolerance = toleranceOf(result);
    c.naive = [g, maximum](Contents &x) {
        auto const n2 = x[0].size();
        for (std::size_t i = 0; i < n2; ++i) {
            double acc = x[1][i];
            for (std::size_t k = 1; k < static_cast<std::size_t>(g); ++k)
                acc = maximum ? std::max(acc, x[1][k * n2 + i]) : acc + x[1][k * n2 + i];
            x[0][i] = acc;
        }
    };
    return c;
}

/// Reduces the block over `rows`, over `cols`, or both.
CodeletCase onTile(Random &random, bool overRows, bool overCols, bool maximum)
{
    CodeletCase c;
    auto const type = floating(random);
    auto const r = upTo(random, 30), n = upTo(random, 60);
    c.fields = {out(type, 1, overRows ? 1 : r, overCols ? 1 : n), in(type, 1, r, n, 0.1, 1)}; // addends that do not cancel
    c.tolerance = toleranceOf(type);
    c.naive = [r, n, overRows, overCols, maximum](Contents &x) {
        std::vector<char> seen(x[0].size(), 0);
        for (std::int64_t i = 0; i < r; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
                auto const to = static_cast<std::size_t>((overRows ? 0 : i) * (overCols ? 1 : n) + (overCols ? 0 : j));
                double const v = x[1][static_cast<std::size_t>(i * n + j)];
                x[0][to] = !seen[to] ? v : maximum ? std::max(x[0][to], v) : x[0][to] + v;
                seen[to] = 1;
            }
    };
    return c;
}

CodeletCase arg(Random &random, bool largest)
{
    CodeletCase c;
    auto const r = upTo(random, 30), n = upTo(random, 12);
    // Few different values: the first of equal ones is asked for.
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

CodeletCase oneHot(Random &random)
{
    CodeletCase c;
    auto const r = upTo(random, 30), n = upTo(random, 20);
    c.fields = {out(floating(random), 1, r, n), in(DType::I32, 1, r, 1, -1, static_cast<double>(n))};
    c.tolerance = 0;
    c.naive = [r, n](Contents &x) {
        for (std::int64_t i = 0; i < r; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                x[0][static_cast<std::size_t>(i * n + j)] = x[1][static_cast<std::size_t>(i)] == static_cast<double>(j) ? 1 : 0;
    };
    return c;
}

CodeletCase copy(Random &random)
{
    CodeletCase c;
    auto const type = static_cast<DType>(random.below(5));
    auto const r = upTo(random, 12), n = upTo(random, 40);
    double const top = type == DType::Bool ? 1 : 99;
    c.fields = {out(type, 1, r, n, 0, top), in(type, 1, r, n, 0, top)};
    // From any order of the bytes to any other.
    for (auto &field : c.fields)
        if (random.below(2)) (random.below(2) ? field.rowGroup : field.colGroup) = static_cast<std::int32_t>(upTo(random, 9));
    c.tolerance = 0;
    c.naive = [](Contents &x) { x[0] = x[1]; };
    return c;
}

CodeletCase cast(Random &random)
{
    CodeletCase c;
    static constexpr DType kTypes[] = {DType::F32, DType::F16, DType::I32, DType::U8};
    auto const from = kTypes[random.below(4)], to = kTypes[random.below(4)];
    auto const n = upTo(random, 900);
    c.fields = {out(to, 1, 1, n, 0, 9), in(from, 1, 1, n, 0, 99)};
    c.tolerance = to == DType::F16 ? 1e-3 : 0;
    c.naive = [to](Contents &x) {
        for (std::size_t i = 0; i < x[0].size(); ++i) x[0][i] = isFloating(to) ? x[1][i] : std::trunc(x[1][i]);
    };
    return c;
}

CodeletCase fill(Random &random)
{
    CodeletCase c;
    auto const type = static_cast<DType>(random.below(4));
    double const value = static_cast<double>(random.below(100));
    c.fields = {out(type, 1, upTo(random, 9), upTo(random, 200), 0, 9)};
    c.scalars = {value};
    c.tolerance = 0;
    c.naive = [value](Contents &x) { std::ranges::fill(x[0], value); };
    return c;
}

CodeletCase dropout(Random &random)
{
    CodeletCase c;
    auto const type = floating(random);
    auto const rows = upTo(random, 12), cols = upTo(random, 50), row0 = upTo(random, 9), col0 = upTo(random, 9);
    auto const all = col0 + cols + upTo(random, 5);
    double const rate = 0.3;
    c.fields = {out(type, 1, rows, cols), in(type, 1, rows, cols), in(DType::I32, 1, 1, 1, 0, 1000)};
    for (auto *field : {&c.fields[0], &c.fields[1]}) {
        field->row0 = row0;
        field->col0 = col0;
    }
    auto const node = static_cast<double>(random.below(50));
    c.scalars = {rate, node, static_cast<double>(all)};
    c.replica = static_cast<int>(random.below(3));
    c.replicas = 3;
    c.seed = random.next();
    c.tolerance = toleranceOf(type);
    c.naive = [=, seed = c.seed, replica = c.replica](Contents &x) {
        // Bits by counter: seed, replica, node, micro-batch, element of the whole tensor.
        auto const stream = deriveSeed(deriveSeed(deriveSeed(seed, static_cast<std::uint64_t>(replica)), static_cast<std::uint64_t>(node)),
                                       static_cast<std::uint64_t>(x[2][0]));
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t k = 0; k < cols; ++k) {
                auto const element = static_cast<std::uint64_t>((row0 + r) * all + col0 + k);
                bool const keep = static_cast<double>(unitFloat(randomBits(stream, element))) >= rate;
                auto const at = static_cast<std::size_t>(r * cols + k);
                x[0][at] = keep ? x[1][at] / (1 - rate) : 0;
            }
    };
    return c;
}

CodeletCase crossEntropy(Random &random, bool sparse)
{
    CodeletCase c;
    auto const rows = upTo(random, 14), cols = 1 + upTo(random, 12);
    auto const type = floating(random);
    c.fields = {out(type, 1, rows, 1), in(type, 1, rows, cols, -3, 3), in(type, 1, rows, 1, 2, 3), in(type, 1, rows, 1, 1, 4),
                sparse ? in(DType::I32, 1, rows, 1, 0, static_cast<double>(cols - 1)) : in(type, 1, rows, cols, 0, 1)};
    c.tolerance = toleranceOf(type);
    c.naive = [rows, cols, sparse](Contents &x) {
        for (std::int64_t r = 0; r < rows; ++r) {
            auto const row = static_cast<std::size_t>(r);
            double loss = 0;
            for (std::int64_t k = 0; k < cols; ++k) {
                auto const at = static_cast<std::size_t>(r * cols + k);
                double const weight = sparse ? static_cast<double>(static_cast<std::int64_t>(x[4][row]) == k) : x[4][at];
                loss += weight * (std::log(x[3][row]) + x[2][row] - x[1][at]);
            }
            x[0][row] = loss;
        }
    };
    return c;
}

CodeletCase crossEntropyGrad(Random &random, bool sparse)
{
    CodeletCase c;
    auto const rows = upTo(random, 14), cols = 1 + upTo(random, 12);
    bool const perRow = random.below(2) == 1;
    auto const type = floating(random);
    c.fields = {out(type, 1, rows, cols), in(type, 1, rows, cols, 0, 1),
                sparse ? in(DType::I32, 1, rows, 1, 0, static_cast<double>(cols - 1)) : in(type, 1, rows, cols, 0, 1),
                in(type, 1, perRow ? rows : 1, 1)};
    c.tolerance = toleranceOf(type);
    c.naive = [rows, cols, sparse, perRow](Contents &x) {
        for (std::int64_t r = 0; r < rows; ++r) {
            double const d = x[3][perRow ? static_cast<std::size_t>(r) : 0];
            double total = sparse ? 1 : 0;
            for (std::int64_t k = 0; k < cols && !sparse; ++k) total += x[2][static_cast<std::size_t>(r * cols + k)];
            for (std::int64_t k = 0; k < cols; ++k) {
                auto const at = static_cast<std::size_t>(r * cols + k);
                double const target = sparse ? static_cast<double>(static_cast<std::int64_t>(x[2][static_cast<std::size_t>(r)]) == k) : x[2][at];
                x[0][at] = (x[1][at] * total - target) * d;
            }
        }
    };
    return c;
}

/// States (weights first), gradient, rate.
CodeletCase optimizer(Random &random, int states, std::vector<double> scalars, std::function<void(double *, double, double)> update)
{
    CodeletCase c;
    auto const r = upTo(random, 9), n = upTo(random, 40);
    for (int i = 0; i < states; ++i) c.fields.push_back(out(DType::F32, 1, r, n, i == 0 ? -1 : 0.1, 1));
    c.fields.push_back(in(DType::F32, 1, r, n));
    c.fields.push_back(in(DType::F32, 1, 1, 1, 0.001, 0.1));
    c.scalars = std::move(scalars);
    c.tolerance = 2e-6;
    c.naive = [states, update](Contents &x) {
        auto const count = static_cast<std::size_t>(states);
        double s[4];
        for (std::size_t i = 0; i < x[0].size(); ++i) {
            for (std::size_t k = 0; k < count; ++k) s[k] = x[k][i];
            update(s, x[count][i], x[count + 1][0]);
            for (std::size_t k = 0; k < count; ++k) x[k][i] = s[k];
        }
    };
    return c;
}

CodeletCase stepSize(Random &random)
{
    CodeletCase c;
    bool const adam = random.below(2) == 1;
    c.fields = {out(DType::F32, 1, 1, 1), in(DType::I32, 1, 1, 1, 0, 5000)};
    c.scalars = {adam ? 1.0 : 0.0, 0.01, 0.001, 0.9, 0.999};
    c.tolerance = 1e-6;
    c.naive = [adam](Contents &x) {
        double const it = x[1][0];
        x[0][0] = 0.01 / (1 + 0.001 * it) * (adam ? std::sqrt(1 - std::pow(0.999, it + 1)) / (1 - std::pow(0.9, it + 1)) : 1);
    };
    return c;
}

CodeletCase running(Random &random)
{
    CodeletCase c;
    auto const n = upTo(random, 90);
    c.fields = {out(DType::F32, 1, 1, n), in(DType::F32, 1, 1, n), in(DType::I32, 1, 1, 1, 0, 20)};
    c.naive = [](Contents &x) {
        double const k = x[2][0];
        for (std::size_t i = 0; i < x[0].size(); ++i) x[0][i] = (x[0][i] * k + x[1][i]) / (k + 1);
    };
    return c;
}

CodeletCase ringAdd(Random &random)
{
    CodeletCase c;
    auto const r = upTo(random, 6), n = upTo(random, 30);
    c.replicas = static_cast<int>(1 + upTo(random, 5));
    c.replica = static_cast<int>(random.below(static_cast<std::uint64_t>(c.replicas)));
    std::int64_t const chunk = ceilDiv(r * n, c.replicas);
    auto const shift = static_cast<std::int64_t>(random.below(12)) - 6;
    c.fields = {out(DType::F32, 1, r, n), in(DType::F32, 1, 1, chunk)};
    c.scalars = {static_cast<double>(shift)};
    c.naive = [chunk, shift, replica = c.replica, replicas = c.replicas](Contents &x) {
        std::int64_t which = (replica + shift) % replicas;
        if (which < 0) which += replicas;
        for (std::int64_t i = 0; i < chunk; ++i) {
            auto const at = static_cast<std::size_t>(which * chunk + i);
            if (at < x[0].size()) x[0][at] += x[1][static_cast<std::size_t>(i)];
        }
    };
    return c;
}

CodeletCase fifo(Random &random)
{
    CodeletCase c;
    auto const depth = upTo(random, 5), r = upTo(random, 5), n = upTo(random, 30);
    auto const type = static_cast<DType>(random.below(5));
    double const top = type == DType::Bool ? 1 : 99;
    c.fields = {out(type, 1, r, n, 0, top), out(type, depth, r, n, 0, top), out(DType::I32, 1, 1, 1, 0, static_cast<double>(depth - 1)),
                in(type, 1, r, n, 0, top)};
    c.tolerance = 0;
    c.naive = [depth](Contents &x) {
        auto const slot = static_cast<std::size_t>(x[2][0]) * x[0].size();
        for (std::size_t i = 0; i < x[0].size(); ++i) {
            x[0][i] = x[1][slot + i];
            x[1][slot + i] = x[3][i];
        }
        x[2][0] = std::fmod(x[2][0] + 1, static_cast<double>(depth));
    };
    return c;
}

CodeletCase increment(Random &random)
{
    CodeletCase c;
    auto const by = static_cast<double>(upTo(random, 9));
    c.fields = {out(DType::I32, 1, 1, 1, 0, 1000)};
    c.scalars = {by};
    c.tolerance = 0;
    c.naive = [by](Contents &x) { x[0][0] += by; };
    return c;
}

CodeletCase dynamicSlice(Random &random, bool update)
{
    CodeletCase c;
    auto const type = static_cast<DType>(random.below(5));
    // Some slices of a stack at once; a number so late that they would leave it is moved back.
    auto const count = upTo(random, 9), several = upTo(random, count), one = upTo(random, 6), rows = several * one, cols = upTo(random, 40);
    bool const reversed = random.below(2);
    auto const step = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
    double const high = type == DType::Bool ? 1 : 99;
    CaseField const slice = update ? in(type, 1, rows, cols, 0, high) : out(type, 1, rows, cols, 0, high);
    CaseField const stack = update ? out(type, 1, count * one, cols, 0, high) : in(type, 1, count * one, cols, 0, high);
    c.fields = {update ? stack : slice, update ? slice : stack,
                in(DType::I32, 1, 1, 1, static_cast<double>(step), static_cast<double>(step))};
    c.scalars = {reversed ? 1.0 : 0.0, static_cast<double>(count)};
    c.tolerance = 0;
    std::int64_t const latest = count - several, asked = reversed ? latest - step : step;
    auto const first = static_cast<std::size_t>(std::clamp<std::int64_t>(asked, 0, latest) * one * cols);
    c.naive = [first, update](Contents &x) {
        for (std::size_t i = 0; i < x[update ? 1 : 0].size(); ++i) {
            if (update) x[0][first + i] = x[1][i];
            else x[0][i] = x[1][first + i];
        }
    };
    return c;
}

using Maker = std::function<CodeletCase(Random &)>;

std::map<std::string, Maker> const &makers()
{
    static std::map<std::string, Maker> const all = [] {
        std::map<std::string, Maker> m{
            {"ConvPartial1x1Out", products}, {"ConvPartialHorizontalMac", products}, {"Transpose", transposes}, {"Rearrange", rearrange}, {"Map", map}, {"EncodeOneHot", oneHot},
            {"Copy", copy}, {"Cast", cast}, {"Fill", fill}, {"Dropout", dropout}, {"Increment", increment}, {"StepSize", stepSize},
            {"AccumulateRunning", running}, {"RingAdd", ringAdd}, {"Fifo", fifo},
            {"MultiSlice", [](Random &r) { return slices(r, false); }}, {"MultiUpdateAdd", [](Random &r) { return slices(r, true); }},
            {"SparseCrossEntropy", [](Random &r) { return crossEntropy(r, true); }},
            {"CategoricalCrossEntropy", [](Random &r) { return crossEntropy(r, false); }},
            {"SparseCrossEntropyGrad", [](Random &r) { return crossEntropyGrad(r, true); }},
            {"CategoricalCrossEntropyGrad", [](Random &r) { return crossEntropyGrad(r, false); }},
        };
        for (auto vertex : {cost::ConvVertex::AmpNx1, cost::ConvVertex::Amp1x1, cost::ConvVertex::Slic, cost::ConvVertex::HorizontalMac,
                            cost::ConvVertex::VerticalMac})
            m[program::convCodelet(vertex)] = [vertex](Random &r) { return convCodeletCase(vertex, r); };
        for (bool first : {false, true}) {
            m[first ? "ArgMax" : "ArgMin"] = [first](Random &r) { return arg(r, first); };
            m[first ? "CumProd" : "CumSum"] = [first](Random &r) { return cumulative(r, first); };
        }
        m["DynamicSlice1D"] = [](Random &r) { return dynamicSlice(r, false); };
        m["DynamicUpdateSlice1D"] = [](Random &r) { return dynamicSlice(r, true); };
        for (bool maximum : {false, true}) {
            std::string const suffix = maximum ? "Max" : "Sum";
            m[maximum ? "ReduceMax" : "ReduceAdd"] = [maximum](Random &r) { return partials(r, maximum); };
            m["Row" + suffix] = [maximum](Random &r) { return onTile(r, false, true, maximum); };
            m["Column" + suffix] = [maximum](Random &r) { return onTile(r, true, false, maximum); };
            m["All" + suffix] = [maximum](Random &r) { return onTile(r, true, true, maximum); };
        }
        m["ScaledSubtract"] = [](Random &r) { return optimizer(r, 1, {}, [](double *s, double g, double lr) { s[0] -= lr * g; }); };
        m["SgdMomentum"] = [](Random &r) {
            bool const nesterov = r.below(2) == 1;
            return optimizer(r, 2, {0.9, nesterov ? 1.0 : 0.0}, [nesterov](double *s, double g, double lr) {
                s[1] = 0.9 * s[1] - lr * g;
                s[0] += nesterov ? 0.9 * s[1] - lr * g : s[1];
            });
        };
        m["RmsProp"] = [](Random &r) {
            return optimizer(r, 2, {0.9, 1e-7}, [](double *s, double g, double lr) {
                s[1] = 0.9 * s[1] + 0.1 * g * g;
                s[0] -= lr * g / (std::sqrt(s[1]) + 1e-7);
            });
        };
        m["RmsPropFull"] = [](Random &r) {
            bool const centered = r.below(2) == 1;
            return optimizer(r, 4, {0.9, 1e-3, 0.5, centered ? 1.0 : 0.0}, [centered](double *s, double g, double lr) {
                s[1] = 0.9 * s[1] + 0.1 * g * g;
                double const mean = 0.9 * s[2] + 0.1 * g;
                if (centered) s[2] = mean;
                double const variance = centered ? std::max(0.0, s[1] - mean * mean) : s[1];
                s[3] = 0.5 * s[3] + lr * g / std::sqrt(variance + 1e-3);
                s[0] -= s[3];
            });
        };
        m["Adam"] = [](Random &r) {
            return optimizer(r, 3, {0.9, 0.999, 1e-7}, [](double *s, double g, double alpha) {
                s[1] = 0.9 * s[1] + 0.1 * g;
                s[2] = 0.999 * s[2] + 0.001 * g * g;
                s[0] -= alpha * s[1] / (std::sqrt(s[2]) + 1e-7);
            });
        };
        m["AdamAmsgrad"] = [](Random &r) {
            return optimizer(r, 4, {0.9, 0.999, 1e-7}, [](double *s, double g, double alpha) {
                s[1] = 0.9 * s[1] + 0.1 * g;
                s[2] = 0.999 * s[2] + 0.001 * g * g;
                s[3] = std::max(s[3], s[2]);
                s[0] -= alpha * s[1] / (std::sqrt(s[3]) + 1e-7);
            });
        };
        m["Adamax"] = [](Random &r) {
            return optimizer(r, 3, {0.9, 0.999, 1e-7}, [](double *s, double g, double alpha) {
                s[1] = 0.9 * s[1] + 0.1 * g;
                s[2] = std::max(0.999 * s[2], std::abs(g));
                s[0] -= alpha * s[1] / (s[2] + 1e-7);
            });
        };
        m["Adadelta"] = [](Random &r) {
            return optimizer(r, 3, {0.95, 1e-3}, [](double *s, double g, double lr) {
                s[1] = 0.95 * s[1] + 0.05 * g * g;
                double const x = g * std::sqrt(s[2] + 1e-3) / std::sqrt(s[1] + 1e-3);
                s[2] = 0.95 * s[2] + 0.05 * x * x;
                s[0] -= lr * x;
            });
        };
        m.merge(poolCases());
        m.merge(normCases());
        return m;
    }();
    return all;
}

} // namespace

std::vector<std::string> codeletsWithCases()
{
    std::vector<std::string> names;
    for (auto const &[name, maker] : makers()) names.push_back(name);
    return names;
}

CaseField blockField(DType type, std::int64_t groups, program::FieldBlock const &block, bool written, double low, double high)
{
    std::int64_t rows = 1;
    for (int d = 0; d + 1 < block.rank; ++d) rows *= block.size(d);
    return {type, groups, rows, block.size(block.rank - 1), 0, 0, low, high, written, 1, 1, false, block};
}

CodeletCase makeCase(std::string const &codelet, RandomStream &random)
{
    auto const it = makers().find(codelet);
    if (it == makers().end()) return {};
    auto c = it->second(random);
    c.codelet = codelet;
    return c;
}

} // namespace tilewright::tests
