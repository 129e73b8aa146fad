#include "engine/lowering/matmul_plan.h"

#include "engine/lowering/plan_search.h"
#include "engine/program/cost/matmul_cost.h"
#include "engine/program/cost/sort_cost.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace tilewright::lowering {

namespace {

/// Two exchanges and three compute sets (section 7: the constant 600 matches measurements of small products).
constexpr Cycles kStepsPerProduct = 5;

/// Code of one received run and of one sent run.
constexpr Bytes kRunCode = 8;

/// With two to five rows some workers of the AMP would be idle, so weights and rows change roles. Resident weights that are not trained in
/// place
/// are then read as positions from a regrouped copy. This explains why the batch-2 case tf.matmul_size.inference has three times the bytes
/// of its
/// first weights, while batch 1 (and any joint plan) keeps them in place.
bool weightsAreThePositions(MatmulProblem const &p, target::Chip const &chip)
{
    return p.resident && !p.backward && !p.update && p.m > 1 && p.m < chip.workers;
}

struct Sizes {
    std::int64_t m, k, n; ///< blocks on the busiest tile
    std::int64_t pm, pk, pn;
    std::int64_t batch = 1; ///< products on the tile
};

/// Operands with the other orientation, which are transposed on arrival.
struct Transposed {
    bool a = false, b = false;
};

/// One of the products on the grid of a plan.
struct Product {
    Sizes sizes; ///< of all splits
    Transposed transposed;
    bool reads = false; ///< B is the resident weights, on separate tiles: not sent, and copied only for a transpose
};

Product productOf(MatmulPlan const &plan, MatmulProblem const &p, PlanRole role)
{
    bool const reads = p.resident && plan.pm == 1 && !plan.swapped;
    switch (role) {
    case PlanRole::Forward: return {{plan.mb, plan.kb, plan.nb, plan.pm, plan.pk, plan.pn, plan.bb}, {p.transposeA, p.transposeB}, reads};
    case PlanRole::Backward: return {{plan.mb, plan.nb, plan.kb, plan.pm, plan.pn, plan.pk}, {.b = true}, reads};
    case PlanRole::Update: return {{plan.kb, plan.mb, plan.nb, plan.pk, plan.pm, plan.pn}, {.a = true}, false};
    }
    return {};
}

using Over = ProductSplits::Over;

/// The same with the blocks of one split.
Product oneSplit(Product product, ProductSplits const &splits)
{
    auto &s = product.sizes;
    (splits.over == Over::Rows ? s.m : splits.over == Over::Columns ? s.n : s.batch) /= splits.count;
    product.reads = product.reads && !splits.isOver(Over::Columns);
    return product;
}

/// Number of times the operands are received, and number of splits.
struct Rounds {
    std::int64_t a = 1, b = 1, all = 1;
    Rounds(std::int64_t serial, ProductSplits const &splits)
        : a(splits.isOver(Over::Columns) ? 1 : splits.count), b(serial * (splits.isOver(Over::Rows) ? 1 : splits.count)),
          all(serial * splits.count)
    {
    }
};

/// Additional runs received and sent because a split takes a range of columns of B and stores a range of columns of the result. Rows and
/// whole
/// products need no additional runs.
std::int64_t runsOfSplits(Product const &one, ProductSplits const &splits)
{
    auto const &s = one.sizes;
    return splits.isOver(Over::Columns) ? splits.count * s.batch * ((one.transposed.b ? 0 : s.k) + ceilDiv(s.m, s.pk)) : 0;
}

/// Over all splits, from the numbers of one split.
MatmulCost productCost(Product const &one, MatmulProblem const &p, MatmulOptions const &options, target::Chip const &chip, bool swapped,
                       std::int64_t serial, ProductSplits const &splits)
{
    MatmulCost cost;
    auto const &s = one.sizes;
    Rounds const rounds(serial, splits);
    Bytes const element = sizeOf(p.in);
    auto const perCycle = static_cast<double>(chip.exchangeBytesPerCycle);
    // Rows are spread over pn tiles and columns over pm tiles. The operand whose copies are on neighbouring tiles shares their bus: A if
    // the grid runs
    // along n, B if it runs along m.
    bool const shareA = !swapped && s.pn % 2 == 0;
    bool const shareB = swapped && s.pm % 2 == 0;
    double const bytesA = static_cast<double>(rounds.a * s.batch * s.m * s.k * element);
    double const bytesB = one.reads ? 0.0 : static_cast<double>(s.batch * s.k * s.n * element);
    double exchange = bytesA / perCycle * (shareA ? 0.5 : 1.0);
    exchange += bytesB / perCycle * (shareB ? 0.5 : 1.0) * static_cast<double>(rounds.b);
    cost.operandExchange = static_cast<Cycles>(exchange);
    // The AMP needs positions in channel groups, so rows are regrouped on arrival.
    double const positionsBytes = swapped ? static_cast<double>(s.k * s.n * element) * static_cast<double>(serial) : bytesA;
    cost.rearrange = static_cast<Cycles>(positionsBytes / 16.0);
    if (one.transposed.a) cost.rearrange += rounds.a * (kStepOverhead + cost::transposeCycles(p.in, s.batch, s.k, s.m));
    if (one.transposed.b) cost.rearrange += rounds.b * (kStepOverhead + cost::transposeCycles(p.in, s.batch, s.n, s.k));
    cost.vertex = rounds.all * matmulVertexCycles(s.m, s.k, s.n, p.in, options.partials, swapped, chip, s.batch);
    auto const reduction = partialReduction(s.batch * s.m * s.n, s.pk, options.partials, chip);
    cost.partialExchange = rounds.all * reduction.exchange;
    cost.reduce = rounds.all * reduction.compute;
    cost.overhead = kStepOverhead * (kStepsPerProduct + (rounds.all - 1) * 4);
    // Each split stores its columns beside those of the others, or sends its range to the place in the result.
    Bytes const sum = ceilDiv(s.batch * s.m * s.n, s.pk) * element;
    if (serial > 1) cost.rearrange += serial * ceilDiv(sum, std::int64_t{chip.memcpyBytesPerCycle});
    if (splits.count > 1)
        cost.partialExchange += kStepOverhead + splits.count * ceilDiv(sum, std::int64_t{chip.exchangeBytesPerCycle})
            + runsOfSplits(one, splits) * chip.exchangeMessageCycles;
    return cost;
}

/// Neither a joint product nor a batch: in one split, or in ranges of columns.
bool isAlone(MatmulProblem const &p) { return !p.backward && !p.update && p.batch == 1; }

/// Operands, computed and received partials, and the sum of a split before it is stored; not the result, which can be written in place. A
/// transposed operand exists twice before the computation. For a single product the library also counts resident weights and the result
/// (shown by
/// the published bytes of tf.matmul_size.inference).
Bytes temporaries(Product const &one, MatmulProblem const &p, DType partials, bool inSplits)
{
    auto const &s = one.sizes;
    Bytes const element = sizeOf(p.in), partial = sizeOf(partials);
    Bytes const a = s.batch * s.m * s.k * element, b = s.batch * s.k * s.n * element;
    std::int64_t const results = s.batch * s.m * s.n;
    if (isAlone(p)) return a + b + 2 * results * partial;
    Bytes const landed = (one.transposed.a ? a : 0) + (one.transposed.b && !one.reads ? b : 0);
    Bytes const sums = s.pk > 1 ? 2 * results * partial : partial != element ? results * partial : 0;
    Bytes const aside = inSplits ? ceilDiv(results, s.pk) * element : 0;
    return a + (one.reads && !one.transposed.b ? 0 : b) + std::max(landed, sums + aside);
}

/// Shares of the batch and of the inner dimension.
std::vector<std::pair<std::int64_t, std::int64_t>> batchAndInnerSplits(std::int64_t batch, std::int64_t inner, std::int64_t tiles)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t pb : usefulSplits(batch, tiles))
        for (std::int64_t pk : usefulSplits(inner, tiles / pb)) pairs.emplace_back(pb, pk);
    return pairs;
}

} // namespace

