#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewright::cost {

/// Price of one fused map vertex.
struct ExprCost {
    Cycles perVector = 0; ///< one turn of the worker's loop
    Cycles worker = 0;    ///< issue cycles of the busiest worker
    Cycles tile = 0;      ///< of the vertex
    bool operator==(ExprCost const &) const = default;
};

/// Issue cycles per 64-bit vector of a fused expression, by this rule of ours. Each operation's table price
/// (op_table.h) splits into arithmetic and the codelet's own loads, stores and loop control:
///   unrolled entry   overhead 1 (unary) or 2 (binary): the loads; the store shares a bundle with arithmetic
///   vector entry     overhead 4 (unary), 2 or 5 (binary): the addition the codelet makes
///   scalar entry     overhead 4 per element
/// A fused chain keeps intermediates in registers, so it pays the arithmetic of every operation, the
/// overhead of the one operation whose overhead is largest, and one further load for every operand beyond
/// what that operation reads itself (one fewer when a binary's second operand is a constant held in a
/// register); at least 1 for memory. Operations before the last take the cheaper of the in-place and
/// out-of-place tables; the last takes the one asked for. The library compiles such maps and estimates them
/// with its compiler, so no public formula exists; a chain of one operation costs exactly its table entry.
/// Assumes all operands of one type, aligned. Requires: operandsRead >= 1.
Cycles expressionWorkerCyclesPerVector(std::span<std::string_view const> ops, ValueType type, int operandsRead, bool inPlace);

/// The vertex: overheads of UnaryOp1D (20 + 6 x 17, in place 20 + 6 x 55; exp out of place 16 more per
/// worker) plus 9 (in place 3) issue cycles for each further operand's pointer, as BinaryOp1D has over
/// UnaryOp1D; work spread over the workers in whole vectors.
ExprCost mapCost(std::span<std::string_view const> ops, ValueType type, std::int64_t elements, int operandsRead, bool inPlace);

/// Tile cycles of mapCost.
Cycles mapCycles(std::span<std::string_view const> ops, DType type, std::int64_t elements, int operandsRead, bool inPlace);

/// Whether the model has a price for `op` on `type` in a map. Unpriced operations count kUnpricedOpCycles
/// per element, a compiled C++ loop body.
bool isPricedOp(std::string_view op, ValueType type);
inline constexpr Cycles kUnpricedOpCycles = 10;

} // namespace tilewright::cost
