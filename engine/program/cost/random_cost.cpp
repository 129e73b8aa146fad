#include "engine/program/cost/random_cost.h"

namespace tilewright::cost {

namespace {

/// The library's loop price: cycles x (n + width - 1) / width, divided last.
Cycles loop(std::int64_t n, std::int64_t width, Cycles perVector) { return perVector * (n + width - 1) / width; }

/// The library divides the 64-bit path by 2 or 4 here, not by the element size: 32 f32 or 16 f16.
std::int64_t wideVector(bool isHalf) { return isHalf ? 16 : 32; }

} // namespace

Cycles uniformCycles(ValueType type, std::int64_t n)
{
    if (!type.isFloat()) return 4 + 22 * kWorkers + 6 * (n / 2) + n % 2 * 2;
    bool const isHalf = type == ValueType::F16;
    std::int64_t const width = wideVector(isHalf);
    return 4 + (isHalf ? 24 : 22) * kWorkers + loop(n, width, 4) + (n % width ? (isHalf ? 12 : 4) : 0);
}

Cycles normalCycles(ValueType type, std::int64_t n)
{
    bool const isHalf = type == ValueType::F16;
    std::int64_t const width = isHalf ? 4 : 2;
    return 4 + (isHalf ? 24 : 22) * kWorkers + loop(n, width, 4) + (n % width ? (isHalf ? 12 : 3) : 0);
}

Cycles truncatedNormalCycles(ValueType type, std::int64_t n, std::int64_t iterations)
{
    bool const isHalf = type == ValueType::F16;
    std::int64_t const width = isHalf ? 4 : 2;
    Cycles const perVector = (isHalf ? 12 : 11) * iterations + 5;
    Cycles const rest = isHalf ? 12 * iterations + 10 : 13 * iterations + 2;
    return 4 + (isHalf ? 28 : 26) * kWorkers + loop(n, width, perVector) + (n % width ? rest : 0);
}

Cycles bernoulliCycles(ValueType type, std::int64_t n)
{
    bool const isHalf = type == ValueType::F16;
    std::int64_t const width = wideVector(isHalf);
    return 4 + (isHalf ? 21 : 23) * kWorkers + loop(n, width, 1) + (n % width ? (isHalf ? 9 : 1) : 0);
}

Cycles dropoutCycles(ValueType type, std::int64_t n)
{
    bool const isHalf = type == ValueType::F16;
    std::int64_t const width = isHalf ? 4 : 2;
    return 6 + 24 * kWorkers + loop(n, width, 2) + (n % width ? (isHalf ? 9 : 1) : 0);
}

Cycles setSeedCycles() { return 14 + 27 * kWorkers; }

} // namespace tilewright::cost