namespace {

struct VertexChoice {
    MatmulVertex vertex;
    Cycles cycles;
};

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
    // With more than a few outputs the AMP's sixteen at a time are always faster.
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

namespace {

/// Prices the products of a grid: each in one split if its temporaries fit, otherwise in several splits.
class Pricing {
public:
    /// Without a limit the plan with the least memory is best.
    Pricing(MatmulProblem const &problem, target::Chip const &chip, MatmulOptions const &options, std::optional<double> proportion)
        : m_p(problem), m_chip(chip), m_options(options)
    {
        if (proportion) m_bound = *proportion * static_cast<double>(chip.bytesPerTile);
    }

    /// False: a product does not fit in any number of splits.
    bool price(MatmulPlan &plan) const
    {
        return price(PlanRole::Forward, plan) && (!m_p.backward || price(PlanRole::Backward, plan))
            && (!m_p.update || price(PlanRole::Update, plan));
    }

private:
    /// True if ranges divide evenly on all tiles. A single product already has its columns in ranges.
    bool isDivided(MatmulPlan const &plan, PlanRole role, ProductSplits const &splits) const
    {
        if (isAlone(m_p)) return false;
        auto const even = [&](std::int64_t all, std::int64_t parts, std::int64_t block) {
            return all == parts * block && block % splits.count == 0;
        };
        bool const update = role == PlanRole::Update, backward = role == PlanRole::Backward;
        switch (splits.over) {
        case Over::Rows: return update ? even(m_p.k, plan.pk, plan.kb) : even(m_p.m, plan.pm, plan.mb);
        case Over::Columns: return backward ? even(m_p.k, plan.pk, plan.kb) : even(m_p.n, plan.pn, plan.nb);
        case Over::Products: return even(m_p.batch, plan.pb, plan.bb);
        }
        return false;
    }

