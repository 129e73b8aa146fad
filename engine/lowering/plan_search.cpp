#include "engine/lowering/plan_search.h"

#include "engine/program/cost/matmul_cost.h"

namespace tilewright::lowering {

namespace {

Cycles reduceCycles(std::int64_t elements, std::int64_t depth, DType partials)
{
    if (depth <= 1) return 0;
    cost::ReduceAddParams params;
    params.partials = partials;
    params.out = partials;
    params.outputs = std::max<std::int64_t>(1, elements);
    params.partialCount = depth - 1;
    params.singleInput = true;
    params.interleaved = true;
    return cost::reduceAddCycles(params);
}

} // namespace

std::vector<std::int64_t> usefulSplits(std::int64_t extent, std::int64_t limit)
{
    std::vector<std::int64_t> splits;
    std::int64_t last = -1;
    for (std::int64_t parts = 1; parts <= std::min(extent, limit); ++parts) {
        std::int64_t const size = ceilDiv(extent, parts);
        if (size == last) continue;
        last = size;
        splits.push_back(parts);
    }
    return splits;
}

ReduceCost partialReduction(std::int64_t elements, std::int64_t depth, DType partials, target::Chip const &chip)
{
    ReduceCost cost;
    if (depth <= 1) return cost;
    std::int64_t remaining = depth;
    std::int64_t share = elements;
    auto stages = cost::reduceStagePlan(depth);
    stages.push_back(1);
    for (std::int64_t to : stages) {
        std::int64_t const inputs = ceilDiv(remaining, to);
        // The tiles of this stage share the elements: before it `remaining` tiles hold each sum, after it `to`.
        std::int64_t const outputs = std::max<std::int64_t>(ceilDiv(elements, std::max<std::int64_t>(1, depth / to)), 4);
        share = outputs;
        cost.exchange += ceilDiv(inputs * share * sizeOf(partials), chip.exchangeBytesPerCycle) + kStepOverhead;
        cost.compute += reduceCycles(share, inputs, partials);
        remaining = to;
    }
    return cost;
}

} // namespace tilewright::lowering
