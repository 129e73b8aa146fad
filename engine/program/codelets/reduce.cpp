// Reductions: of partials over tiles, of rows, columns and whole blocks on one tile.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/nn_cost.h"
#include "engine/program/cost/reduce_cost.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace tilewright::program {

namespace {

using cost::ReduceOp;

/// Of an extreme, a NaN stays.
float combine(float a, float b, ReduceOp op)
{
    if (op == ReduceOp::Add) return a + b;
    if (op == ReduceOp::Mul) return a * b;
    return (op == ReduceOp::Max ? b > a : b < a) || b != b ? b : a;
}

void runPartials(std::byte *tile, VertexState const &s, Workers workers, ReduceOp op)
{
    auto const &out = s.fields[0];
    auto const &in = s.fields[1];
    std::int64_t const n = out.elements();
    auto const [begin, end] = shareOf(n, workers);
    constexpr std::int64_t kBlock = 256;
    float acc[kBlock], buffer[kBlock];
    for (std::int64_t at = begin; at < end; at += kBlock) {
        std::int64_t const count = std::min(kBlock, end - at);
        std::copy_n(loadFloats(tile, in, at, count, buffer), count, acc);
        for (std::int64_t g = 1; g < in.groups; ++g) {
            float const *x = loadFloats(tile, in, g * n + at, count, buffer);
            if (op == ReduceOp::Add)
                for (std::int64_t i = 0; i < count; ++i) acc[i] += x[i];
            else
                for (std::int64_t i = 0; i < count; ++i) acc[i] = combine(acc[i], x[i], op);
        }
        storeFloats(tile, out, at, count, acc);
    }
}

/// Number of inputs combined at once: all `count`, or the inputs between two stores of float16 sums (graph/partial_sums.h).
std::int64_t combinedAtOnce(VertexState const &s, std::int64_t count)
{
    return s.scalars.empty() ? count : std::min(count, static_cast<std::int64_t>(s.scalars[0]));
}

/// x[0 … count) for element `to` of the result.
void combineRow(std::byte *tile, VertexState const &s, float const *x, std::int64_t count, std::int64_t to, ReduceOp op)
{
    std::int64_t const step = combinedAtOnce(s, count);
    float all = 0;
    for (std::int64_t begin = 0; begin < count; begin += step) {
        float acc = x[begin];
        for (std::int64_t i = begin + 1; i < std::min(count, begin + step); ++i) acc = combine(acc, x[i], op);
        all = begin == 0 ? acc : all + acc;
        if (begin + step < count) storePartials(tile, s.fields[0], to, 1, &all, begin / step);
    }
    storeFloats(tile, s.fields[0], to, 1, &all);
}

void runRows(std::byte *tile, VertexState const &s, Workers workers, ReduceOp op)
{
    auto const &in = s.fields[1];
    auto const [begin, end] = shareOf(in.rows, workers);
    std::vector<float> buffer(static_cast<std::size_t>(in.cols));
    for (std::int64_t r = begin; r < end; ++r)
        combineRow(tile, s, loadFloats(tile, in, r * in.cols, in.cols, buffer.data()), in.cols, r, op);
}

void runColumns(std::byte *tile, VertexState const &s, Workers workers, ReduceOp op)
{
    auto const &in = s.fields[1];
    auto const [begin, end] = shareOf(in.cols, workers);
    if (begin == end) return;
    std::int64_t const n = end - begin, step = combinedAtOnce(s, in.rows);
    std::vector<float> acc(static_cast<std::size_t>(n)), buffer(acc.size()), before;
    for (std::int64_t first = 0; first < in.rows; first += step) {
        if (first > 0) {
            storePartials(tile, s.fields[0], begin, n, acc.data(), first / step - 1);
            before = acc;
        }
        std::copy_n(loadFloats(tile, in, first * in.cols + begin, n, buffer.data()), n, acc.data());
        for (std::int64_t r = first + 1; r < std::min<std::int64_t>(in.rows, first + step); ++r) {
            float const *x = loadFloats(tile, in, r * in.cols + begin, n, buffer.data());
            for (std::int64_t i = 0; i < n; ++i) acc[static_cast<std::size_t>(i)] = combine(acc[static_cast<std::size_t>(i)], x[i], op);
        }
        for (std::size_t i = 0; first > 0 && i < acc.size(); ++i) acc[i] += before[i];
    }
    storeFloats(tile, s.fields[0], begin, n, acc.data());
}

void runAll(std::byte *tile, VertexState const &s, Workers workers, ReduceOp op)
{
    if (workers.begin != 0) return; // one worker combines
    auto const &in = s.fields[1];
    std::vector<float> buffer(static_cast<std::size_t>(in.elements()));
    combineRow(tile, s, loadFloats(tile, in, 0, in.elements(), buffer.data()), in.elements(), 0, op);
}

/// The first of the largest (or smallest) elements of each row; NaN precedes all.
template <bool largest> void runArg(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &in = s.fields[1];
    auto const [begin, end] = shareOf(in.rows, workers);
    std::vector<float> buffer(static_cast<std::size_t>(in.cols));
    for (std::int64_t r = begin; r < end; ++r) {
        float const *x = loadFloats(tile, in, r * in.cols, in.cols, buffer.data());
        std::int32_t best = 0;
        for (std::int64_t c = 1; c < in.cols; ++c)
            if (x[best] == x[best] && ((largest ? x[c] > x[best] : x[c] < x[best]) || x[c] != x[c])) best = static_cast<std::int32_t>(c);
        at<std::int32_t>(tile, s.fields[0])[r] = best;
    }
}

std::shared_ptr<CodeletDescription const> describePartialSums()
{
    return describe({.library = "poplin::ReduceAdd",
                     .family = "matmul",
                     .title = "sum of the partial results of several tiles",
                     .source = kPoplinSource,
                     .params = {partialsParam(), cost::typeParam("out", "f32", "type of the sum", {"f16", "f32"}),
                                cost::integerParam("outputs", "", "elements of the result"),
                                cost::integerParam("partialCount", "", "partials; those after the first with singleInput"),
                                cost::flagParam("singleInput", "the received partials are one contiguous region, as a compile has them"),
                                cost::flagParam("interleaved", "single input in interleaved memory, as a compile has it")},
                     .vertex = [](cost::Args const &a) -> SizedVertex {
                         std::int64_t const n = a.integer("outputs");
                         return {{matrixField(storageType(a.type("out")), 1, n),
                                  matrixField(storageType(a.type("partials")), 1, n, a.integer("partialCount") + 1)}};
                     },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         return cost::reduceAddCycles({.partials = a.type("partials"),
                                                       .out = a.type("out"),
                                                       .outputs = a.integer("outputs"),
                                                       .partialCount = a.integer("partialCount"),
                                                       .singleInput = a.flag("singleInput"),
                                                       .interleaved = a.flag("interleaved")});
                     }});
}

