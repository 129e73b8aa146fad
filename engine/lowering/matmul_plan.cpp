#include "engine/lowering/matmul_plan.h"

#include "engine/lowering/plan_search.h"
#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/sort_cost.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::lowering {

namespace {

/// Two exchanges and three compute sets (section 7: a constant of 600 brings small products to what was measured).
constexpr Cycles kStepsPerProduct = 5;

/// With two to five rows some workers of the AMP would have none: then the rows are the weights, and resident
/// weights, when they are not trained where they lie, are read as positions from a regrouped copy. That is how
/// the batch-2 case tf.matmul_size.inference comes to three times the bytes of its first weights, while batch 1
/// (and any joint plan) keeps them in place.
bool weightsAreThePositions(MatmulProblem const &p, target::Chip const &chip)
{
    return p.resident && !p.backward && !p.update && p.m > 1 && p.m < chip.workers;
}

struct Sizes {
    std::int64_t m, k, n;   ///< blocks on the busiest tile
    std::int64_t pm, pk, pn;
    std::int64_t batch = 1; ///< products on the tile
};

/// Operands that lie the other way round and are transposed where they landed.
struct Transposed { bool a = false, b = false; };

/// One product on the grid: rows x inner x cols blocks of a tile.
MatmulCost productCost(Sizes const &s, MatmulProblem const &p, MatmulOptions const &options, target::Chip const &chip,
                       bool swapped, bool weightsResident, Transposed transposed, std::int64_t serial)
{
    MatmulCost cost;
    Bytes const element = sizeOf(p.in);
    auto const perCycle = static_cast<double>(chip.exchangeBytesPerCycle);
    // Rows go to pn tiles and columns to pm tiles; the operand whose copies lie on neighbouring tiles
    // shares their bus: A when the grid runs along n, B when it runs along m.
    bool const shareA = !swapped && s.pn % 2 == 0;
    bool const shareB = swapped && s.pm % 2 == 0;
    double const bytesA = static_cast<double>(s.batch * s.m * s.k * element);
    double const bytesB = weightsResident && s.pm == 1 && !swapped ? 0.0 : static_cast<double>(s.batch * s.k * s.n * element);
    double exchange = bytesA / perCycle * (shareA ? 0.5 : 1.0);
    exchange += bytesB / perCycle * (shareB ? 0.5 : 1.0) * static_cast<double>(serial);
    cost.operandExchange = static_cast<Cycles>(exchange);
    // The AMP wants its positions in channel groups: what arrived row by row is regrouped on the tile.
    double const positionsBytes = swapped ? static_cast<double>(s.k * s.n * element) * static_cast<double>(serial) : bytesA;
    cost.rearrange = static_cast<Cycles>(positionsBytes / 16.0);
    if (transposed.a) cost.rearrange += kStepOverhead + cost::transposeCycles(p.in, s.batch, s.k, s.m);
    if (transposed.b) cost.rearrange += serial * (kStepOverhead + cost::transposeCycles(p.in, s.batch, s.n, s.k));
    cost.vertex = serial * matmulVertexCycles(s.m, s.k, s.n, p.in, options.partials, swapped, chip, s.batch);
    auto const reduction = partialReduction(s.batch * s.m * s.n, s.pk, options.partials, chip);
    cost.partialExchange = serial * reduction.exchange;
    cost.reduce = serial * reduction.compute;
    cost.overhead = kStepOverhead * (kStepsPerProduct + (serial - 1) * 4);
    // Each pass leaves its columns beside those of the others.
    if (serial > 1) cost.rearrange += serial * ceilDiv(ceilDiv(s.m * s.n, s.pk) * element, std::int64_t{chip.memcpyBytesPerCycle});
    return cost;
}

/// Parts of the batch and of the inner dimension.
std::vector<std::pair<std::int64_t, std::int64_t>> batchAndInnerSplits(std::int64_t batch, std::int64_t inner, std::int64_t tiles)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t pb : usefulSplits(batch, tiles))
        for (std::int64_t pk : usefulSplits(inner, tiles / pb)) pairs.emplace_back(pb, pk);
    return pairs;
}

} // namespace

namespace {

struct VertexChoice { MatmulVertex vertex; Cycles cycles; };

VertexChoice chooseVertex(std::int64_t rows, std::int64_t inner, std::int64_t cols, DType in, DType partials, bool swapped,
                          target::Chip const &chip, std::int64_t products)
{
    std::int64_t const positions = swapped ? cols : rows, outputs = swapped ? rows : cols;
    cost::Conv1x1Params params;
    params.in = in;
    params.partials = in == DType::F32 ? DType::F32 : partials;
    params.positions = positions;
    params.inGroups = ceilDiv(inner, chip.convInputGroup(in));
    params.convUnits = chip.convUnits(in);
    params.outChansPerGroup = params.convUnits;
    params.outGroups = ceilDiv(outputs, params.convUnits);
    params.weightBytesPerUnit = static_cast<int>(chip.convInputGroup(in) * sizeOf(in));
    params.weightLoadBytes = chip.weightLoadBytes;
    params.convGroups = products;
    VertexChoice const amp{MatmulVertex::Amp, cost::conv1x1Cycles(params)};
    // Beyond a few outputs the AMP's sixteen at once always win.
    constexpr std::int64_t kMostDots = 4;
    if (outputs > kMostDots) return amp;
    cost::HorizontalMacParams mac;
    mac.in = in;
    mac.partials = params.partials;
    mac.width = positions;
    mac.inChansPerGroup = inner;
    mac.outChansPerGroup = outputs;
    mac.specialised1x1 = in == DType::F16 && params.partials == DType::F32;
    mac.convGroups = products;
    Cycles const dots = cost::horizontalMacCycles(mac);
    return dots < amp.cycles ? VertexChoice{MatmulVertex::HorizontalMac, dots} : amp;
}

} // namespace

