#include "engine/lowering/conv_plan.h"

#include "engine/lowering/plan_search.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::lowering {

namespace {

using cost::ConvPart;
using graph::ConvGeometry;
using Span3 = std::array<std::int64_t, 3>;

/// Control code and barrier of the steps of one convolution: exchange, vertices, exchange, sums.
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

/// Sizes of what a tile holds for one of the three.
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

ConvCost costOf(Blocks const &b, DType in, DType partials, target::Chip const &chip)
{
    ConvCost cost;
    auto const choice = cost::cheapestConvVertex(b.tile, {chip.convUnits(in), chip.weightLoadBytes, chip.convInputGroup(in)});
    cost.vertex = choice.vertex;
    cost.compute = choice.cycles;
    std::int64_t const bytes = (b.firstShares ? b.first / 2 : b.first) * sizeOf(in) + b.second * sizeOf(in);
    cost.operandExchange = ceilDiv(bytes, std::int64_t{chip.exchangeBytesPerCycle});
    auto const sums = partialReduction(b.result, b.sums, partials, chip);
    cost.partialExchange = sums.exchange;
    cost.reduce = sums.compute;
    cost.overhead = kStepOverhead * kStepsPerConv;
    return cost;
}

/// Tries splits in nested order; keeps the best.
class Search {
public:
    Search(ConvProblem const &problem, target::Chip const &chip, ConvOptions const &options, double bound)
        : m_problem(problem), m_g(problem.geometry), m_chip(chip), m_options(options), m_bound(bound)
    {
    }

    void run()
    {
        std::int64_t const units = m_chip.convUnits(m_problem.in), grain = m_chip.convInputGroup(m_problem.in);
        // A layout has six dimensions: three axes and groups leave none for copies and addends.
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
            // Blocks of x begin at a multiple of the stride, so that windows are dealt evenly.
            plan.inBlock[axis] = std::min(a.in, roundUp(ceilDiv(a.in, plan.axisParts[axis]), a.stride));
            axes(plan, axis + 1, tiles / plan.axisParts[axis]);
        }
    }

    /// What the tile computed and what it receives to sum up.
    Bytes temporaries(Blocks const &blocks, DType partials) const
    {
        return (blocks.first + blocks.second) * sizeOf(m_problem.in) + (blocks.sums > 1 ? 2 : 1) * blocks.result * sizeOf(partials);
    }
    bool fits(Bytes bytes) const { return static_cast<double>(bytes) <= m_bound * static_cast<double>(m_chip.bytesPerTile); }

