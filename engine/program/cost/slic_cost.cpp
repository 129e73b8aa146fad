#include "engine/program/cost/matmul_cost.h"

#include <algorithm>
#include <array>

namespace tilewright::cost {

namespace {

/// Loop that decrements and branches: a taken branch stalls six cycles, the last one falls through.
constexpr Cycles loopCycles(std::int64_t count) { return 6 * (count - 1) + 1; }

/// Two chains with f16 partials: a separate codelet that merges two outputs at the end.
bool isHalf8(SlicParams const &p) { return p.chains == 2 && p.partials != ValueType::F32; }

Cycles weightLoadCycles(SlicParams const &p)
{
    if (p.in == ValueType::F8) return 32 + 6;
    Cycles cycles = 16;
    if (p.chansPerGroup == 4) return cycles + 18;
    Cycles const rearrange = (p.convGroupsPerGroup == 2 ? 12 : 10) + (p.convGroupsPerGroup > 4 ? 1 : 0);
    return cycles + 9 + 6 + kWorkers * rearrange + 6;
}

Cycles rowCycles(SlicParams const &p, std::int64_t n, bool zeroes)
{
    bool const half8 = isHalf8(p);
    Cycles cycles = 0;
    if (p.outputStride == 1) {
        if (n < (half8 ? 6 : 5)) {
            if (zeroes) cycles = 13 + (n > 1 ? n : 0);
            else if (n == 1) cycles = 7 + 6;
            else cycles = 7 + 1 + (n - 1) + 2 + (4 - n) + 2 + (3 - (4 - n)) + 3;
        } else {
            cycles = 15 + (n - 5) + (half8 && !zeroes ? 3 : 0);
        }
    } else {
        cycles = n < 3 ? 10 + (n == 1 ? 3 : 5) : 15 + 2 * (n - 3);
    }
    return cycles - (p.partials == ValueType::F32 ? 1 : 0);
}

Cycles rowCyclesQuarter(SlicParams const &p, std::int64_t n, bool zeroes)
{
    if (p.outputStride == 2) return n < 3 ? 6 + (n == 1 ? 3 : 6) : 13 + 2 * (n - 3);
    if (zeroes) {
        constexpr std::array<Cycles, 5> kShort{0, 3, 5, 9, 10};
        return n < 5 ? 8 + kShort[static_cast<std::size_t>(n)] : 14 + (n - 5);
    }
    constexpr std::array<Cycles, 5> kShort{0, 8, 10, 13, 13};
    return 18 + (n < 5 ? 2 + kShort[static_cast<std::size_t>(n)] : 12 + (n - 5));
}

Cycles innerCycles(SlicParams const &p, WorkerLoads const &loads, bool zeroes)
{
    bool const quarter = p.in == ValueType::F8;
    bool const half8 = isHalf8(p);
    Cycles const passes = !quarter && p.chains == 4 ? 1 : 2;
    Cycles const preamble =
        quarter ? 20 : 2 + (half8 ? 2 : 3) + 1 + 2 + 4 + 2 + 2 + 1 + (half8 ? 1 : 0) + (p.convGroupsPerGroup > 4 ? 4 : 0);
    auto const entry = [&](std::int64_t n) -> Cycles {
        if (quarter) return 24 + passes * rowCyclesQuarter(p, n, zeroes);
        return (half8 ? 9 : 10) + (zeroes ? 1 : 0) + (p.partials == ValueType::F32 ? 3 : 0) + passes * rowCycles(p, n, zeroes);
    };
    Cycles longest = 0;
    std::int64_t positions = 0;
    for (WorkerLoad const &load : loads) {
        longest = std::max(longest, preamble + load.sum(entry) + (half8 && !quarter ? 2 : 0));
        positions += load.positions();
    }
    return kWorkers * longest + (half8 && zeroes && !quarter ? 2 + 2 * positions : 0);
}

} // namespace

Cycles slicCycles(SlicParams const &p)
{
    WorkerLoads const loads = splitRows(p.rows, p.width);
    Cycles const load = weightLoadCycles(p);
    Cycles const first = innerCycles(p, loads, true);
    Cycles later = innerCycles(p, loads, false);
    if (p.in == ValueType::F8)
        return 43 + p.convGroupGroups * (93 + 36 + load + 48 + first + (p.subKernels - 1) * (36 + load + 38 + later));

    bool const half8 = isHalf8(p);
    Cycles groupBody = half8 ? 12 : 15;
    Cycles subBody = 0;
    if (p.convGroupsPerGroup <= 4) {
        subBody = load + (half8 ? 0 : 3) + 2 + (half8 ? 0 : 1) + 6 + 1 + 6 + 1;
    } else {
        std::int64_t const strides = p.convGroupsPerGroup / 4;
        subBody = (load + 21) * strides + loopCycles(strides) + 2 + 8 + 3 + 2;
        groupBody += 8;
        later *= strides;
    }
    return (half8 ? 25 : 28) + groupBody * p.convGroupGroups + loopCycles(p.convGroupGroups) + subBody * p.subKernels
        + loopCycles(p.subKernels) + p.convGroupGroups * (first + (p.subKernels - 1) * later);
}

} // namespace tilewright::cost