MatmulVertex matmulVertex(std::int64_t rows, std::int64_t inner, std::int64_t cols, DType in, DType partials, bool swapped,
                          target::Chip const &chip)
{
    return chooseVertex(rows, inner, cols, in, partials, swapped, chip, 1).vertex;
}

Cycles matmulVertexCycles(std::int64_t rows, std::int64_t inner, std::int64_t cols, DType in, DType partials, bool swapped,
                          target::Chip const &chip, std::int64_t products)
{
    return chooseVertex(rows, inner, cols, in, partials, swapped, chip, products).cycles;
}

MatmulPlans planMatmul(MatmulProblem const &p, target::Chip const &chip, MatmulOptions const &options)
{
    std::int64_t const tiles = chip.tiles;
    std::int64_t const kGrain = chip.convInputGroup(p.in);
    std::int64_t const units = chip.convUnits(p.in);
    Bytes const element = sizeOf(p.in);
    Bytes const partial = sizeOf(options.partials);
    std::vector<MatmulPlan> found;
    auto const collect = [&](double bound) {
        found.clear();
        for (bool swapped : {false, true}) {
            // A resident operand is the weights of its products: the direct form keeps it in place.
            if (p.resident && swapped != weightsAreThePositions(p, chip)) continue;
            if (swapped && (p.backward || p.update || p.batch > 1)) continue;
            std::int64_t const mGrain = swapped ? units : 1;
            std::int64_t const nGrain = swapped ? 1 : units;
            for (std::int64_t serial : {1, 2, 4, 8, 16}) {
                if (serial > 1 && (p.backward || p.update || p.batch > 1 || p.n % serial != 0 || (p.n / serial) % units != 0)) continue;
                std::int64_t const n = p.n / serial;
                std::int64_t const mUnits = ceilDiv(p.m, mGrain), kUnits = ceilDiv(p.k, kGrain), nUnits = ceilDiv(n, nGrain);
                for (auto const &[pb, pk] : batchAndInnerSplits(p.batch, kUnits, tiles)) {
                    std::int64_t const batch = ceilDiv(p.batch, pb);
                    std::int64_t const kb = ceilDiv(kUnits, pk) * kGrain;
                    for (std::int64_t pm : usefulSplits(mUnits, tiles / (pb * pk))) {
                        // A joint plan updates the weights where they lie: with rows split their copies would
                        // have to be summed again. It pays only when rows are many.
                        if ((p.update || p.resident) && pm > 1 && p.m < 1024) break;
                        std::int64_t const mb = ceilDiv(mUnits, pm) * mGrain;
                        for (std::int64_t pn : usefulSplits(nUnits, tiles / (pb * pk * pm))) {
                            std::int64_t const nb = ceilDiv(nUnits, pn) * nGrain;
                            MatmulPlan plan;
                            plan.swapped = swapped;
                            plan.serial = serial;
                            plan.mb = std::min(mb, p.m);
                            plan.kb = std::min(kb, p.k);
                            plan.nb = std::min(nb, n);
                            plan.pm = ceilDiv(p.m, plan.mb);
                            plan.pk = ceilDiv(p.k, plan.kb);
                            plan.pn = ceilDiv(n, plan.nb);
                            plan.bb = batch;
                            plan.pb = ceilDiv(p.batch, batch);
                            // 2 x partials: what the tile computed and what it receives to sum up.
                            plan.temporaryBytes = batch * ((plan.mb * plan.kb + plan.kb * plan.nb) * element + 2 * plan.mb * plan.nb * partial);
                            // The bound is on each product of a joint plan: the others have the same blocks in other parts.
                            if (p.backward)
                                plan.temporaryBytes = std::max(plan.temporaryBytes, (plan.mb * plan.nb + plan.kb * plan.nb) * element
                                                                                        + (plan.pn > 1 ? 2 : 1) * plan.mb * plan.kb * partial);
                            if (p.update)
                                plan.temporaryBytes = std::max(plan.temporaryBytes, (plan.mb * plan.kb + plan.mb * plan.nb) * element
                                                                                        + (plan.pm > 1 ? 2 : 1) * plan.kb * plan.nb * partial);
                            if (static_cast<double>(plan.temporaryBytes) > bound * static_cast<double>(chip.bytesPerTile)) continue;
                            Sizes const sizes{plan.mb, plan.kb, plan.nb, plan.pm, plan.pk, plan.pn, batch};
                            plan.cost = productCost(sizes, p, options, chip, swapped, p.resident, {p.transposeA, p.transposeB}, serial);
                            if (p.backward)
                                plan.cost.backward = productCost({plan.mb, plan.nb, plan.kb, plan.pm, plan.pn, plan.pk}, p, options, chip,
                                                                 false, true, {.b = true}, 1).total();
                            if (p.update)
                                plan.cost.update = productCost({plan.kb, plan.mb, plan.nb, plan.pk, plan.pm, plan.pn}, p, options, chip,
                                                               false, false, {.a = true}, 1).total();
                            found.push_back(plan);
                        }
                    }
                }
            }
        }
    };
    MatmulPlans plans;
    plans.memoryProportion = options.availableMemoryProportion;
    int attempt = 0;
    for (; attempt < 4; ++attempt) {
        collect(attempt == 3 ? 1e9 : plans.memoryProportion);
        if (!found.empty()) break;
        plans.memoryProportion = attempt == 2 ? 1e9 : plans.memoryProportion * 2;
    }
    TW_CHECK(!found.empty(), "no matmul plan");
    // Equal cost: fewer tiles, then the order of enumeration; never a pointer or a hash.
    bool const leastMemory = attempt == 3;
    auto const better = [leastMemory](MatmulPlan const &a, MatmulPlan const &b) {
        if (leastMemory && a.temporaryBytes != b.temporaryBytes) return a.temporaryBytes < b.temporaryBytes;
        if (a.cost.total() != b.cost.total()) return a.cost.total() < b.cost.total();
        if (a.tiles() != b.tiles()) return a.tiles() < b.tiles();
        return std::tie(a.serial, a.pk, a.pm, a.swapped) < std::tie(b.serial, b.pk, b.pm, b.swapped);
    };
    std::size_t const keep = std::min<std::size_t>(5, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(keep), found.end(), better);
    found.resize(keep);
    for (auto &plan : found) {
        plan.withinMemoryBound = plans.memoryProportion == options.availableMemoryProportion;
        if (plan.swapped) {
            plan.strideM = 1;
            plan.strideN = static_cast<std::int32_t>(plan.pm);
            plan.strideK = static_cast<std::int32_t>(plan.pm * plan.pn);
        } else {
            plan.strideN = 1;
            plan.strideM = static_cast<std::int32_t>(plan.pn);
            plan.strideK = static_cast<std::int32_t>(plan.pn * plan.pm);
            plan.strideB = static_cast<std::int32_t>(plan.pn * plan.pm * plan.pk);
        }
    }
    plans.best = std::move(found);
    return plans;
}

