#include "engine/program/cost/elementwise_cost.h"

#include "engine/core/text.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilewright::cost {

namespace {

using Form = OpCost::Form;

/// Entering a multi-vertex and starting its workers.
constexpr Cycles kSupervisor = 11;

Diagnostic noCodelet(OpTable table, std::string_view op, ValueType type, bool inPlace)
{
    std::string const where = std::string(op) + " of " + std::string(toText(type));
    std::vector<std::string> names;
    for (std::string_view name : opNames(table)) names.emplace_back(name);
    std::string const nearest = nearestName(op, names);
    bool const known = std::find(names.begin(), names.end(), canonicalOp(op)) != names.end();
    Message remedy;
    if (known) remedy = inPlace ? Message::of("Use the out-of-place form or another type.") : Message::of("Use another type.");
    else if (!nearest.empty()) remedy = Message::of("Did you mean '%1'?", nearest);
    else remedy = Message::of("Known: %1.", joinText(names, ", "));
    return makeError(ErrorKind::Invalid, "cost.no-codelet", where,
                     known ? Message::of("there is no codelet for this type") : Message::of("the operation is not known"), remedy);
}

Result<OpCost> findCost(OpTable table, std::string_view op, ValueType type, bool inPlace)
{
    if (std::optional<OpCost> const cost = opCost(table, op, type, inPlace)) return *cost;
    return noCodelet(table, op, type, inPlace);
}

Cycles unaryLoop(OpCost const &cost, ValueType type, std::int64_t n)
{
    if (cost.form == Form::Unrolled) return ceilDiv(n, cost.unroll) * cost.cycles;
    return basicLoopCycles(n, cost.form == Form::Vector ? type.vectorWidth() : 1, cost.cycles + 4);
}

/// Whole turns of a loop whose vector form adds `overhead`.
Cycles turnLoop(OpCost const &cost, ValueType type, std::int64_t n, Cycles overhead)
{
    if (cost.form == Form::Unrolled) return ceilDiv(n, cost.unroll) * cost.cycles;
    return ceilDiv(n, type.vectorWidth()) * (cost.cycles + overhead);
}

Cycles binaryOverhead(std::string_view op, ValueType type) { return hasHandWrittenLoop(canonicalOp(op), type) ? 2 : 5; }

Cycles broadcastOverhead(std::string_view op, ValueType type) { return hasHandWrittenLoop(canonicalOp(op), type) ? 1 : 4; }

} // namespace

Result<Cycles> unary1DCycles(std::string_view op, ValueType type, std::int64_t n, bool inPlace)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::Unary, op, type, inPlace));
    Cycles const entry = inPlace ? 55 : canonicalOp(op) == "exp" ? 33 : 17;
    return kSupervisor + 9 + kWorkers * (entry + unaryLoop(cost, type, ceilDiv(n, kWorkers)));
}

Result<Cycles> unary2DWorkerCycles(std::string_view op, ValueType type, std::span<std::int64_t const> regions, bool inPlace)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::Unary, op, type, inPlace));
    Cycles cycles = 20;
    for (std::int64_t n : regions) cycles += unaryLoop(cost, type, n);
    return cycles;
}

Result<Cycles> binary1DCycles(std::string_view op, ValueType type, std::int64_t n, bool inPlace)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::Binary, op, type, inPlace));
    Cycles const entry = inPlace ? 58 : type == ValueType::F32 ? 29 : 26;
    return kSupervisor + kWorkers * (entry + turnLoop(cost, type, ceilDiv(n, kWorkers), binaryOverhead(op, type)));
}

Result<Cycles> binary2DWorkerCycles(std::string_view op, ValueType type, std::span<std::int64_t const> regions, bool inPlace)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::Binary, op, type, inPlace));
    Cycles cycles = inPlace ? 20 : 5;
    for (std::int64_t n : regions) cycles += turnLoop(cost, type, n, binaryOverhead(op, type));
    return cycles;
}

