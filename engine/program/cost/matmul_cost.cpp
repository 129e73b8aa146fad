#include "engine/program/cost/matmul_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilewright::cost {

namespace {

/// Longest and shortest worker of a vertex, in issue cycles.
struct Extremes {
    Cycles longest = 0;
    Cycles shortest = std::numeric_limits<Cycles>::max();
    void add(Cycles worker)
    {
        longest = std::max(longest, worker);
        shortest = std::min(shortest, worker);
    }
};

/// Applies `workerCycles(positions)` to every distinct share and collects the extremes.
template <typename F> Extremes overShares(Conv1x1Params const &params, F &&workerCycles)
{
    Extremes extremes;
    if (params.perWorker.empty()) {
        EvenSpread const spread = spreadEvenly(params.positions);
        extremes.add(workerCycles(spread.largest));
        extremes.add(workerCycles(spread.smallest));
    } else {
        for (std::int64_t positions : params.perWorker) extremes.add(workerCycles(positions));
        // Contexts without a work list finish immediately.
        if (static_cast<std::int64_t>(params.perWorker.size()) < kWorkers) extremes.add(0);
    }
    return extremes;
}

/// True for the codelet shared by f16 and f32 partials (all except f16 partials on eight units).
bool sharedPath(Conv1x1Params const &p) { return (p.in != ValueType::F32 && p.convUnits == 16) || p.partials == ValueType::F32; }

/// Worker cycles saved by state kept between calls: total, and per input group after the first.
struct Retention {
    Cycles total = 0;
    Cycles perInput = 0;
};
Retention retention1x1(Conv1x1Params const &p)
{
    if (p.in == ValueType::F16 && (p.partials == ValueType::F32 || p.convUnits == 16)) return {7, 3};
    return {};
}

Cycles worker1x1(Conv1x1Params const &p, std::int64_t n, bool zeroes)
{
    Cycles const zero = zeroes ? 1 : 0;
    Cycles cycles = 0;
    if (p.in == ValueType::F32) {
        Cycles const zeroing = p.convUnits == 16 ? 8 : p.partials == ValueType::F32 ? 4 : 2;
        if (n == 0) cycles = 24;
        else if (n == 1) cycles = 47 + zero * (2 + zeroing);
        else if (n == 2) cycles = 46 + zero * (2 + 2 * zeroing);
        else cycles = 46 + zero * (2 + zeroing * n) + 8 * (n - 3);
    } else if (sharedPath(p)) {
        Cycles const entry = zeroes ? 1 : 2;
        if (n == 0) cycles = 20 + entry;
        else if (n == 1) cycles = 31 + entry;
        else if (n == 2) cycles = 40 + entry;
        else cycles = 36 + entry + 4 * (n - 3);
    } else {
        if (n == 0) cycles = 24;
        else if (n == 1) cycles = 39 + zero * (2 + 2);
        else if (n == 2) cycles = 40 + zero * (2 + 4);
        else cycles = 41 + zero * (2 + 2 * n) + 4 * (n - 3);
    }
    return cycles - retention1x1(p).total;
}

Cycles worker1x1Quarter(std::int64_t n, bool zeroes)
{
    Cycles const saved = zeroes ? 5 : 0;
    if (n == 0) return 17 + 4;
    if (n == 1) return 17 + 18 - saved;
    if (n == 2) return 17 + 23 - saved;
    return 17 + 27 - saved + 4 * (n - 3);
}

Cycles weightLoadCycles(int units, int bytesPerUnit, int bytesPerCycle, int filterHeight)
{
    // A filter of height 4 shuffles its coefficients and cannot use the 128-bit load.
    if (filterHeight == 4 && bytesPerCycle > 8) bytesPerCycle /= 2;
    return static_cast<Cycles>(units) * bytesPerUnit / bytesPerCycle;
}

Cycles zeroRetention(ValueType partials) { return partials == ValueType::F32 ? 9 : 10; }

} // namespace

Cycles conv1x1InnerCycles(Conv1x1Params const &params, bool zeroesPartials)
{
    Extremes const workers = overShares(params, [&](std::int64_t n) {
        return params.in == ValueType::F8 ? worker1x1Quarter(n, zeroesPartials) : worker1x1(params, n, zeroesPartials);
    });
    return std::max(kWorkers * workers.longest, kWorkers * workers.shortest + 14);
}

