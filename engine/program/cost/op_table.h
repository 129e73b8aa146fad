#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tilewright::cost {

/// Cycles of one turn of the inner loop of an elementwise operation. Three patterns (poplibs
/// lib/popops/popopsCycleEstimators.hpp): `Unrolled` handles `unroll` elements with nothing to add;
/// `Vector` handles one 64-bit vector and `Scalar` one element, to both of which the codelet adds its
/// loads, stores and loop control.
struct OpCost {
    enum class Form : std::uint8_t { None, Scalar, Vector, Unrolled };
    Form form = Form::None;
    std::int16_t cycles = 0;
    std::int8_t unroll = 0;
    bool operator==(OpCost const &) const = default;
};

enum class OpTable { Unary, Binary, BroadcastScalar };

/// Cost of `op` ("exp", "add" …; aliases such as "sub" are known) on `type`, or nothing when the library
/// has no such codelet. Data-dependent operations carry the average of the library's simulations.
std::optional<OpCost> opCost(OpTable table, std::string_view op, ValueType type, bool inPlace);

/// The table's own name of an operation: "sub" -> "subtract". Unknown names come back unchanged.
std::string_view canonicalOp(std::string_view op);

/// Names of a table's operations, each once, in table order.
std::span<std::string_view const> opNames(OpTable table);

/// add, subtract and multiply of f16 and f32 are hand-written: less loop overhead than the generic form.
bool hasHandWrittenLoop(std::string_view canonicalOp, ValueType type);

} // namespace tilewright::cost