Cycles idealMatmulCycles(MatmulProblem const &p, target::Chip const &chip)
{
    double const perCycle = static_cast<double>(chip.convUnits(p.in)) * (p.in == DType::F16 ? 4 : 1) * chip.tiles;
    int const products = 1 + p.backward + p.update;
    return static_cast<Cycles>(std::ceil(static_cast<double>(p.batch) * static_cast<double>(p.m) * static_cast<double>(p.k) * static_cast<double>(p.n)
                                         * products / perCycle));
}

std::string planJson(MatmulProblem const &p, MatmulPlans const &plans)
{
    auto const one = [](MatmulPlan const &plan) {
        nlohmann::ordered_json j;
        j["split"] = {{"rows", plan.pm}, {"inner", plan.pk}, {"columns", plan.pn}, {"serial", plan.serial}};
        j["block"] = {{"rows", plan.mb}, {"inner", plan.kb}, {"columns", plan.nb}};
        if (plan.pb > 1 || plan.bb > 1) {
            j["split"]["batch"] = plan.pb;
            j["block"]["batch"] = plan.bb;
        }
        j["swapped"] = plan.swapped;
        j["tiles"] = plan.tiles();
        j["temporary_bytes"] = plan.temporaryBytes;
        j["within_memory_bound"] = plan.withinMemoryBound;
        j["cycles"] = {{"total", plan.cost.total()}, {"operand_exchange", plan.cost.operandExchange},
                       {"rearrange", plan.cost.rearrange}, {"vertex", plan.cost.vertex},
                       {"partial_exchange", plan.cost.partialExchange}, {"reduce", plan.cost.reduce},
                       {"overhead", plan.cost.overhead}, {"backward", plan.cost.backward}, {"update", plan.cost.update}};
        return j;
    };
    nlohmann::ordered_json j;
    j["problem"] = {{"m", p.m}, {"k", p.k}, {"n", p.n}, {"type", std::string(toText(p.in))}, {"resident", p.resident},
                    {"backward", p.backward}, {"update", p.update}};
    if (p.batch > 1) j["problem"]["batch"] = p.batch;
    j["chosen"] = one(plans.best.front());
    j["alternatives"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < plans.best.size(); ++i) j["alternatives"].push_back(one(plans.best[i]));
    return j.dump();
}

} // namespace tilewright::lowering