    /// Prices the weight gradient with the cheapest cut of the kernel; false: none fits.
    bool splitKernel(ConvPlan &plan, DType partials) const
    {
        auto &cost = plan.cost[static_cast<std::size_t>(ConvPart::WeightGradient)];
        std::int64_t best = 0;
        Bytes bytes = 0;
        for (auto const parts : kernelSplits(plan)) {
            plan.kernelParts = parts;
            auto const blocks = blocksOf(ConvPart::WeightGradient, plan, m_g, m_problem.in, partials);
            auto const need = temporaries(blocks, partials);
            if (!fits(need)) continue;
            auto const found = costOf(blocks, m_problem.in, partials, m_chip);
            if (best > 0 && found.total() >= cost.total()) continue;
            cost = found;
            best = parts;
            bytes = need;
        }
        plan.kernelParts = std::max<std::int64_t>(1, best);
        plan.temporaryBytes = std::max(plan.temporaryBytes, bytes);
        return best > 0;
    }
    /// So many neighbours may share their positions: those along the last axis, or all of them and some along the one before.
    std::vector<std::int64_t> kernelSplits(ConvPlan const &plan) const
    {
        std::vector<std::int64_t> splits{1};
        // Two kinds of copies, batch, axes, groups, channels: a layout has six dimensions.
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
        // Whatever the vertex, the AMP's peak bounds it from below.
        double const perCycle = static_cast<double>(m_chip.convUnits(m_problem.in)) * (m_problem.in == DType::F16 ? 4 : 1);
        int const parts = m_problem.output + m_problem.inputGradient + m_problem.weightGradient;
        double const least = static_cast<double>(plan.batchBlock * product(plan.outBlock) * m_g.kernelElements() * plan.groupBlock
                                                 * plan.channelBlock * plan.filterBlock)
            * parts / perCycle;
        if (m_found.size() >= kPlansKept && least > static_cast<double>(m_found.back().total())) return;
        ++m_considered;
        DType const partials = m_problem.in == DType::F32 ? DType::F32 : m_options.partials;
        plan.temporaryBytes = 0;
        for (auto part : {ConvPart::Output, ConvPart::InputGradient, ConvPart::WeightGradient}) {
            bool const wanted = part == ConvPart::Output ? m_problem.output
                : part == ConvPart::InputGradient        ? m_problem.inputGradient
                                                         : m_problem.weightGradient;
            if (!wanted) continue;
            if (part == ConvPart::WeightGradient) {
                if (!splitKernel(plan, partials)) return;
                continue;
            }
            auto const blocks = blocksOf(part, plan, m_g, m_problem.in, partials);
            plan.temporaryBytes = std::max(plan.temporaryBytes, temporaries(blocks, partials));
            if (!fits(plan.temporaryBytes)) return;
            plan.cost[static_cast<std::size_t>(part)] = costOf(blocks, m_problem.in, partials, m_chip);
        }
        // Equal cost: fewer tiles, then the order of enumeration; never a pointer or a hash.
        auto const better = [](ConvPlan const &a, ConvPlan const &b) {
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
    double m_bound;
    std::vector<ConvPlan> m_found;
    std::int64_t m_considered = 0;
};

/// Blocks of `block`, one every `step` beginning `before` in front of the tensor, made larger where they would hold nothing.
program::Dim halo(std::int64_t extent, std::int64_t block, std::int64_t step, std::int64_t before, std::int64_t count, std::int64_t stride)
{
    if (before < 0) { // a block begins later: read what lies before as well
        block -= before;
        before = 0;
    }
    std::int64_t const back = std::max<std::int64_t>(0, (count - 1) * step - before - (extent - 1));
    before += back;
    block = std::max(block + back, before + 1);
    // Where blocks happen to lie side by side they must be all there is.
    if (step == block && before == 0 && count != ceilDiv(extent, block)) ++block;
    return program::window(extent, block, step, before, count, stride);
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -ceilDiv(-a, b); }

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

ConvPlans planConv(ConvProblem const &problem, target::Chip const &chip, ConvOptions const &options)
{
    ConvPlans plans;
    plans.memoryProportion = options.availableMemoryProportion;
    for (int attempt = 0; attempt < 4; ++attempt) {
        Search search(problem, chip, options, attempt == 3 ? 1e9 : plans.memoryProportion);
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
        j["split"] = {{"batch", plan.batchParts}, {"positions", plan.axisParts}, {"groups", plan.groupParts},
                      {"channels", plan.channelParts}, {"filters", plan.filterParts}, {"kernel", plan.kernelParts}};
        j["block"] = {{"batch", plan.batchBlock}, {"positions", plan.outBlock}, {"groups", plan.groupBlock},
                      {"channels", plan.channelBlock}, {"filters", plan.filterBlock}};
        j["tiles"] = plan.tiles();
        j["temporary_bytes"] = plan.temporaryBytes;
        j["within_memory_bound"] = plan.withinMemoryBound;
        nlohmann::ordered_json cycles;
        cycles["total"] = plan.total();
        constexpr std::array kParts{"output", "input_gradient", "weight_gradient"};
        for (std::size_t i = 0; i < kParts.size(); ++i) {
            auto const &c = plan.cost[i];
            if (c.total() == 0) continue;
            cycles[kParts[i]] = {{"total", c.total()}, {"vertex", cost::toText(c.vertex)}, {"operand_exchange", c.operandExchange},
                                 {"compute", c.compute}, {"partial_exchange", c.partialExchange}, {"reduce", c.reduce}, {"overhead", c.overhead}};
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
    j["problem"] = {{"batch", g.batch}, {"input", sizes(&ConvGeometry::Axis::in)}, {"kernel", sizes(&ConvGeometry::Axis::kernel)},
                    {"output", sizes(&ConvGeometry::Axis::out)}, {"strides", sizes(&ConvGeometry::Axis::stride)},
                    {"dilations", sizes(&ConvGeometry::Axis::dilation)}, {"groups", g.groups}, {"channels", g.channels},
                    {"filters", g.filters}, {"type", std::string(toText(problem.in))}, {"input_gradient", problem.inputGradient},
                    {"weight_gradient", problem.weightGradient}};
    j["considered"] = plans.considered;
    j["chosen"] = one(plans.best.front());
    j["alternatives"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < plans.best.size(); ++i) j["alternatives"].push_back(one(plans.best[i]));
    return j.dump();
}

// -- layouts

using namespace program;

Layout ConvLayouts::begin(std::int64_t several, std::int64_t stride, DimKind kind) const
{
    Layout layout = m_on;
    if (several > 1) layout.add(cut(several, 1, stride, kind));
    return layout;
}

void ConvLayouts::addChannels(Layout &layout, bool filters) const
{
    if (grouped()) layout.add(cut(m_g.groups, m_plan.groupBlock, m_plan.groupStride()));
    if (filters) layout.add(cut(m_g.filters, m_plan.filterBlock, m_plan.filterStride()));
    else layout.add(cut(m_g.channels, m_plan.channelBlock, m_plan.channelStride()));
}

void ConvLayouts::addWindows(Layout &layout, bool forWeights) const
{
    for (int i = 0; i < m_g.spatial; ++i) {
        auto const &a = m_g.axis[axis(i)];
        std::int64_t const merged = forWeights ? m_plan.merged(axis(i)) : 1, outputs = m_plan.outBlock[axis(i)] * merged;
        layout.add(halo(a.in, (outputs - 1) * a.stride + (a.kernel - 1) * a.dilation + 1, outputs * a.stride, a.before,
                        m_plan.axisParts[axis(i)] / merged, m_plan.axisStride(axis(i)) * merged));
    }
}

void ConvLayouts::addOutputs(Layout &layout, bool forWeights) const
{
    for (int i = 0; i < m_g.spatial; ++i) {
        std::int64_t const out = m_g.axis[axis(i)].out, merged = forWeights ? m_plan.merged(axis(i)) : 1;
        layout.add(cut(out, std::min(out, m_plan.outBlock[axis(i)] * merged), m_plan.axisStride(axis(i)) * merged));
    }
}

Layout ConvLayouts::inputOfWindows() const
{
    Layout layout = begin(m_plan.filterParts, m_plan.filterStride(), DimKind::Copy);
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    addWindows(layout, false);
    addChannels(layout, false);
    return layout;
}

Layout ConvLayouts::inputForWeights() const
{
    Layout layout = begin(m_plan.filterParts, m_plan.filterStride(), DimKind::Copy);
    if (m_plan.kernelParts > 1) layout.add(cut(m_plan.kernelParts, 1, m_plan.axisStride(2), DimKind::Copy));
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    addWindows(layout, true);
    addChannels(layout, false);
    return layout;
}

Layout ConvLayouts::outputForWeights() const
{
    Layout layout = begin(m_plan.channelParts, m_plan.channelStride(), DimKind::Copy);
    if (m_plan.kernelParts > 1) layout.add(cut(m_plan.kernelParts, 1, m_plan.axisStride(2), DimKind::Copy));
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    addOutputs(layout, true);
    addChannels(layout, true);
    return layout;
}

Layout ConvLayouts::outputOfReaders() const
{
    Layout layout = begin(m_plan.channelParts, m_plan.channelStride(), DimKind::Copy);
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    for (int i = 0; i < m_g.spatial; ++i) {
        auto const &a = m_g.axis[axis(i)];
        std::int64_t const inputs = m_plan.inBlock[axis(i)], count = ceilDiv(a.in, inputs);
        // Windows from the first whose last element reads the block's first position to the last whose first element reads its last.
        std::int64_t const before = floorDiv((a.kernel - 1) * a.dilation - a.before, a.stride);
        std::int64_t const end = floorDiv(inputs - 1 + a.before, a.stride) + 1;
        layout.add(halo(a.out, end + before, ceilDiv(inputs, a.stride), before, count, m_plan.axisStride(axis(i))));
    }
    addChannels(layout, true);
    return layout;
}

Layout ConvLayouts::weightsRead() const
{
    std::int64_t const copies = m_plan.batchParts * m_plan.positionParts();
    Layout layout = begin(copies, m_plan.axisStride(2), DimKind::Copy);
    layout.add(cut(m_g.kernelElements(), m_g.kernelElements(), 0));
    layout.add(cut(m_g.channels, m_plan.channelBlock, m_plan.channelStride()));
    addChannels(layout, true);
    return layout;
}

Layout ConvLayouts::outputPartials() const
{
    Layout layout = begin(m_plan.channelParts, m_plan.channelStride(), DimKind::Addend);
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    addOutputs(layout, false);
    addChannels(layout, true);
    return layout;
}

Layout ConvLayouts::inputPartials() const
{
    Layout layout = begin(m_plan.filterParts, m_plan.filterStride(), DimKind::Addend);
    layout.add(cut(m_g.batch, m_plan.batchBlock, m_plan.batchStride()));
    for (int i = 0; i < m_g.spatial; ++i) layout.add(cut(m_g.axis[axis(i)].in, m_plan.inBlock[axis(i)], m_plan.axisStride(axis(i))));
    addChannels(layout, false);
    return layout;
}

Layout ConvLayouts::weightPartials() const
{
    std::int64_t const sums = m_plan.batchParts * m_plan.positionParts() / m_plan.kernelParts;
    Layout layout = begin(sums, m_plan.axisStride(2) * m_plan.kernelParts, DimKind::Addend);
    layout.add(cut(m_g.kernelElements(), ceilDiv(m_g.kernelElements(), m_plan.kernelParts), m_plan.axisStride(2)));
    layout.add(cut(m_g.channels, m_plan.channelBlock, m_plan.channelStride()));
    addChannels(layout, true);
    return layout;
}

Layout ConvLayouts::weightsHome(DType type) const
{
    constexpr Bytes kRun = 256;
    return summed(weightPartials(), kRun / sizeOf(type));
}

Layout ConvLayouts::summed(Layout const &partials, std::int64_t leastRun) const
{
    Layout plain;
    plain.on = partials.on;
    plain.first = partials.first;
    std::int64_t parts = 1;
    for (int d = 0; d < partials.rank; ++d) {
        if (partials.dim(d).kind == DimKind::Addend) parts = partials.dim(d).extent;
        else plain.add(partials.dim(d));
    }
    // The outer dimensions are cut further, as far as tiles go: rows stay long.
    for (int d = 0; d + 1 < plain.rank && parts > 1; ++d) {
        auto &dim = plain.dim(d);
        std::int64_t run = 1;
        for (int inner = d + 1; inner < plain.rank; ++inner) run *= plain.dim(inner).block;
        std::int64_t const block = std::max(ceilDiv(dim.block, std::min(parts, dim.block)), std::min(dim.block, ceilDiv(leastRun, run)));
        if (block == dim.block) continue;
        auto const whole = dim;
        std::int64_t const finer = ceilDiv(dim.block, block);
        dim = cut(dim.extent, block, 0);
        if (plain.blocks() > plain.on.count) {
            dim = whole;
            break;
        }
        parts = ceilDiv(parts, finer);
    }
    // Row-major over the tiles, as every later sum over positions wants it.
    std::int64_t stride = 1;
    for (int d = plain.rank; d-- > 0;) {
        plain.dim(d).stride = static_cast<std::int32_t>(plain.dim(d).count > 1 ? stride : 0);
        stride *= plain.dim(d).count;
    }
    return plain;
}

} // namespace tilewright::lowering
