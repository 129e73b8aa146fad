#pragma once

#include "engine/core/result.h"
#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Reduction vertices of popops. All return issue cycles of one worker (a vertex runs on one worker; six in parallel take six times as many
/// tile cycles). Formulas: poplibs lib/popops/reduction/CycleEstimationFunctions.cpp, rewritten. Assume aligned partials in memory that is
/// not interleaved.
namespace tilewright::cost {

enum class ReduceOp { Add, SquareAdd, Max, Min, Mul, LogAdd, LogicalAnd, LogicalOr };
/// "add", "square_add", "max", "min", "mul", "log_add", "and", "or" and their aliases ("sum", "maximum" …).
std::optional<ReduceOp> parseReduceOp(std::string_view text);
/// "Sum", "Max", "Min" or "Product": the last part of the names of codelets that reduce on a tile. Requires: one of these four.
std::string_view titleOf(ReduceOp op);

/// StridedReduce: sums `rows` of `outputs` values element by element.
struct StridedReduceParams {
    ValueType partials = ValueType::F32;
    ValueType out = ValueType::F32;
    ReduceOp op = ReduceOp::Add;
    std::int64_t rows = 1; ///< partials per output
    std::int64_t outputs = 1;
    std::int64_t stride = 0; ///< elements between rows; 0 = outputs
    std::int64_t outerStrides = 1;
    bool update = false; ///< out += result
};
Cycles stridedReduceWorkerCycles(StridedReduceParams const &params);

/// One output from n contiguous values.
Cycles singleOutputReduceWorkerCycles(ReduceOp op, ValueType partials, ValueType out, std::int64_t n);

/// Every output reduces its own contiguous run of `perOutput` values (a row-wise sum).
Cycles contiguousReduceWorkerCycles(ReduceOp op, ValueType partials, std::int64_t outputs, std::int64_t perOutput, bool update = false);

/// General form: `outputs` regions of `width` values, each the reduction of `regions` partial regions of
/// `regionSize` values (a multiple of width).
struct GeneralReduceParams {
    ValueType partials = ValueType::F32;
    ValueType out = ValueType::F32;
    ReduceOp op = ReduceOp::Add;
    std::int64_t outputs = 1;
    std::int64_t width = 1;
    std::int64_t regions = 1;
    std::int64_t regionSize = 1;
    bool update = false;
};
Cycles generalReduceWorkerCycles(GeneralReduceParams const &params);

/// Tile cycles to reduce [outer, reduced, inner] on one tile over its middle dimension, with the library's choice of vertex (single output,
/// contiguous rows, or strided) and the outputs spread over the six workers. Our composition of the vertices above: at least one row per
/// worker; with fewer outputs than workers, some workers are idle.
Cycles tileReduceCycles(ReduceOp op, ValueType partials, ValueType out, std::int64_t outer, std::int64_t reduced, std::int64_t inner,
                        bool update = false);

/// Running sums (or products) along `rows` rows of n values by one worker. The library has no such vertex. Our count of a loop that loads
/// and adds in one bundle and stores in the next, with a conversion each way for f16.
Cycles cumulativeWorkerCycles(ValueType type, std::int64_t rows, std::int64_t n);

} // namespace tilewright::cost