Result<Cycles> broadcastScalar1DCycles(std::string_view op, ValueType type, std::int64_t n, bool inPlace)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::BroadcastScalar, op, type, inPlace));
    return kSupervisor + kWorkers * (20 + turnLoop(cost, type, ceilDiv(n, kWorkers), broadcastOverhead(op, type)));
}

Result<Cycles> broadcastScalar2Types1DCycles(std::string_view op, ValueType in, ValueType out, std::int64_t n)
{
    if (in == out) return broadcastScalar1DCycles(op, in, n);
    // The codelet computes in f32 whatever the types; one more cycle converts an f16 result.
    ValueType const type = ValueType::F32;
    TW_ASSIGN(OpCost const cost, findCost(OpTable::BroadcastScalar, op, type, false));
    Cycles const overhead = out == ValueType::F32 ? 0 : 1;
    return kSupervisor + kWorkers * (20 + turnLoop(cost, type, ceilDiv(n, kWorkers), overhead));
}

Result<Cycles> broadcastScalar2DWorkerCycles(std::string_view op, ValueType type, std::span<std::int64_t const> regions, bool inPlace,
                                             bool sameScalar)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::BroadcastScalar, op, type, inPlace));
    Cycles const overhead = sameScalar ? broadcastOverhead(op, type) : 4;
    Cycles cycles = 20;
    for (std::int64_t n : regions) cycles += 28 + turnLoop(cost, type, n, overhead);
    return cycles;
}

Result<Cycles> broadcastVectorOuterCycles(std::string_view op, ValueType type, std::int64_t rows, std::int64_t columns, bool byRow,
                                          bool allowMisaligned)
{
    TW_ASSIGN(OpCost const cost, findCost(OpTable::BroadcastScalar, op, type, false));
    if (!hasHandWrittenLoop(canonicalOp(op), type)) return noCodelet(OpTable::BroadcastScalar, op, type, false);
    std::int64_t const width = byRow ? columns : ceilDiv(columns, kWorkers);
    std::int64_t const turns = byRow ? ceilDiv(rows, kWorkers) : rows;
    Cycles const row = (allowMisaligned ? 25 : 7) + basicLoopCycles(width, type.vectorWidth(), cost.cycles + 1);
    return kSupervisor + kWorkers * (15 + turns * row);
}

Cycles selectWorkerCycles(std::span<std::int64_t const> regions)
{
    Cycles cycles = 5;
    for (std::int64_t n : regions) cycles += 6 + 5 * n;
    return cycles;
}

Cycles broadcastSelectorSelectWorkerCycles(ValueType type, std::span<std::int64_t const> rows)
{
    Cycles cycles = 12;
    for (std::int64_t n : rows) {
        Bytes const bytes = n * type.bytes();
        cycles += 35 + bytes / 4 + bytes % 4 * 5;
    }
    return cycles;
}

Cycles clampWorkerCycles(ValueType type, std::span<std::int64_t const> regions)
{
    Cycles cycles = 5;
    for (std::int64_t n : regions) {
        cycles += 6;
        if (type.isFloat()) cycles += basicLoopCycles(n, type.vectorWidth(), 2);
        else cycles += type == ValueType::I32 ? 7 * n : n;
    }
    return cycles;
}

Cycles iotaWorkerCycles(ValueType type, std::span<std::int64_t const> regions)
{
    Cycles cycles = 10;
    for (std::int64_t n : regions) cycles += 4 + 3 * ceilDiv(n, type.vectorWidth());
    return cycles;
}

Cycles oneHotCycles(ValueType index, ValueType out, std::int64_t indices)
{
    bool const assembly = (index == ValueType::U32 || index == ValueType::I32) && out == ValueType::F16;
    return assembly ? kSupervisor + 74 * indices : 100 * indices;
}

Cycles normaliseImageCycles(ValueType in, std::int64_t pixels)
{
    std::int64_t const share = ceilDiv(pixels, kWorkers);
    if (in == ValueType::U8) return kWorkers * (29 + 8 * share);
    return kWorkers * (52 + (in == ValueType::F32 ? 17 : 11) * share);
}

