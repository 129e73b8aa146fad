#include "engine/program/cost/elementwise_cost.h"

#include "engine/core/text.h"

namespace tilewright::cost {

namespace {

/// An f32 division takes one or three cycles by its operands; the library plans with three.
constexpr Cycles kDivide = 3;

Cycles floatCore(std::int64_t length, std::int64_t blocks) { return blocks == 0 ? 2 : 2 + 5 + length * (8 + 2 * blocks); }

Cycles halfAddCore(std::int64_t length, std::int64_t blocks)
{
    if (blocks == 0) return 1;
    // Elements one by one; misaligned ones cost ten cycles, aligned ones eight.
    Cycles const scalar = 5 + length * (5 + blocks * 9) + 1;
    if (length > 2048) return 3 + scalar;
    if (length % 8 == 0) return 5 + 2 + (blocks == 1 ? 3 + 7 * (length / 8) + 1 : 4 + length / 8 * (15 + 2 * (blocks - 1)) + 1);
    if (blocks < 2) return 7 + scalar;
    if (length % 4 == 0) return 9 + 5 + length / 4 * (13 + 2 * (blocks / 2 - 1) + blocks % 2) + 1;
    return 9 + scalar;
}

Cycles halfMultiplyCore(std::int64_t length, std::int64_t blocks, bool inPlace)
{
    if (length % 4 != 0) return 3 + 4 + length * (5 + blocks * 9) + 1;
    Cycles const plain = 3 + length / 4 * (7 + 2 * blocks) + 1; // loads and stores take turns
    if (inPlace) return 5 + plain;
    if (length > 2044) return 7 + plain;
    if (blocks < 2) return 9 + plain;
    return 9 + 3 + length / 4 * (9 + blocks) + 1; // loads and stores overlap
}

Cycles floatDivideCore(std::int64_t length, std::int64_t blocks)
{
    if (blocks == 0) return 2;
    if (length % 2) return 2 + 5 + 2 + length * (3 + (blocks - 1) * (kDivide + 1) + kDivide + 3);
    return 2 + 5 + 3 + length / 2 * (2 + kDivide + (blocks - 1) * 2 * kDivide + kDivide + 3);
}

Cycles halfDivideCore(std::int64_t length, std::int64_t blocks)
{
    if (blocks == 0) return 2;
    Cycles const pair = 2 + 2 * kDivide;
    if (length == 1) {
        Cycles const cycles = 2 + 7;
        if (blocks == 1) return cycles + 7 + 2 + kDivide + 3;
        return cycles + 10 + 2 * kDivide + (blocks / 2 - 1) * pair + 3 + (blocks % 2 ? 2 + kDivide + 3 : 0);
    }
    if (length % 2) {
        std::int64_t const turns = length / 2 - 1;
        Cycles const even = 3 + 2 * kDivide + turns * (3 + 2 * kDivide) + 3;
        Cycles const odd = 5 + 2 * kDivide + 1 + turns * (4 + 2 * kDivide) + 3 + 2 * kDivide + 3;
        return 2 + 8 + blocks / 2 * (even + odd) + (blocks % 2 ? even + 2 + kDivide + 3 : 0);
    }
    return 2 + 8 + length / 2 * (3 + 2 * kDivide + (blocks - 1) * pair + 4) + 4;
}

} // namespace

Result<Cycles> broadcastVectorInner1DCycles(std::string_view op, ValueType type, std::int64_t length, std::int64_t repetitions,
                                            std::int64_t slices, bool inPlace)
{
    std::string_view const name = canonicalOp(op);
    bool const isFloat = type == ValueType::F32;
    bool const known = name == "add" || name == "subtract" || name == "multiply" || name == "divide";
    if (!type.isFloat() || !known)
        return makeError(ErrorKind::Invalid, "cost.no-codelet", std::string(op) + " of " + std::string(toText(type)),
                         Message::of("there is no vector-inner codelet for it"),
                         Message::of("Use add, subtract, multiply or divide of f16 or f32."));

    std::int64_t const blocks = ceilDiv(repetitions, kWorkers);
    Cycles const oddLength = !isFloat && length % 2 ? 7 : 0; // workers split a shared word
    Cycles const entry = (isFloat ? 17 : 19) + oddLength;
    Cycles const perSlice = slices > 1 ? 17 : 0;
    if (name == "divide") {
        Cycles const core = isFloat ? floatDivideCore(length, blocks) : halfDivideCore(length, blocks);
        return 13 + kWorkers * ((isFloat ? 19 : 24) + slices * (perSlice + core)) + 1 + (inPlace ? 2 : 4);
    }
    if (name == "multiply") {
        Cycles const core = isFloat ? floatCore(length, blocks) : halfMultiplyCore(length, blocks, inPlace);
        return 13 + kWorkers * (isFloat ? 17 : 24) + kWorkers * (entry + slices * (perSlice + core))
            + (inPlace ? 6 + kWorkers * 3 : kWorkers * 2);
    }
    Cycles const core = isFloat ? floatCore(length, blocks) : halfAddCore(length, blocks);
    bool const shortEntry = inPlace && name == "add";
    return 13 + kWorkers * (entry + slices * (perSlice + core)) + (shortEntry ? kWorkers * 2 : 6 + kWorkers * 3);
}

} // namespace tilewright::cost