Cycles conv1x1Cycles(Conv1x1Params const &p)
{
    Cycles const load = weightLoadCycles(p.convUnits, p.weightBytesPerUnit, p.weightLoadBytes, 1);
    Cycles const first = conv1x1InnerCycles(p, true);
    Cycles const later = conv1x1InnerCycles(p, false);
    if (p.in == ValueType::F8)
        return 46 + p.convGroups * (21 + p.outGroups * (46 + 131 + load + first + (p.inGroups - 1) * (108 + load + later)));

    Cycles const passes = ceilDiv(p.outChansPerGroup, p.convUnits);
    Retention const saved = retention1x1(p);
    Cycles const shared = sharedPath(p) ? 1 : 0;
    return 50 + kWorkers * (saved.total + saved.perInput * (p.inGroups * p.convGroups - 1))
        + p.convGroups
        * (12 + shared + (p.inGroups - 1) * (16 - shared + p.outGroups * (19 + passes * (6 + load + later))) + 11
           + p.outGroups * (19 - shared + passes * (7 + load + first)));
}

Cycles convNx1Cycles(ConvNx1Params const &p)
{
    WorkerLoads const loads = splitRows(p.rows, p.width);
    bool const isFloat = p.in == ValueType::F32;
    bool const floatPartials = p.partials == ValueType::F32;
    bool const quarter = p.in == ValueType::F8;
    // These two codelets set up one more special stride.
    Cycles const extra = p.in == ValueType::F16 && ((!floatPartials && p.convUnits == 16) || (floatPartials && p.convUnits == 8)) ? 1 : 0;
    auto const entry = [&](std::int64_t n) -> Cycles {
        if (quarter) return 16 + (n == 1 ? 18 : n == 2 ? 23 : 27 + 4 * (n - 3));
        Cycles const body = n == 1 ? (isFloat ? 33 : 29)
            : n == 2               ? (isFloat ? 44 : 33 + extra)
            : isFloat              ? 45 + 8 * (n - 3)
                                   : 34 + 4 * (n - 3);
        return 3 + body - 9;
    };
    Extremes workers;
    for (WorkerLoad const &load : loads) workers.add((quarter ? 18 : 17 + (floatPartials ? 0 : 1)) + load.sum(entry));

    Cycles const passes = std::max<Cycles>(1, p.outChansPerGroup / p.convUnits);
    Cycles const kernel = std::max(kWorkers * workers.longest, kWorkers * workers.shortest + 9) * passes;
    Cycles const kernels = kernel * p.kernelOuter * p.kernelInner;
    Cycles const load = weightLoadCycles(p.convUnits, p.weightBytesPerUnit, p.weightLoadBytes, p.filterHeight);
    if (quarter) {
        Cycles const inner = p.kernelOuter * (33 + 103 + load + (p.kernelInner - 1) * 86 + load) + kernels;
        return 83 + p.convGroups * (37 + p.outGroups * (58 + p.inGroups * (61 + inner)));
    }
    Cycles const height = p.filterHeight == 4 ? 60 : p.filterHeight == 2 ? 46 : p.filterHeight == 1 ? 15 : 20 * p.filterHeight;
    Cycles const inner = p.kernelOuter * (14 + p.kernelInner * (12 + passes * (load + height + 3))) + kernels;
    return 109 + kWorkers * 9 + kWorkers * zeroRetention(p.partials) + p.convGroups * (p.outGroups * 17 + (p.outGroups - 1) * 6 + 1)
        + (p.convGroups - 1) * 6 + 1 + p.convGroups * (16 + p.inGroups * (14 + p.outGroups * (14 + inner)));
}

namespace {

/// One position and output channel (pair): the dot product over `size` input channels.
Cycles denseDotCycles(ValueType in, ValueType partials, std::int64_t size)
{
    bool const isFloat = in == ValueType::F32;
    bool const halfHalf = !isFloat && partials != ValueType::F32;
    Cycles const outputs = halfHalf ? 2 : 1;
    std::int64_t const full = isFloat ? 2 : 4; // elements of 64 bits
    std::int64_t width = full;
    while (size % width != 0) width /= 2;
    Cycles const perWidth = width >= full ? 1 : 2;
    return 3 * outputs + (halfHalf ? 1 : 0) + 4 + (width < full ? outputs : 0) + size / width * perWidth - (isFloat ? 0 : 1);
}

Cycles horizontalRetention(bool isFloat, bool specialised) { return specialised ? 15 : isFloat ? 0 : 6; }

} // namespace