Cycles hasNaN1DCycles(ValueType type, std::int64_t n, bool alsoInfinite)
{
    bool const isFloat = type == ValueType::F32;
    std::int64_t const share = ceilDiv(n, kWorkers);
    Cycles loop = isFloat ? 10 : 12;
    if (isFloat || !alsoInfinite) {
        bool const further = isFloat == alsoInfinite; // f32 checks both, or f16 checks NaN only
        loop += (further ? 3 : 2) * (share / 4) + (share & 2 ? 2 : 0) + (share & 1);
    } else {
        loop += 2 * (share / 8) + (share & 4 ? 2 : 0) + (share & 2 ? 2 : 0) + (share & 1 ? 2 : 0);
    }
    return 24 + kWorkers * (17 + loop + (alsoInfinite ? 1 : 0) + (isFloat ? 7 : 11));
}

namespace {

/// Pipelined conversion loops of the 8-bit types: atoms, then a remainder of up to three elements.
struct AtomLoop {
    std::int64_t atom = 4;
    Cycles fill = 0; ///< first atom
    Cycles perAtom = 0;
    Cycles rest[3] = {0, 0, 0}; ///< 1, 2, 3 left; beyond three, rest[0] each
    Cycles cycles(std::int64_t n) const
    {
        std::int64_t const atoms = n / atom;
        std::int64_t const left = n % atom;
        Cycles const loop = atoms > 0 ? fill + (atoms - 1) * perAtom : 0;
        if (left == 0) return loop + 2;
        return loop + (left <= 3 ? rest[left - 1] : rest[0] * left);
    }
};

bool isByte(ValueType type) { return type == ValueType::I8 || type == ValueType::U8; }

Cycles castWorker(ValueType from, ValueType to, std::int64_t n)
{
    if (to == ValueType::I64 || to == ValueType::U64) {
        bool const isSigned = from == ValueType::I32 || from == ValueType::I16 || from == ValueType::I8;
        return 3 + n * (isSigned ? 5 : 4);
    }
    if (from == ValueType::U8 && to == ValueType::F16) return 4 + AtomLoop{4, 14, 9, {12, 14, 22}}.cycles(n);
    if (from == ValueType::F16 && isByte(to)) return 4 + 4 + AtomLoop{4, 19, 16, {14, 21, 29}}.cycles(n);
    if (from == ValueType::F8 && isByte(to)) return 4 + AtomLoop{8, 0, 28, {5, 5, 5}}.cycles(n);
    if (isByte(from) && to == ValueType::F8) return 4 + AtomLoop{8, 0, 37, {7, 7, 7}}.cycles(n);
    if (from == ValueType::F8 && to == ValueType::F8) return 4 + AtomLoop{8, 0, 13, {5, 5, 5}}.cycles(n);

    bool const half = from == ValueType::F16 || to == ValueType::F16;
    bool const quarter = from == ValueType::F8 || to == ValueType::F8;
    bool const auxiliary = (quarter && half) || (from.isFloat() && to.isFloat());
    std::int64_t const load = from.vectorWidth();
    std::int64_t const store = to.vectorWidth();
    // Two read ports, one write port; other conversions are compiled code, one element at a time.
    std::int64_t const width = auxiliary ? std::min(2 * load, store) : 1;
    Cycles const perVector = std::max(width / std::min(width, load), width / std::min(width, store)) + (auxiliary ? 0 : 1);
    Cycles cycles = 19 + perVector * (n / width);
    for (std::int64_t bit = 1; bit < width; bit *= 2) cycles += n % width & bit ? 3 : 1;
    return cycles;
}

} // namespace

Cycles cast1DCycles(ValueType from, ValueType to, std::int64_t n)
{
    return 12 + kWorkers * (18 + castWorker(from, to, ceilDiv(n, kWorkers)));
}

Cycles cast1DSingleWorkerCycles(ValueType from, ValueType to, std::int64_t n) { return 5 + castWorker(from, to, n); }