    bool price(PlanRole role, MatmulPlan &plan) const
    {
        auto const product = productOf(plan, m_p, role);
        struct Found {
            ProductSplits splits;
            Bytes bytes = 0;
            MatmulCost cost;
        };
        std::optional<Found> best;
        Bytes atOnce = 0;
        for (std::int64_t const count : {1, 2, 4, 8, 16}) {
            for (auto const over : {Over::Rows, Over::Columns, Over::Products}) {
                ProductSplits const splits{count, over};
                if (count == 1 ? over != Over::Rows : !isDivided(plan, role, splits)) continue;
                auto const one = oneSplit(product, splits);
                auto const bytes = temporaries(one, m_p, m_options.partials, count > 1);
                if (count == 1) atOnce = bytes;
                else if (bytes + runsOfSplits(one, splits) * kRunCode >= atOnce) continue; // no gain
                if (m_bound ? static_cast<double>(bytes) > *m_bound : best && bytes >= best->bytes) continue;
                auto const cost = productCost(one, m_p, m_options, m_chip, plan.swapped, plan.serial, splits);
                if (!m_bound || !best || cost.total() < best->cost.total()) best = Found{splits, bytes, cost};
            }
            if (m_bound && best) break;
        }
        plan.bytesAtOnce = std::max(plan.bytesAtOnce, atOnce);
        if (!best) return false;
        plan.splits[static_cast<std::size_t>(role)] = best->splits;
        plan.temporaryBytes = std::max(plan.temporaryBytes, best->bytes);
        if (role == PlanRole::Backward) plan.cost.backward = best->cost.total();
        else if (role == PlanRole::Update) plan.cost.update = best->cost.total();
        else plan.cost = best->cost;
        return true;
    }