Cycles horizontalMacCycles(HorizontalMacParams const &p)
{
    bool const isFloat = p.in == ValueType::F32;
    bool const floatPartials = p.partials == ValueType::F32;
    Cycles const dot = denseDotCycles(p.in, p.partials, p.inChansPerGroup);
    std::int64_t const outputs = floatPartials ? p.outChansPerGroup : ceilDiv(p.outChansPerGroup, 2);
    auto const entry = [&](std::int64_t n) -> Cycles {
        if (p.specialised1x1 && outputs == 1) return 14 + n * (2 + dot);
        return (p.specialised1x1 ? 13 : 19) + n * (7 + outputs * dot);
    };
    Cycles longest = 0;
    for (WorkerLoad const &load : splitRows(p.rows, p.width)) {
        Cycles const list = load.entries() == 0 ? 7 : load.sum(entry);
        Cycles const perKernel = 16 - horizontalRetention(isFloat, p.specialised1x1) + list;
        longest = std::max(longest, p.kernelElements * perKernel + 16);
    }
    return (isFloat ? 58 : 65) - (p.specialised1x1 ? 10 : 0) + kWorkers * zeroRetention(p.partials)
        + kWorkers * horizontalRetention(floatPartials, p.specialised1x1)
        + p.convGroups * (23 + p.inGroups * (15 + p.outGroups * (10 + kWorkers * longest)));
}

Cycles verticalMacCycles(VerticalMacParams const &p)
{
    bool const floatPartials = p.partials == ValueType::F32;
    std::int64_t const groups = p.convGroupsPerGroup;
    auto const dot = [&](std::int64_t channels) -> Cycles {
        return channels >= 8 ? 3 + 3 * (p.kernelWidth - 1) * (channels / 8) : 3 + 2 * (p.kernelWidth - 1) * (channels / 4);
    };
    Cycles worker = 0;
    if (groups >= 8 && !floatPartials) worker = (groups == 8 ? 13 : 25) + (groups == 8 ? 1 : 2) * p.rowsPerWorker * (22 + dot(8));
    else worker = (floatPartials ? 19 : 18) + p.rowsPerWorker * (7 + (floatPartials ? 5 : 3) + dot(groups));

    std::int64_t const perWorker = ceilDiv(p.outElements, kWorkers);
    Cycles const reduction =
        10 - (floatPartials ? 1 : 0) + (7 + (floatPartials ? 2 : 0) + (floatPartials ? 2 : 1) * (kWorkers - 1)) * perWorker / groups;
    Cycles const zero = 4 + ceilDiv(p.outElements, floatPartials ? 2 : 4);
    return 61 + 14 + 25 + (floatPartials ? 1 : 0) + p.convGroups * (zero + 32 + p.inGroups * (24 + kWorkers * worker) + reduction);
}

Cycles outerProductWorkerCycles(ValueType type, std::int64_t width, std::int64_t channels, std::int64_t chansPerGroup)
{
    std::int64_t const groups = channels / chansPerGroup;
    // The fast paths unroll three vectors, and their stride field holds less than 512 vectors.
    if (type == ValueType::F32) {
        bool const fast = chansPerGroup >= 6 && chansPerGroup % 2 == 0 && chansPerGroup / 2 + 1 < 512;
        return 25 + groups * (11 + width * (fast ? 6 + (chansPerGroup - 6) / 2 : 10 + 2 * chansPerGroup));
    }
    bool const fast = chansPerGroup >= 12 && chansPerGroup % 4 == 0 && chansPerGroup / 4 + 1 < 512;
    return 25 + groups * (10 + width * (fast ? 6 + (chansPerGroup - 12) / 4 : 10 + chansPerGroup * 5 / 2));
}

Cycles zeroPartialsCycles(ValueType partials, std::int64_t elementsPerWorker, std::int64_t groups)
{
    bool const isFloat = partials == ValueType::F32;
    Cycles const worker = ceilDiv(elementsPerWorker, isFloat ? 2 : 4) + (isFloat ? 14 : 15) - zeroRetention(partials);
    return kWorkers * worker * groups;
}

