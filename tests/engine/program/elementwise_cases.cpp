// Each element by itself.
#include "engine/core/replica_seeds.h"
#include "tests/engine/program/case_parts.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tests {

namespace {

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
    c.seed = runSeed(random.next());
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

} // namespace

CaseMakers elementwiseCases()
{
    return {{"Map", map}, {"EncodeOneHot", oneHot}, {"Cast", cast}, {"Fill", fill}, {"Dropout", dropout}, {"Increment", increment}};
}

} // namespace tilewright::tests
