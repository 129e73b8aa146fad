#include "engine/program/cost/reduce_cost.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace tilewright::cost {

namespace {

bool accumulates(ReduceOp op) { return op == ReduceOp::Add || op == ReduceOp::SquareAdd; }

std::int64_t accumulatorWidth(ValueType partials) { return partials == ValueType::F16 ? 8 : partials == ValueType::F32 ? 4 : 1; }

/// Elements per operation: accumulators for sums, plain vectors otherwise. Log-add has an assembly form only in the strided vertex.
std::int64_t operationWidth(ReduceOp op, ValueType partials, bool strided)
{
    if (accumulates(op)) return accumulatorWidth(partials);
    if (op == ReduceOp::LogAdd && !strided) return 1;
    return partials.vectorWidth();
}

Cycles cyclesPerOperation(ReduceOp op, ValueType partials, bool strided)
{
    if (op != ReduceOp::LogAdd) return 1;
    if (!strided) return 20;
    return partials == ValueType::F16 ? 13 : 23;
}

} // namespace

std::string_view titleOf(ReduceOp op)
{
    return op == ReduceOp::Max ? "Max" : op == ReduceOp::Min ? "Min" : op == ReduceOp::Mul ? "Product" : "Sum";
}

std::optional<ReduceOp> parseReduceOp(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, ReduceOp>, 15> kNames{{
        {"add", ReduceOp::Add},
        {"sum", ReduceOp::Add},
        {"square_add", ReduceOp::SquareAdd},
        {"max", ReduceOp::Max},
        {"maximum", ReduceOp::Max},
        {"min", ReduceOp::Min},
        {"minimum", ReduceOp::Min},
        {"mul", ReduceOp::Mul},
        {"multiply", ReduceOp::Mul},
        {"prod", ReduceOp::Mul},
        {"log_add", ReduceOp::LogAdd},
        {"and", ReduceOp::LogicalAnd},
        {"logical_and", ReduceOp::LogicalAnd},
        {"or", ReduceOp::LogicalOr},
        {"logical_or", ReduceOp::LogicalOr},
    }};
    for (auto const &[name, op] : kNames)
        if (name == text) return op;
    return std::nullopt;
}

Cycles stridedReduceWorkerCycles(StridedReduceParams const &p)
{
    bool const floatOut = p.out == ValueType::F32;
    Cycles post = 0;
    if (p.partials == ValueType::F16) {
        bool const logAdd = p.op == ReduceOp::LogAdd;
        if (!p.update) post = 1 + (floatOut && p.op == ReduceOp::Add ? 6 : 7);
        else if (logAdd) post = 1 + (floatOut ? 56 : 22);
        else if (p.op == ReduceOp::Add) post = 1 + (floatOut ? 11 : 9);
        else post = 1 + 10;
    } else {
        post = p.op == ReduceOp::Add ? 3 : 2;
        if (!p.update) post += 2;
        else if (p.op == ReduceOp::LogAdd) post += floatOut ? 27 : 13;
        else post += floatOut ? 5 : 4;
    }
    std::int64_t const stride = p.stride > 0 ? p.stride : p.outputs;
    Cycles const perOperation = cyclesPerOperation(p.op, p.partials, true);
    Cycles const turn = 3 + post + p.outerStrides * (3 + perOperation * (p.rows - 1));
    std::int64_t const width = std::gcd(std::min(operationWidth(p.op, p.partials, true), p.partials.vectorWidth()), stride);
    return 16 + turn * ceilDiv(p.outputs, width);
}

Cycles singleOutputReduceWorkerCycles(ReduceOp op, ValueType partials, ValueType out, std::int64_t n)
{
    std::int64_t const width = operationWidth(op, partials, false);
    std::int64_t const perCycle = std::min(width, partials.vectorWidth());
    Cycles const perLoop = std::max(width / perCycle, cyclesPerOperation(op, partials, false));
    return 3 + 6 + perLoop * n / width + 5 + n % width + 3 + (out == ValueType::F32 ? 0 : 5);
}

Cycles contiguousReduceWorkerCycles(ReduceOp op, ValueType partials, std::int64_t outputs, std::int64_t perOutput, bool update)
{
    std::int64_t const width = std::min(operationWidth(op, partials, false), partials.vectorWidth());
    return cyclesPerOperation(op, partials, false) * outputs * (perOutput / width) + (perOutput % 2 ? 2 : 0) + 12 * outputs + 10
        + (update ? 1 : 0) + 7;
}