    MatmulProblem const &m_p;
    target::Chip const &m_chip;
    MatmulOptions const &m_options;
    std::optional<double> m_bound; ///< bytes
};

} // namespace

MatmulPlans planMatmul(MatmulProblem const &p, target::Chip const &chip, MatmulOptions const &options)
{
    std::int64_t const tiles = chip.tiles;
    std::int64_t const kGrain = chip.convInputGroup(p.in);
    std::int64_t const units = chip.convUnits(p.in);
    std::vector<MatmulPlan> found;
    auto const collect = [&](std::optional<double> proportion) {
        found.clear();
        Pricing const pricing(p, chip, options, proportion);
        for (bool swapped : {false, true}) {
            // A resident operand is the weights of its products; the direct form leaves it in place.
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
                        // A joint plan updates the weights in place. If rows were split, the copies of the weight gradient would need
                        // another sum, so this pays only for
                        // many rows.
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
                            if (pricing.price(plan)) found.push_back(plan);
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
        collect(attempt == 3 ? std::nullopt : std::optional(plans.memoryProportion));
        if (!found.empty()) break;
        plans.memoryProportion = attempt == 2 ? 1e9 : plans.memoryProportion * 2;
    }
    TW_CHECK(!found.empty(), "no matmul plan");
    // Equal cost: fewer tiles, then the order of enumeration. Never a pointer or a hash, so that plans are reproducible.
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
    return static_cast<Cycles>(std::ceil(static_cast<double>(p.batch) * static_cast<double>(p.m) * static_cast<double>(p.k)
                                         * static_cast<double>(p.n) * products / perCycle));
}

std::string_view toText(ProductSplits::Over over)
{
    switch (over) {
    case Over::Rows: return "rows";
    case Over::Columns: return "columns";
    case Over::Products: return "products";
    }
    return "";
}

namespace {

/// Of the products that run in several splits.
nlohmann::ordered_json splitsJson(MatmulPlan const &plan)
{
    auto json = nlohmann::ordered_json::object();
    constexpr std::array kRoles{"forward", "backward", "update"};
    for (std::size_t i = 0; i < kRoles.size(); ++i)
        if (plan.splits[i].count > 1) json[kRoles[i]] = {{"count", plan.splits[i].count}, {"over", toText(plan.splits[i].over)}};
    return json;
}

} // namespace

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
        if (auto splits = splitsJson(plan); !splits.empty()) {
            j["splits"] = std::move(splits);
            j["temporary_bytes_at_once"] = plan.bytesAtOnce;
        }
        j["swapped"] = plan.swapped;
        j["tiles"] = plan.tiles();
        j["temporary_bytes"] = plan.temporaryBytes;
        j["within_memory_bound"] = plan.withinMemoryBound;
        j["cycles"] = {{"total", plan.cost.total()},
                       {"operand_exchange", plan.cost.operandExchange},
                       {"rearrange", plan.cost.rearrange},
                       {"vertex", plan.cost.vertex},
                       {"partial_exchange", plan.cost.partialExchange},
                       {"reduce", plan.cost.reduce},
                       {"overhead", plan.cost.overhead},
                       {"backward", plan.cost.backward},
                       {"update", plan.cost.update}};
        return j;
    };
    nlohmann::ordered_json j;
    j["problem"] = {{"m", p.m},
                    {"k", p.k},
                    {"n", p.n},
                    {"type", std::string(toText(p.in))},
                    {"resident", p.resident},
                    {"backward", p.backward},
                    {"update", p.update}};
    if (p.batch > 1) j["problem"]["batch"] = p.batch;
    j["chosen"] = one(plans.best.front());
    j["alternatives"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < plans.best.size(); ++i) j["alternatives"].push_back(one(plans.best[i]));
    return j.dump();
}

} // namespace tilewright::lowering
