#include "engine/program/cost/sort_cost.h"

#include <algorithm>
#include <bit>

namespace tilewright::cost {

Cycles heapSortWorkerCycles(std::int64_t n, bool withValues)
{
    if (n <= 0) return 0;
    std::int64_t const depth = std::bit_width(static_cast<std::uint64_t>(n)) - 1;
    return (withValues ? 16 : 8) * (19 * n * depth + 6 * n + 2);
}

namespace {

/// The codelet's loop constants by kind of key and value. All except f32 with keys are compiled code.
struct SwapCosts {
    Cycles inner, firstInner, outer, firstOuter, item, entry;
};

SwapCosts swapCosts(BitonicStepParams const &p)
{
    bool const isFloat = p.key.isFloat();
    if (!p.withValues) return isFloat ? SwapCosts{13, 13, 13, 3, 17, 40} : SwapCosts{12, 12, 17, 3, 22, 42};
    if (p.valuesAreSecondKey) return isFloat ? SwapCosts{25, 25, 24, 6, 30, 45} : SwapCosts{27, 27, 25, 7, 30, 49};
    return isFloat ? SwapCosts{11, 8, 11, 11, 4, 23} : SwapCosts{17, 17, 22, 5, 30, 43};
}

} // namespace

Cycles bitonicStepCycles(BitonicStepParams const &p)
{
    SwapCosts const costs = swapCosts(p);
    Cycles worker = costs.entry;
    if (p.elementsPerItem > 0) {
        std::int64_t const run = std::min(p.distance, p.elementsPerItem);
        std::int64_t const outer = 1 + ceilDiv(p.elementsPerItem - run, p.distance);
        std::int64_t const turns = p.elementsPerItem / p.distanceToChangeOrder;
        worker += p.items
            * (costs.item + costs.firstInner + (p.elementsPerItem - 1) * costs.inner + costs.firstOuter + (outer - 1) * costs.outer
               + 2 * turns);
    }
    return 19 + kWorkers * worker;
}

Cycles transposeCycles(ValueType type, std::int64_t blocks, std::int64_t rows, std::int64_t columns)
{
    bool const wide = type.bytes() >= 4;
    std::int64_t const grain = wide ? 2 : 4;
    Cycles const perGrain = wide ? 3 : 4;
    std::int64_t const rowGrains = ceilDiv(rows, grain);
    std::int64_t const columnGrains = ceilDiv(columns, grain);
    std::int64_t const share = ceilDiv(blocks, kWorkers);
    Cycles worker = 0;
    if (rowGrains == 1 && columnGrains == 1) worker = share == 1 ? 29 : 37 + (share - 2) * perGrain;
    else if (columnGrains == 1) worker = 27 + share * (35 + perGrain * (rowGrains - 2));
    else worker = 29 + share * (18 + rowGrains * (12 + perGrain * (columnGrains - 2)));
    return 7 + kWorkers * worker;
}

} // namespace tilewright::cost
