#include "engine/program/cost/map_cost.h"

#include "engine/program/cost/op_table.h"

#include <algorithm>
#include <array>
#include <optional>

namespace tilewright::cost {

namespace {

/// Contribution of one operation to a fused loop, per 64-bit vector.
struct Part {
    Cycles arithmetic = 0;
    Cycles overhead = 0;
    int arity = 1;
};

/// Cycles per vector of the operations in fused maps that have no elementwise table entry.
struct Extra {
    std::string_view op;
    Cycles f16, f32, other;
    int arity;
};
// gelu and swish: poplibs lib/popnn/PerformanceEstimation.hpp; cast: one vector a cycle; select: one move
// per element; clamp: the loop of its own codelet; leaky_relu: scale, compare, blend.
constexpr std::array<Extra, 8> kExtras{{
    {"gelu", 5, 10, 10, 1},
    {"swish", 5, 11, 11, 1},
    {"silu", 5, 11, 11, 1},
    {"cast", 1, 1, 2, 1},
    {"select", 4, 2, 2, 3},
    {"clamp", 2, 2, 6, 1},
    {"leaky_relu", 3, 3, 6, 1},
    {"identity", 0, 0, 0, 1},
}};

std::optional<Part> tablePart(std::string_view name, ValueType type, bool inPlace)
{
    bool unary = true;
    std::optional<OpCost> cost = opCost(OpTable::Unary, name, type, inPlace);
    if (!cost) {
        unary = false;
        cost = opCost(OpTable::Binary, name, type, inPlace);
    }
    if (!cost) {
        cost = opCost(OpTable::BroadcastScalar, name, type, inPlace); // only 1/std <-> variance reaches this line
        if (!cost) return std::nullopt;
    }
    std::int64_t const width = type.vectorWidth();
    int const arity = unary ? 1 : 2;
    switch (cost->form) {
    case OpCost::Form::Unrolled: {
        Cycles const total = ceilDiv(cost->cycles * width, cost->unroll);
        Cycles const overhead = std::min<Cycles>(arity, total - 1);
        return Part{total - overhead, overhead, arity};
    }
    case OpCost::Form::Vector: return Part{cost->cycles, unary ? 4 : hasHandWrittenLoop(name, type) ? 2 : 5, arity};
    case OpCost::Form::Scalar: return Part{cost->cycles * width, 4 * width, arity};
    case OpCost::Form::None: break;
    }
    return std::nullopt;
}

std::optional<Part> pricedPart(std::string_view op, ValueType type, bool inPlace)
{
    std::string_view const name = canonicalOp(op);
    for (Extra const &extra : kExtras) {
        if (extra.op != name) continue;
        Cycles const cycles = type == ValueType::F16 ? extra.f16 : type == ValueType::F32 ? extra.f32 : extra.other;
        return Part{cycles, extra.arity, extra.arity};
    }
    if (std::optional<Part> const part = tablePart(name, type, inPlace)) return part;
    // A predicate cannot overwrite its operand; its result has separate storage.
    return inPlace ? tablePart(name, type, false) : std::nullopt;
}

Part partOf(std::string_view op, ValueType type, bool inPlace)
{
    if (std::optional<Part> const part = pricedPart(op, type, inPlace)) return *part;
    return Part{kUnpricedOpCycles * type.vectorWidth(), 1, 1};
}

Part partInRegisters(std::string_view op, ValueType type)
{
    Part const a = partOf(op, type, false);
    Part const b = partOf(op, type, true);
    return a.arithmetic + a.overhead <= b.arithmetic + b.overhead ? a : b;
}

} // namespace

Cycles expressionWorkerCyclesPerVector(std::span<std::string_view const> ops, ValueType type, int operandsRead, bool inPlace)
{
    Cycles arithmetic = 0;
    Part heaviest; // the operation that determines loads, stores and loop control of the chain
    for (std::size_t i = 0; i < ops.size(); ++i) {
        Part const part = i + 1 == ops.size() ? partOf(ops[i], type, inPlace) : partInRegisters(ops[i], type);
        arithmetic += part.arithmetic;
        if (part.overhead > heaviest.overhead) heaviest = part;
    }
    Cycles const memory = heaviest.overhead + (operandsRead - heaviest.arity);
    return arithmetic + std::max<Cycles>(1, memory);
}

ExprCost mapCost(std::span<std::string_view const> ops, ValueType type, std::int64_t elements, int operandsRead, bool inPlace)
{
    ExprCost cost;
    cost.perVector = expressionWorkerCyclesPerVector(ops, type, operandsRead, inPlace);
    std::int64_t const vectors = ceilDiv(ceilDiv(elements, kWorkers), type.vectorWidth());
    bool const exponent = !inPlace && std::any_of(ops.begin(), ops.end(), [](std::string_view op) { return canonicalOp(op) == "exp"; });
    Cycles const entry = inPlace ? 55 + 3 * (operandsRead - 1) : (exponent ? 33 : 17) + 9 * (operandsRead - 1);
    cost.worker = entry + vectors * cost.perVector;
    cost.tile = 20 + kWorkers * cost.worker;
    return cost;
}

Cycles mapCycles(std::span<std::string_view const> ops, DType type, std::int64_t elements, int operandsRead, bool inPlace)
{
    return mapCost(ops, type, elements, operandsRead, inPlace).tile;
}

bool isPricedOp(std::string_view op, ValueType type) { return pricedPart(op, type, false).has_value(); }

} // namespace tilewright::cost
