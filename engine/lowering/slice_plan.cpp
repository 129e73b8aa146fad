#include "engine/lowering/slice_plan.h"

#include "engine/lowering/plan_search.h"
#include "engine/program/cost/slice_cost.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tilewright::lowering {

namespace {

constexpr Bytes kAtomBytes = 8; ///< columns are cut at whole words of the data path

/// Number of offsets in one block of rows if they were spread evenly over the table.
std::int64_t expected(std::int64_t offsets, std::int64_t block, std::int64_t rows) { return ceilDiv(offsets * block, rows); }

struct Candidate {
    SlicePlan plan;
    Cycles total() const { return plan.gatherCycles + plan.updateCycles; }
    auto key() const { return std::tuple(total(), plan.tiles(), plan.partsRows, plan.partsIds); }
};

Candidate priced(SliceProblem const &p, SlicePlan plan, target::Chip const &chip)
{
    Bytes const element = sizeOf(p.type);
    auto const received = [&](std::int64_t bytes) { return ceilDiv(bytes, std::int64_t{chip.exchangeBytesPerCycle}); };
    std::int64_t const result = plan.blockIds * plan.blockCols, block = plan.blockRows * plan.blockCols;
    Cycles const ids = received(plan.blockIds * 4);
    if (p.gather) {
        std::int64_t const perWorker = ceilDiv(plan.blockIds, std::int64_t{chip.workers});
        cost::MultiSliceParams slice;
        slice.type = p.type;
        slice.rowElements = plan.blockCols;
        slice.offsets = perWorker;
        slice.inRange = expected(perWorker, plan.blockRows, p.rows);
        bool const stays = p.resident && plan.partsIds == 1;
        auto const sum = partialReduction(result, plan.partsRows, p.type, chip);
        plan.gatherCycles =
            ids + (stays ? 0 : received(block * element)) + cost::multiSliceCycles(slice) + sum.exchange + sum.compute + 2 * kStepOverhead;
    }
    if (p.update) {
        cost::MultiUpdateParams update;
        update.type = p.type;
        update.rowElements = plan.blockCols;
        update.offsets = plan.blockIds;
        update.inRange = ceilDiv(expected(plan.blockIds, plan.blockRows, p.rows), std::int64_t{chip.workers});
        update.scaled = false;
        auto const sum = partialReduction(block, plan.partsIds, p.type, chip);
        plan.updateCycles =
            ids + received(result * element) + cost::multiUpdateCycles(update) + sum.exchange + sum.compute + 2 * kStepOverhead;
    }
    plan.temporaryBytes = plan.blockIds * 4 + (result * (plan.partsRows > 1 ? 2 : 1) + block * (plan.partsIds > 1 ? 2 : 1)) * element;
    return {plan};
}

} // namespace

SlicePlan planSlices(SliceProblem const &p, target::Chip const &chip, double memoryProportion)
{
    std::int64_t const tiles = chip.tiles;
    std::int64_t const grain = std::max<std::int64_t>(1, kAtomBytes / sizeOf(p.type));
    std::int64_t const units = ceilDiv(p.cols, grain);
    std::optional<Candidate> best, smallest;
    for (std::int64_t cols : usefulSplits(units, tiles)) {
        for (std::int64_t rows : usefulSplits(p.rows, tiles / cols)) {
            for (std::int64_t ids : usefulSplits(p.ids, tiles / (cols * rows))) {
                SlicePlan plan;
                plan.blockIds = ceilDiv(p.ids, ids);
                plan.blockRows = ceilDiv(p.rows, rows);
                plan.blockCols = std::min(p.cols, ceilDiv(units, cols) * grain);
                plan.partsIds = ceilDiv(p.ids, plan.blockIds);
                plan.partsRows = ceilDiv(p.rows, plan.blockRows);
                plan.partsCols = ceilDiv(p.cols, plan.blockCols);
                plan.strideCols = 1;
                plan.strideIds = static_cast<std::int32_t>(plan.partsCols);
                plan.strideRows = static_cast<std::int32_t>(plan.partsCols * plan.partsIds);
                auto const candidate = priced(p, plan, chip);
                if (!smallest || candidate.plan.temporaryBytes < smallest->plan.temporaryBytes) smallest = candidate;
                bool const fits =
                    static_cast<double>(candidate.plan.temporaryBytes) <= memoryProportion * static_cast<double>(chip.bytesPerTile);
                if (fits && (!best || candidate.key() < best->key())) best = candidate;
            }
        }
    }
    return best ? best->plan : smallest->plan;
}

} // namespace tilewright::lowering