Cycles reduceAddCycles(ReduceAddParams const &p)
{
    bool const floatPartials = p.partials == ValueType::F32;
    bool const floatOut = p.out == ValueType::F32;
    std::int64_t const accumulators = floatPartials ? 4 : 8;
    std::int64_t const loadWidth = floatPartials ? 2 : 4;
    std::int64_t const loops = p.outputs / accumulators;
    if (p.singleInput) {
        std::int64_t const perCycle = loadWidth * (p.interleaved ? 2 : 1);
        Cycles const perLoop = accumulators / std::min(accumulators, perCycle);
        Cycles const overhead = floatPartials ? (floatOut ? 8 : 7) : (floatOut ? 10 : 9);
        return 33 + kWorkers * (20 + (perLoop * p.partialCount + overhead) * ceilDiv(loops, kWorkers));
    }
    std::int64_t const rest = p.outputs % accumulators;
    std::int64_t const allLoops = loops + std::popcount(static_cast<std::uint64_t>(rest));
    std::int64_t perWorker = allLoops / kWorkers;
    Cycles remainder = 0;
    if (allLoops % kWorkers != 0) {
        if (rest == 0) ++perWorker;
        else remainder = 2 * p.partialCount + (floatPartials ? 13 : 11);
    }
    Cycles const perLoop = accumulators / std::min(accumulators, loadWidth) + 1;
    Cycles const end = floatOut ? (floatPartials ? 7 : 9) : (floatPartials ? 6 : 8);
    return kWorkers * (32 + remainder + (perLoop * p.partialCount + end) * perWorker);
}

int reduceStageCount(std::int64_t depth) { return depth >= 125 ? 3 : depth >= 16 ? 2 : 1; }

namespace {

struct StagePlan {
    std::vector<std::int64_t> depths;
    float cost = 0; ///< messages per tile; single precision, as the library compares it
};

StagePlan planStages(std::int64_t depth, int stages)
{
    if (stages == 1) return {{}, static_cast<float>(depth)};
    auto const down = static_cast<std::int64_t>(std::pow(static_cast<double>(depth), (stages - 1.0) / stages));
    StagePlan best;
    bool haveBest = false;
    for (std::int64_t next : {down, down + 1}) {
        StagePlan plan = planStages(next, stages - 1);
        plan.cost += static_cast<float>(depth) / static_cast<float>(next);
        plan.depths.insert(plan.depths.begin(), next);
        // At equal cost the deeper plan, as in the library.
        if (!haveBest || plan.cost <= best.cost) best = std::move(plan);
        haveBest = true;
    }
    return best;
}

} // namespace

std::vector<std::int64_t> reduceStagePlan(std::int64_t depth) { return planStages(depth, reduceStageCount(depth)).depths; }

Cycles convReduceCycles(ConvReduceParams const &p)
{
    if (p.depth <= 0) return 0;
    if (p.depth == 1) return p.out == p.partials ? 0 : castAfterReduceCycles(p.outputs, p.partials, p.out);
    std::int64_t const fastWidth = p.partials == ValueType::F32 ? 4 : 8;
    auto const stage = [&](std::int64_t outputs, std::int64_t depth, ValueType out) {
        bool const single = p.allowSingleInput && outputs % fastWidth == 0;
        return reduceAddCycles({.partials = p.partials,
                                .out = out,
                                .outputs = outputs,
                                .partialCount = depth - (single ? 1 : 0),
                                .singleInput = single,
                                .interleaved = p.interleaved});
    };
    Cycles cycles = 0;
    std::int64_t remaining = p.depth;
    std::int64_t outputs = p.outputs * p.depth;
    if (p.multiStage) {
        for (std::int64_t next : reduceStagePlan(p.depth)) {
            std::int64_t const depth = ceilDiv(remaining, next);
            remaining = ceilDiv(remaining, depth);
            outputs = ceilDiv(outputs, depth);
            cycles += stage(outputs, depth, remaining == 1 ? p.out : p.partials);
        }
    }
    if (remaining > 1) cycles += stage(ceilDiv(outputs, remaining), remaining, p.out);
    return cycles;
}

Cycles castAfterReduceCycles(std::int64_t outputs, ValueType from, ValueType to)
{
    std::int64_t const perWorker = ceilDiv(outputs, kWorkers);
    return kWorkers * (26 + std::max(ceilDiv(perWorker, from.vectorWidth()), ceilDiv(perWorker, to.vectorWidth())));
}

} // namespace tilewright::cost
