#include "engine/lowering/conv_plan.h"

#include "engine/lowering/plan_search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilewright::lowering {

namespace {

using cost::ConvPart;
using graph::ConvGeometry;
using Span3 = std::array<std::int64_t, 3>;

/// Control code and barrier for the steps of one convolution: exchange, vertices, exchange, sums.
constexpr Cycles kStepsPerConv = 5;

/// Positions of x that a block of windows reads.
std::int64_t windowSize(ConvGeometry::Axis const &axis, std::int64_t outputs)
{
    return std::min(axis.in, (outputs - 1) * axis.stride + (axis.kernel - 1) * axis.dilation + 1);
}
/// Windows that read a block of positions of x.
std::int64_t readers(ConvGeometry::Axis const &axis, std::int64_t inputs)
{
    return std::min(axis.out, (inputs - 1 + (axis.kernel - 1) * axis.dilation) / axis.stride + 1);
}

std::int64_t product(Span3 const &a) { return a[0] * a[1] * a[2]; }

/// Sizes on one tile for one of the three computations (output and both gradients).
struct Blocks {
    std::int64_t first = 0, second = 0, result = 0; ///< elements of operands and partials
    std::int64_t sums = 1;                          ///< tiles whose partials are summed
    bool firstShares = false;                       ///< neighbours receive the same first operand
    cost::ConvTile tile;
};

Blocks blocksOf(ConvPart part, ConvPlan const &plan, ConvGeometry const &g, DType in, DType partials)
{
    Blocks b;
    bool const weights = part == ConvPart::WeightGradient;
    Span3 window{}, reader{}, outputs = plan.outBlock;
    for (std::size_t i = 0; i < 3; ++i) {
        if (weights) outputs[i] = std::min(g.axis[i].out, outputs[i] * plan.merged(i));
        window[i] = windowSize(g.axis[i], outputs[i]);
        reader[i] = readers(g.axis[i], plan.inBlock[i]);
    }
    std::int64_t const cs = plan.groupBlock * plan.channelBlock, fs = plan.groupBlock * plan.filterBlock;
    std::int64_t const elements = weights ? ceilDiv(g.kernelElements(), plan.kernelParts) : g.kernelElements();
    std::int64_t const w = elements * cs * plan.filterBlock;
    std::int64_t const x = plan.batchBlock * product(window) * cs, y = plan.batchBlock * product(outputs) * fs;
    b.tile.part = part;
    b.tile.in = in;
    b.tile.partials = partials;
    b.tile.batch = plan.batchBlock;
    b.tile.positions = part == ConvPart::InputGradient ? plan.inBlock : outputs;
    for (std::size_t i = 0; i < 3; ++i) {
        b.tile.kernel[i] = g.axis[i].kernel;
        b.tile.stride[i] = g.axis[i].stride;
    }
    if (elements < g.kernelElements()) b.tile.kernel = {1, 1, elements};
    b.tile.groups = plan.groupBlock;
    b.tile.channels = plan.channelBlock;
    b.tile.filters = plan.filterBlock;
    switch (part) {
    case ConvPart::Output:
        b.first = x;
        b.second = w;
        b.result = y;
        b.sums = plan.channelParts;
        b.firstShares = plan.filterParts % 2 == 0;
        break;
    case ConvPart::InputGradient:
        b.first = plan.batchBlock * product(reader) * fs;
        b.second = w;
        b.result = plan.batchBlock * product(plan.inBlock) * cs;
        b.sums = plan.filterParts;
        break;
    case ConvPart::WeightGradient:
        b.first = x;
        b.second = y;
        b.result = w;
        b.sums = plan.batchParts * plan.positionParts() / plan.kernelParts;
        b.firstShares = plan.filterParts % 2 == 0;
        break;
    }
    return b;
}

/// Over all splits; the first operand stays for all of them.
ConvCost costOf(Blocks const &b, std::int64_t splits, DType in, DType partials, target::Chip const &chip)
{
    ConvCost cost;
    auto const choice = cost::cheapestConvVertex(b.tile, {chip.convUnits(in), chip.weightLoadBytes, chip.convInputGroup(in)});
    cost.vertex = choice.vertex;
    cost.compute = splits * choice.cycles;
    std::int64_t const bytes = ((b.firstShares ? b.first / 2 : b.first) + splits * b.second) * sizeOf(in);
    cost.operandExchange = ceilDiv(bytes, std::int64_t{chip.exchangeBytesPerCycle});
    auto const sums = partialReduction(b.result, b.sums, partials, chip);
    cost.partialExchange = splits * sums.exchange;
    cost.reduce = splits * sums.compute;
    cost.overhead = kStepOverhead * kStepsPerConv * splits;
    // Store the sum of each split.
    if (splits > 1)
        cost.reduce += splits * (kStepOverhead + ceilDiv(ceilDiv(b.result, b.sums) * sizeOf(in), std::int64_t{chip.memcpyBytesPerCycle}));
    return cost;
}

/// Tries splits in nested order and keeps the best.
class Search {
public:
    /// Without a limit the plan with the least temporary memory is best.
    Search(ConvProblem const &problem, target::Chip const &chip, ConvOptions const &options, std::optional<double> bound)
        : m_problem(problem), m_g(problem.geometry), m_chip(chip), m_options(options), m_bound(bound)
    {
    }