std::shared_ptr<CodeletDescription const> describePartials(std::string const &what)
{
    return describe(
        {.family = "reduce",
         .title = what + " of the partial results of several tiles",
         .source = kReductionSource,
         .params = {floatTypeParam(), cost::integerParam("outputs", "", "elements of the result", 1),
                    cost::integerParam("partialCount", "", "partials", 1)},
         .vertex = [](cost::Args const &a) -> SizedVertex {
             DType const type = storageType(a.type("type"));
             return {{matrixField(type, 1, a.integer("outputs")), matrixField(type, 1, a.integer("outputs"), a.integer("partialCount"))}};
         }});
}

/// Result of reducing rows x columns, in the operand's type or as numbers.
std::shared_ptr<CodeletDescription const> describeOnTile(std::string title, std::string source, bool overRows, bool overColumns,
                                                         bool numbers = false)
{
    return describe({.family = "reduce",
                     .title = std::move(title),
                     .source = std::move(source),
                     .params = {floatTypeParam(), matrixRowsParam(), matrixColumnsParam()},
                     .vertex = [overRows, overColumns, numbers](cost::Args const &a) -> SizedVertex {
                         DType const type = storageType(a.type("type"));
                         std::int64_t const rows = a.integer("rows"), cols = a.integer("columns");
                         return {{matrixField(numbers ? DType::I32 : type, overRows ? 1 : rows, overColumns ? 1 : cols),
                                  matrixField(type, rows, cols)}};
                     }});
}

} // namespace