Cycles cast2DWorkerCycles(ValueType from, ValueType to, std::span<std::int64_t const> regions)
{
    Cycles cycles = 5;
    for (std::int64_t n : regions) cycles += 11 + castWorker(from, to, n);
    return cycles;
}

Cycles fillWorkerCycles(ValueType type, std::int64_t n)
{
    switch (type.bytes()) {
    case 8: return 5 + n;
    case 1: return n < 64 ? 28 + n / 4 : 39 + n / 8;
    default: break;
    }
    if (type == ValueType::F16) return n == 1 ? 15 : n == 2 ? 21 : 26 + n / 4;
    return 16 + n / 2 + 6 + n % 2 + 1;
}

Cycles fill2DWorkerCycles(ValueType type, std::span<std::int64_t const> regions)
{
    bool const isHalf = type == ValueType::F16;
    bool const wide = type.bytes() == 8;
    Cycles cycles = 5 + (wide || isHalf ? 0 : 1);
    // The 1D form loads its own state; per region three cycles take the place of those five or six.
    for (std::int64_t n : regions) cycles += fillWorkerCycles(type, n) - (wide || isHalf ? 2 : 3);
    return cycles;
}

namespace {

/// f16 data with f32 scales: one worker's part of aX + bY.
Cycles axpbyMixedCore(std::int64_t count)
{
    Cycles cycles = 4 + 1;
    if (count > 4) {
        std::int64_t const rest = count - 4;
        cycles += 11 + std::max<std::int64_t>(0, rest / 2 - 1) * 5 + 4 + (rest % 2 ? 9 : 0);
        return cycles;
    }
    cycles += 1;
    if (count == 1) cycles += 14;
    else if (count == 2) cycles += 13;
    else if (count == 3) cycles += 22;
    return cycles;
}

Cycles axpbyMixed(ScaledAddParams const &p)
{
    Cycles supervisor =
        (p.memoryConstrained ? 7 : 1) + (p.scaledPointers ? 12 : 6) + 10 + 15 * kWorkers + 14 + 28 + (p.scaledPointers ? 2 : 0);
    std::int64_t const count = p.n / kWorkers / 2 * 2;
    std::int64_t const last = p.n % kWorkers;
    std::int64_t const rest = p.n / kWorkers % kWorkers + ceilDiv(last, 2);
    if (last == 0) supervisor += 5;
    Cycles longest = 0;
    for (std::int64_t worker = 0; worker < kWorkers; ++worker) {
        std::int64_t const own = count + (worker <= rest ? 2 : 0) + (worker == rest ? last : 0);
        longest = std::max(longest, 19 + axpbyMixedCore(own) + (worker == rest ? 1 : 0));
    }
    return supervisor + kWorkers * longest;
}

bool isAxBy(ScaledOp op) { return op == ScaledOp::AxPlusBy || op == ScaledOp::AxMinusBy; }

/// The worker that also does the elements beyond the last whole vector.
Cycles scaledRemainder(ValueType a, std::int64_t rest)
{
    if (rest == 0) return 0;
    if (a == ValueType::F32) return 8;
    return 5 + (rest >= 2 ? 7 : 0) + (rest == 3 ? 6 : 0);
}

} // namespace