    void run()
    {
        std::int64_t const units = m_chip.convUnits(m_problem.in), grain = m_chip.convInputGroup(m_problem.in);
        // A layout has six dimensions. Three axes and groups leave none for copies and addends.
        bool const full = m_g.spatial == 3 && m_g.groups > 1;
        auto const tiles = std::int64_t{m_chip.tiles};
        ConvPlan plan;
        for (auto filters : usefulSplits(ceilDiv(m_g.filters, units), full ? 1 : tiles)) {
            plan.filterBlock = std::min(m_g.filters, ceilDiv(ceilDiv(m_g.filters, units), filters) * units);
            plan.filterParts = ceilDiv(m_g.filters, plan.filterBlock);
            for (auto channels : usefulSplits(ceilDiv(m_g.channels, grain), full ? 1 : tiles / plan.filterParts)) {
                plan.channelBlock = std::min(m_g.channels, ceilDiv(ceilDiv(m_g.channels, grain), channels) * grain);
                plan.channelParts = ceilDiv(m_g.channels, plan.channelBlock);
                for (auto groups : usefulSplits(m_g.groups, tiles / (plan.filterParts * plan.channelParts))) {
                    plan.groupBlock = ceilDiv(m_g.groups, groups);
                    plan.groupParts = ceilDiv(m_g.groups, plan.groupBlock);
                    axes(plan, 0, tiles / (plan.filterParts * plan.channelParts * plan.groupParts));
                }
            }
        }
    }
    std::vector<ConvPlan> take() { return std::move(m_found); }
    std::int64_t considered() const { return m_considered; }

private:
    void axes(ConvPlan &plan, std::size_t axis, std::int64_t tiles)
    {
        if (axis == 3) {
            for (auto parts : usefulSplits(m_g.batch, tiles)) {
                plan.batchBlock = ceilDiv(m_g.batch, parts);
                plan.batchParts = ceilDiv(m_g.batch, plan.batchBlock);
                consider(plan);
            }
            return;
        }
        auto const &a = m_g.axis[axis];
        for (auto parts : usefulSplits(a.out, tiles)) {
            plan.outBlock[axis] = ceilDiv(a.out, parts);
            plan.axisParts[axis] = ceilDiv(a.out, plan.outBlock[axis]);
            // Blocks of x start at a multiple of the stride, so that windows are spread evenly.
            plan.inBlock[axis] = std::min(a.in, roundUp(ceilDiv(a.in, plan.axisParts[axis]), a.stride));
            axes(plan, axis + 1, tiles / plan.axisParts[axis]);
        }
    }

    /// Computed partials and received partials; the sum of a split before it is stored.
    Bytes temporaries(Blocks const &blocks, DType partials, std::int64_t splits) const
    {
        return (blocks.first + blocks.second) * sizeOf(m_problem.in) + (blocks.sums > 1 ? 2 : 1) * blocks.result * sizeOf(partials)
            + (splits > 1 ? ceilDiv(blocks.result, blocks.sums) * sizeOf(m_problem.in) : 0);
    }
    bool fits(Bytes bytes) const { return !m_bound || static_cast<double>(bytes) <= *m_bound * static_cast<double>(m_chip.bytesPerTile); }

    /// True if one of the three computations can run in this many splits: blocks and the whole are divided evenly, stay multiples of the
    /// AMP's
    /// group, and the result has a free dimension for splits. The forward output never runs in splits: the next operation, for example a
    /// bias per
    /// filter, would need another layout, which costs more than the splits save.
    bool isDivided(ConvPart part, ConvPlan const &plan, std::int64_t splits) const
    {
        if (part == ConvPart::Output) return false;
        bool const channels = part == ConvPart::InputGradient;
        auto const all = channels ? m_g.channels : m_g.filters, block = channels ? plan.channelBlock : plan.filterBlock;
        auto const whole = channels ? m_chip.convInputGroup(m_problem.in) : m_chip.convUnits(m_problem.in);
        int const rank = part == ConvPart::WeightGradient ? 3 : 2 + m_g.spatial;
        return all % splits == 0 && block % (splits * whole) == 0 && rank + (m_g.groups > 1) < program::kMaxDims;
    }