Cycles generalReduceWorkerCycles(GeneralReduceParams const &p)
{
    if (p.op == ReduceOp::LogAdd || p.op == ReduceOp::LogicalAnd || p.op == ReduceOp::LogicalOr) {
        Cycles const perElement = 24 + (p.op == ReduceOp::LogAdd ? 12 : 1) + (p.out == p.partials ? 0 : 1);
        return 31 + p.outputs * (8 + p.regions * (22 + perElement * p.regionSize));
    }
    bool const sum = accumulates(p.op);
    std::int64_t const width = operationWidth(p.op, p.partials, false);
    std::int64_t const dataPath = p.partials.vectorWidth();
    std::int64_t const vectors = p.width / width;
    std::int64_t const rest = p.width % width;
    auto const store = [&](std::int64_t elements) -> Cycles {
        return (p.update ? 3 : 2) * std::min(elements, p.out.vectorWidth()) + (sum ? 1 : 0);
    };
    Cycles checks = 0;
    for (std::int64_t bit = 1; bit < width; bit *= 2) checks += 2;

    Cycles output = 24 + checks + vectors * ((sum ? 5 : 3) + store(width) + 1) + 10 * vectors * p.regions;
    Cycles perRegion = vectors * ((sum ? 2 : 0) + 2 + width / std::min(width, dataPath) + 3);
    for (std::int64_t bit = 1; bit < width; bit *= 2) {
        if (!(rest & bit)) continue;
        output += (sum ? 4 : 2) + store(bit) + 10 * p.regions;
        perRegion += 5 + bit / std::min(bit, dataPath);
    }
    std::int64_t const accumulations = p.width > 0 ? p.regionSize / p.width : 0;
    return 33 + p.outputs * (output + p.regions * accumulations * perRegion);
}

Cycles cumulativeWorkerCycles(ValueType type, std::int64_t rows, std::int64_t n)
{
    constexpr Cycles kEntry = 16, kPerRow = 6;
    return kEntry + rows * (kPerRow + n * (type == ValueType::F16 ? 4 : 2));
}

Cycles tileReduceCycles(ReduceOp op, ValueType partials, ValueType out, std::int64_t outer, std::int64_t reduced, std::int64_t inner,
                        bool update)
{
    if (outer <= 0 || inner <= 0) return 0;
    bool const vectorised = op != ReduceOp::LogicalAnd && op != ReduceOp::LogicalOr;
    std::int64_t const outputs = outer * inner;
    if (!vectorised) {
        return kWorkers
            * generalReduceWorkerCycles({.partials = partials,
                                         .out = out,
                                         .op = op,
                                         .outputs = ceilDiv(outputs, kWorkers),
                                         .width = 1,
                                         .regions = 1,
                                         .regionSize = reduced,
                                         .update = update});
    }
    if (inner == 1) {
        if (outer == 1) {
            // A long sum: each worker sums its share, then the six partial sums are added.
            Cycles const alone = singleOutputReduceWorkerCycles(op, partials, out, reduced);
            Cycles const split = singleOutputReduceWorkerCycles(op, partials, ValueType::F32, ceilDiv(reduced, kWorkers))
                + singleOutputReduceWorkerCycles(op, ValueType::F32, out, kWorkers);
            return kWorkers * std::min(alone, split);
        }
        return kWorkers * contiguousReduceWorkerCycles(op, partials, ceilDiv(outer, kWorkers), reduced, update);
    }
    // Columns in whole vectors, shared out over outer x column blocks.
    std::int64_t const block = partials.vectorWidth();
    std::int64_t const blocks = ceilDiv(inner, block);
    std::int64_t const vertices = ceilDiv(outer * blocks, kWorkers); // blocks of the busiest worker
    std::int64_t const rows = std::max<std::int64_t>(1, ceilDiv(vertices, blocks));
    std::int64_t const columns = std::min(inner, ceilDiv(vertices, rows) * block);
    StridedReduceParams strided{.partials = partials,
                                .out = out,
                                .op = op,
                                .rows = reduced,
                                .outputs = columns,
                                .stride = inner,
                                .outerStrides = 1,
                                .update = update};
    return kWorkers * rows * stridedReduceWorkerCycles(strided);
}

} // namespace tilewright::cost