void addReduceCodelets(std::vector<Codelet> &all)
{
    constexpr std::array kOps{std::pair(ReduceOp::Add, "sum"), std::pair(ReduceOp::Max, "largest"), std::pair(ReduceOp::Min, "smallest"),
                              std::pair(ReduceOp::Mul, "product")};
    for (auto const &[op, word] : kOps) {
        bool const sums = op == ReduceOp::Add;
        auto const add = [&](std::string name, Bytes code, std::function<Cycles(VertexShape const &)> cycles,
                             void (*function)(std::byte *, VertexState const &, Workers, ReduceOp)) {
            Codelet c;
            c.name = std::move(name);
            c.codeBytes = code;
            c.cycles = [cycles = std::move(cycles)](VertexShape const &shape, target::Chip const &) { return cycles(shape); };
            c.stateBytes = usualState;
            c.run = [function, op](std::byte *tile, VertexState const &s, Workers w) { function(tile, s, w, op); };
            all.push_back(std::move(c));
        };
        std::string const what = word, suffix(cost::titleOf(op));
        add(
            sums ? "ReduceAdd" : "Reduce" + suffix, sums ? 500 : 420,
            [op](VertexShape const &shape) {
                auto const &in = shape.fields[1];
                if (op != ReduceOp::Add)
                    return cost::tileReduceCycles(op, in.dtype, shape.fields[0].dtype, 1, in.groups, shape.fields[0].elements());
                cost::ReduceAddParams p;
                p.partials = in.dtype;
                p.out = shape.fields[0].dtype;
                p.outputs = shape.fields[0].elements();
                p.partialCount = in.groups - 1;
                p.singleInput = true;
                p.interleaved = true; // the builder's position of partials
                return cost::reduceAddCycles(p);
            },
            runPartials);
        all.back().stateBytes = [](VertexShape const &) -> Bytes { return 20; }; // two pointers, two counts, a flag
        all.back().description = sums ? describePartialSums() : describePartials(what);
        add(
            "Row" + suffix, 520,
            [op](VertexShape const &shape) {
                auto const &in = shape.fields[1];
                return cost::tileReduceCycles(op, in.dtype, shape.fields[0].dtype, in.rows, in.cols, 1);
            },
            runRows);
        all.back().description = describeOnTile(what + " of each row", kReductionSource, false, true);
        add(
            "Column" + suffix, 520,
            [op](VertexShape const &shape) {
                auto const &in = shape.fields[1];
                return cost::tileReduceCycles(op, in.dtype, shape.fields[0].dtype, 1, in.rows, in.cols);
            },
            runColumns);
        all.back().description = describeOnTile(what + " of each column", kReductionSource, true, false);
        add(
            "All" + suffix, 360,
            [op](VertexShape const &shape) {
                auto const &in = shape.fields[1];
                return cost::tileReduceCycles(op, in.dtype, shape.fields[0].dtype, 1, in.elements(), 1);
            },
            runAll);
        all.back().description = describeOnTile(what + " of all elements", kReductionSource, true, true);
    }
    Codelet arg;
    arg.name = "ArgMax";
    arg.codeBytes = 300;
    arg.cycles = [](VertexShape const &shape, target::Chip const &) {
        auto const &in = shape.fields[1];
        return 6 * ceilDiv(in.rows, 6) * cost::maxClassSparseWorkerCycles(in.dtype, in.cols);
    };
    arg.stateBytes = usualState;
    arg.run = runArg<true>;
    arg.description = describeOnTile("number of the largest in each row", kPopnnSource, false, true, true);
    all.push_back(arg);
    arg.name = "ArgMin";
    arg.run = runArg<false>;
    arg.description = describeOnTile("number of the smallest in each row", kPopnnSource, false, true, true);
    all.push_back(std::move(arg));
}

} // namespace tilewright::program