    /// Prices one of the three computations: in the smallest number of splits that fits, or with the least memory. False: none fits.
    bool price(ConvPart part, ConvPlan &plan, DType partials) const
    {
        struct Found {
            std::int64_t splits = 0, kernelParts = 1;
            Bytes bytes = 0;
            ConvCost cost;
        } best;
        auto const p = static_cast<std::size_t>(part);
        bool const update = part == ConvPart::WeightGradient;
        for (std::int64_t const splits : {1, 2, 4, 8, 16}) {
            if (splits > 1 && !isDivided(part, plan, splits)) continue;
            plan.splits[p] = splits;
            for (auto const parts : update ? kernelSplits(plan) : std::vector<std::int64_t>{1}) {
                if (update) plan.kernelParts = parts;
                auto const split = oneSplit(plan, m_g, part);
                auto const blocks = blocksOf(part, split.plan, split.geometry, m_problem.in, partials);
                auto const bytes = temporaries(blocks, partials, splits);
                if (!fits(bytes)) continue;
                if (!m_bound && best.splits > 0 && bytes >= best.bytes) continue;
                auto const cost = costOf(blocks, splits, m_problem.in, partials, m_chip);
                if (m_bound && best.splits > 0 && cost.total() >= best.cost.total()) continue;
                best = {splits, parts, bytes, cost};
            }
            if (m_bound && best.splits > 0) break;
        }
        if (best.splits == 0) return false;
        plan.splits[p] = best.splits;
        plan.cost[p] = best.cost;
        if (update) plan.kernelParts = best.kernelParts;
        plan.temporaryBytes = std::max(plan.temporaryBytes, best.bytes);
        return true;
    }
    /// Number of neighbours that can share positions: those along the last axis, or all of them and some along the axis before.
    std::vector<std::int64_t> kernelSplits(ConvPlan const &plan) const
    {
        std::vector<std::int64_t> splits{1};
        // Two kinds of copies, batch, axes, groups, channels: more than the six dimensions of a layout.
        int const dims = 1 + 1 + m_g.spatial + (m_g.groups > 1) + 1 + (plan.filterParts > 1 || plan.channelParts > 1);
        if (dims > program::kMaxDims) return splits;
        auto const add = [&](std::int64_t whole, std::int64_t parts) {
            for (std::int64_t m = 2; m <= parts && whole * m <= m_g.kernelElements(); ++m)
                if (parts % m == 0) splits.push_back(whole * m);
        };
        add(1, plan.axisParts[2]);
        add(plan.axisParts[2], plan.axisParts[1]);
        return splits;
    }

    void consider(ConvPlan plan)
    {
        // The AMP's peak is a lower bound for any vertex.
        double const perCycle = static_cast<double>(m_chip.convUnits(m_problem.in)) * (m_problem.in == DType::F16 ? 4 : 1);
        int const parts = m_problem.output + m_problem.inputGradient + m_problem.weightGradient;
        double const least = static_cast<double>(plan.batchBlock * product(plan.outBlock) * m_g.kernelElements() * plan.groupBlock
                                                 * plan.channelBlock * plan.filterBlock)
            * parts / perCycle;
        bool const full = m_found.size() >= kPlansKept;
        if (m_bound && full && least > static_cast<double>(m_found.back().total())) return;
        ++m_considered;
        DType const partials = m_problem.in == DType::F32 ? DType::F32 : m_options.partials;
        plan.temporaryBytes = 0;
        std::array<std::pair<ConvPart, bool>, 3> const wanted{{{ConvPart::Output, m_problem.output},
                                                               {ConvPart::InputGradient, m_problem.inputGradient},
                                                               {ConvPart::WeightGradient, m_problem.weightGradient}}};
        for (auto const &[part, is] : wanted)
            if (is && (!price(part, plan, partials) || (!m_bound && full && plan.temporaryBytes > m_found.back().temporaryBytes))) return;
        // Equal cost: fewer tiles, then the order of enumeration. Never a pointer or a hash, so that plans are reproducible.
        auto const better = [this](ConvPlan const &a, ConvPlan const &b) {
            if (!m_bound && a.temporaryBytes != b.temporaryBytes) return a.temporaryBytes < b.temporaryBytes;
            if (a.total() != b.total()) return a.total() < b.total();
            return a.tiles() < b.tiles();
        };
        auto const at = std::upper_bound(m_found.begin(), m_found.end(), plan, better);
        m_found.insert(at, plan);
        if (m_found.size() > kPlansKept) m_found.pop_back();
    }

    ConvProblem const &m_problem;
    ConvGeometry const &m_g;
    target::Chip const &m_chip;
    ConvOptions const &m_options;
    std::optional<double> m_bound;
    std::vector<ConvPlan> m_found;
    std::int64_t m_considered = 0;
};

} // namespace

std::int64_t ConvPlan::axisStride(std::size_t axis) const
{
    std::int64_t stride = groupStride() * groupParts;
    for (std::size_t i = 2; i > axis; --i) stride *= axisParts[i];
    return stride;
}

