#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace tilewright::cost {

/// Cost of one fused map vertex.
struct ExprCost {
    Cycles perVector = 0; ///< one iteration of the worker's loop
    Cycles worker = 0;    ///< issue cycles of the busiest worker
    Cycles tile = 0;      ///< of the vertex
    bool operator==(ExprCost const &) const = default;
};

/// Issue cycles per 64-bit vector of a fused expression, by our own rule. Each operation's cost in the table (op_table.h) consists of
/// arithmetic and the codelet's loads, stores and loop control:
///   unrolled entry   overhead 1 (unary) or 2 (binary): the loads; the store shares a bundle with arithmetic
///   vector entry     overhead 4 (unary), 2 or 5 (binary): added by the codelet
///   scalar entry     overhead 4 per element
/// A fused chain keeps intermediates in registers. It pays the arithmetic of every operation, the largest overhead of one operation, and
/// one load for every operand beyond those of that operation (one fewer if a binary's second operand is a constant in a register); at least
/// 1 for memory. Operations before the last use the cheaper of the in-place and out-of-place tables; the last uses the requested one. The
/// library compiles such maps and estimates them with its compiler, so no public formula exists. A chain of one operation costs exactly its
/// table entry. Assumes aligned operands of one type. Requires: operandsRead >= 1.
Cycles expressionWorkerCyclesPerVector(std::span<std::string_view const> ops, ValueType type, int operandsRead, bool inPlace);

/// The vertex: overheads of UnaryOp1D (20 + 6 x 17, in place 20 + 6 x 55; exp out of place 16 more per worker) plus 9 (in place 3) issue
/// cycles for each further operand's pointer, as in BinaryOp1D over UnaryOp1D. Work is spread over the workers in whole vectors.
ExprCost mapCost(std::span<std::string_view const> ops, ValueType type, std::int64_t elements, int operandsRead, bool inPlace);

/// Tile cycles of mapCost.
Cycles mapCycles(std::span<std::string_view const> ops, DType type, std::int64_t elements, int operandsRead, bool inPlace);

/// Whether the model has a cost for `op` on `type` in a map. Other operations count kUnpricedOpCycles per element, a compiled C++ loop
/// body.
bool isPricedOp(std::string_view op, ValueType type);
inline constexpr Cycles kUnpricedOpCycles = 10;

} // namespace tilewright::cost
