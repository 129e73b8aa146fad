// Elements that move: copies, slices and slots, rings.
#include "tests/engine/program/case_parts.h"

#include <algorithm>
#include <cmath>

namespace tilewright::tests {

namespace {

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

CodeletCase dynamicSlice(Random &random, bool update)
{
    CodeletCase c;
    auto const type = static_cast<DType>(random.below(5));
    // Several slices of a stack at once; a number too near the end is clamped.
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

CodeletCase shard(Random &random, bool takes)
{
    CodeletCase c;
    auto const n = upTo(random, 60);
    c.replicas = static_cast<int>(1 + upTo(random, 5));
    c.replica = static_cast<int>(random.below(static_cast<std::uint64_t>(c.replicas)));
    std::int64_t const chunk = ceilDiv(n, c.replicas);
    c.fields = {out(DType::F32, 1, 1, takes ? chunk : n), in(DType::F32, 1, 1, takes ? n : chunk)};
    c.scalars = {1.0};
    c.tolerance = 0;
    auto const first = static_cast<std::size_t>((c.replica + 1) % c.replicas * chunk);
    c.naive = [takes, first](Contents &x) {
        for (std::size_t i = 0; i < x[takes ? 0 : 1].size(); ++i) {
            if (takes) x[0][i] = first + i < x[1].size() ? x[1][first + i] : 0;
            else if (first + i < x[0].size()) x[0][first + i] = x[1][i];
        }
    };
    return c;
}

} // namespace

CaseMakers movementCases()
{
    return {{"MultiSlice", [](Random &r) { return slices(r, false); }},
            {"MultiUpdateAdd", [](Random &r) { return slices(r, true); }},
            {"Copy", copy},
            {"Fifo", fifo},
            {"DynamicSlice1D", [](Random &r) { return dynamicSlice(r, false); }},
            {"DynamicUpdateSlice1D", [](Random &r) { return dynamicSlice(r, true); }},
            {"RingAdd", ringAdd},
            {"TakeShard", [](Random &r) { return shard(r, true); }},
            {"PutShard", [](Random &r) { return shard(r, false); }}};
}

} // namespace tilewright::tests