std::int64_t ConvPlan::merged(std::size_t axis) const
{
    std::int64_t const last = std::min(kernelParts, axisParts[2]);
    return axis == 2 ? last : axis == 1 ? kernelParts / last : 1;
}

ConvSplit oneSplit(ConvPlan const &plan, ConvGeometry const &geometry, ConvPart part)
{
    ConvSplit split{plan, geometry};
    auto const n = plan.splitsOf(part);
    auto &all = part == ConvPart::InputGradient ? split.geometry.channels : split.geometry.filters;
    auto &block = part == ConvPart::InputGradient ? split.plan.channelBlock : split.plan.filterBlock;
    TW_CHECK(all % n == 0 && block % n == 0, "splits that do not divide a convolution");
    all /= n;
    block /= n;
    return split;
}

ConvPlans planConv(ConvProblem const &problem, target::Chip const &chip, ConvOptions const &options)
{
    ConvPlans plans;
    plans.memoryProportion = options.availableMemoryProportion;
    for (int attempt = 0; attempt < 4; ++attempt) {
        Search search(problem, chip, options, attempt == 3 ? std::nullopt : std::optional(plans.memoryProportion));
        search.run();
        plans.best = search.take();
        plans.considered += search.considered();
        if (!plans.best.empty()) break;
        plans.memoryProportion = attempt == 2 ? 1e9 : plans.memoryProportion * 2;
    }
    TW_CHECK(!plans.best.empty(), "no plan for a convolution");
    for (auto &plan : plans.best) plan.withinMemoryBound = plans.memoryProportion == options.availableMemoryProportion;
    return plans;
}

Cycles idealConvCycles(ConvGeometry const &g, DType in, target::Chip const &chip)
{
    double const perCycle = static_cast<double>(chip.convUnits(in)) * (in == DType::F16 ? 4 : 1) * chip.tiles;
    return static_cast<Cycles>(std::ceil(static_cast<double>(g.multiplyAdds()) / perCycle));
}

std::string planJson(ConvProblem const &problem, ConvPlans const &plans)
{
    auto const &g = problem.geometry;
    auto const one = [&](ConvPlan const &plan) {
        nlohmann::ordered_json j;
        j["split"] = {{"batch", plan.batchParts},      {"positions", plan.axisParts}, {"groups", plan.groupParts},
                      {"channels", plan.channelParts}, {"filters", plan.filterParts}, {"serial", plan.splits},
                      {"kernel", plan.kernelParts}};
        j["block"] = {{"batch", plan.batchBlock},
                      {"positions", plan.outBlock},
                      {"groups", plan.groupBlock},
                      {"channels", plan.channelBlock},
                      {"filters", plan.filterBlock}};
        j["tiles"] = plan.tiles();
        j["temporary_bytes"] = plan.temporaryBytes;
        j["within_memory_bound"] = plan.withinMemoryBound;
        nlohmann::ordered_json cycles;
        cycles["total"] = plan.total();
        constexpr std::array kParts{"output", "input_gradient", "weight_gradient"};
        for (std::size_t i = 0; i < kParts.size(); ++i) {
            auto const &c = plan.cost[i];
            if (c.total() == 0) continue;
            cycles[kParts[i]] = {{"total", c.total()},    {"vertex", cost::toText(c.vertex)},      {"operand_exchange", c.operandExchange},
                                 {"compute", c.compute},  {"partial_exchange", c.partialExchange}, {"reduce", c.reduce},
                                 {"overhead", c.overhead}};
        }
        j["cycles"] = std::move(cycles);
        return j;
    };
    nlohmann::ordered_json j;
    auto const sizes = [&](std::int64_t ConvGeometry::Axis::*extent) {
        std::vector<std::int64_t> all;
        for (auto const &axis : g.axes()) all.push_back(axis.*extent);
        return all;
    };
    j["problem"] = {{"batch", g.batch},
                    {"input", sizes(&ConvGeometry::Axis::in)},
                    {"kernel", sizes(&ConvGeometry::Axis::kernel)},
                    {"output", sizes(&ConvGeometry::Axis::out)},
                    {"strides", sizes(&ConvGeometry::Axis::stride)},
                    {"dilations", sizes(&ConvGeometry::Axis::dilation)},
                    {"groups", g.groups},
                    {"channels", g.channels},
                    {"filters", g.filters},
                    {"type", std::string(toText(problem.in))},
                    {"input_gradient", problem.inputGradient},
                    {"weight_gradient", problem.weightGradient}};
    j["considered"] = plans.considered;
    j["chosen"] = one(plans.best.front());
    j["alternatives"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < plans.best.size(); ++i) j["alternatives"].push_back(one(plans.best[i]));
    return j.dump();
}

} // namespace tilewright::lowering
