#pragma once

#include "engine/program/cost/value_type.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tilewright::cost {

/// Cycles of one inner-loop iteration of an elementwise operation. Three patterns (poplibs lib/popops/popopsCycleEstimators.hpp):
/// `Unrolled` handles `unroll` elements without additions; `Vector` handles one 64-bit vector and `Scalar` one element, and the codelet
/// adds loads, stores and loop control to both.
struct OpCost {
    enum class Form : std::uint8_t { None, Scalar, Vector, Unrolled };
    Form form = Form::None;
    std::int16_t cycles = 0;
    std::int8_t unroll = 0;
    bool operator==(OpCost const &) const = default;
};

enum class OpTable { Unary, Binary, BroadcastScalar };

/// Cost of `op` ("exp", "add" …; also aliases such as "sub") on `type`; nullopt if the library has no such codelet. Data-dependent
/// operations have the average of the library's simulations.
std::optional<OpCost> opCost(OpTable table, std::string_view op, ValueType type, bool inPlace);

/// The table's name of an operation: "sub" -> "subtract". Returns unknown names unchanged.
std::string_view canonicalOp(std::string_view op);

/// Names of a table's operations, each once, in table order.
std::span<std::string_view const> opNames(OpTable table);

/// add, subtract and multiply of f16 and f32 are hand-written, with less loop overhead than the generic form.
bool hasHandWrittenLoop(std::string_view canonicalOp, ValueType type);

} // namespace tilewright::cost