Cycles scaledAdd1DCycles(ScaledAddParams const &p)
{
    if (!p.a.isFloat()) return 53 + 26 * (p.n / 3) + (p.op == ScaledOp::Subtract ? 1 : 0) + 6 + 26 * (p.n % 3) + 14;
    bool const mixedScale = p.a == ValueType::F16 && p.scale == ValueType::F32;
    if (isAxBy(p.op) && mixedScale) return axpbyMixed(p);

    std::int64_t const vectors = p.n / p.a.vectorWidth();
    std::int64_t const rest = p.n % p.a.vectorWidth();
    std::int64_t const each = vectors / kWorkers;
    std::int64_t const extra = vectors % kWorkers; // also the number of the worker that does the rest

    Cycles supervisor = 21 + (p.scaledPointers ? 6 : 0) + kSupervisor + (rest == 0 ? 7 : 13) + 12 + 6;
    if (p.op == ScaledOp::AxPlusBy) supervisor += 12 + (p.scaledPointers ? 2 : 0);
    if (p.op == ScaledOp::Subtract) supervisor += 7;

    Cycles longest = 0;
    if (p.a == ValueType::F16 && p.b == ValueType::F32) {
        if (p.op == ScaledOp::Subtract) supervisor += 1;
        for (std::int64_t worker = 0; worker <= extra; ++worker) {
            std::int64_t const own = each + (worker < extra ? 1 : 0);
            Cycles cycles = 16 + (own > 0 ? 9 + 5 * (own - 1) : 0) + 2 + 1;
            if (worker == extra) cycles += 1 + (rest > 0 ? 4 + (rest >= 2 ? 5 : 0) + (rest % 2 ? 6 : 0) : 0);
            longest = std::max(longest, cycles);
        }
    } else if (p.a == ValueType::F32 && isAxBy(p.op)) {
        longest = 16 + (each > 0 ? 6 + 3 * (each - 1) : 0) + 1 + (rest > 0 ? 5 : 0) + 1;
    } else {
        // A constrained loop of 16 turns or more is software-pipelined to one cycle.
        Cycles const inner = p.memoryConstrained ? (each >= 16 ? 1 : 2) : p.a == p.b ? 3 : 4;
        longest = 15 + (each > 0 ? 6 + inner * (each - 1) : 0) + 2 + 1 + scaledRemainder(p.a, rest) + 1;
    }
    return supervisor + kWorkers * longest;
}

Cycles scaledAdd2DWorkerCycles(ScaledAddParams const &p, std::span<std::int64_t const> regions)
{
    if (!p.a.isFloat()) {
        Cycles cycles = 9 + (p.op == ScaledOp::Subtract ? 1 : 0);
        for (std::int64_t n : regions) cycles += 7 + 5 * n;
        return cycles;
    }
    if (isAxBy(p.op) && p.a == ValueType::F16 && p.scale == ValueType::F32) {
        Cycles cycles = (p.memoryConstrained ? 2 : 1) + 21;
        Cycles const perRow = 2 + 2 + (p.scaledPointers ? 2 : 1);
        for (std::int64_t n : regions) cycles += perRow * axpbyMixedCore(n);
        return cycles;
    }
    bool const floatAxBy = isAxBy(p.op) && p.a == ValueType::F32;
    Cycles const inner = p.memoryConstrained && !floatAxBy ? 2 : 3;
    std::int64_t const width = p.a.vectorWidth();
    Cycles cycles = 10 + (p.op == ScaledOp::Subtract ? 2 : 0) + (p.op == ScaledOp::AxPlusBy ? 6 : 0);
    for (std::int64_t n : regions) {
        std::int64_t const vectors = n / width;
        std::int64_t const rest = n % width;
        cycles += 15 + (vectors > 0 ? 5 : 0) + vectors * inner;
        if (p.a == ValueType::F32) cycles += rest > 0 ? 7 : 0;
        else cycles += (rest > 0 ? 4 : 0) + (rest >= 2 ? 6 : 0) + (rest % 2 ? 7 : 0);
    }
    return cycles;
}

Cycles scalarMultiply1DCycles(std::int64_t n)
{
    constexpr std::int64_t kTurn = 4;
    Cycles longest = 0;
    for (std::int64_t worker = 0; worker < kWorkers; ++worker) {
        std::int64_t const turns = (n + kTurn * (kWorkers - 1 - worker)) / (kTurn * kWorkers);
        std::int64_t const block = n % (kTurn * kWorkers);
        std::int64_t const rest = block > 0 && (block - 1) / kTurn == worker ? n % kTurn : 0;
        Cycles cycles = 1 + (turns > 0 ? 7 + 5 * (turns - 1) : 0) + 1;
        if (rest > 0) cycles += 7 + (rest > 1 ? 5 : 0) + (rest % 2 ? 6 : 0);
        longest = std::max(longest, cycles);
    }
    return kWorkers * (50 + longest + 1);
}

} // namespace tilewright::cost
