#include "engine/lowering/builder.h"

#include "engine/core/text.h"
#include "engine/program/codelet.h"
#include "engine/program/cost/matmul_cost.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;

ProgramBuilder::ProgramBuilder(target::Machine const &machine, int ipusPerReplica, int replicas, Options options)
    : m_machine(machine), m_options(options)
{
    m_program.ipus = ipusPerReplica;
    m_program.replicas = replicas;
    m_program.tilesPerIpu = machine.chip.tiles;
    m_program.ioTilesPerIpu = options.ioTiles;
    m_machine.chip.tiles = std::max(1, machine.chip.tiles - options.freeTiles - options.ioTiles);
    m_cursor.assign(static_cast<std::size_t>(ipusPerReplica), 0);
    m_program.steps.push_back({StepKind::Sequence, "main"});
    m_program.main = StepId(0);
    m_open.push_back(StepId(0));
}

int ProgramBuilder::addOp(Op op)
{
    m_program.ops.push_back(std::move(op));
    return static_cast<int>(m_program.ops.size()) - 1;
}

VarId ProgramBuilder::addVar(std::string name, std::string role, DType dtype, Shape shape, Layout layout, Category category)
{
    Variable variable;
    variable.name = std::move(name);
    variable.role = std::move(role);
    variable.dtype = dtype;
    variable.shape = std::move(shape);
    variable.layout = layout;
    variable.category = category;
    variable.op = m_op;
    m_program.variables.push_back(std::move(variable));
    return VarId(m_program.variables.size() - 1);
}

VarId ProgramBuilder::addConstant(std::string name, DType dtype, Shape shape, std::vector<double> values, int ipu, std::string written)
{
    // A scalar costs four bytes and is used on all tiles, so each tile gets a copy. Equal scalars are shared.
    bool const scalar = elementCount(shape) == 1;
    std::string key;
    if (scalar) {
        key = std::string(tilewright::toText(dtype)) + "/" + std::to_string(ipu) + "/"
            + (written.empty() ? numberText(values.at(0)) : written);
        if (auto const it = m_constantCache.find(key); it != m_constantCache.end()) return it->second;
    }
    Layout layout;
    if (scalar) {
        layout = broadcastLayout(graph::Broadcast::Scalar, singleTile(1, 1, workTiles(ipu), 0));
    } else {
        auto const rc = graph::rowsCols(shape);
        layout = linear(rc.rows, rc.cols, dtype, ipu);
    }
    VarId const id = addVar(std::move(name), "constant", dtype, shape, layout, Category::Constant);
    var(id).alwaysLive = true;
    m_constants.push_back({id, std::move(values), std::move(written)});
    if (scalar) m_constantCache[key] = id;
    return id;
}

int ProgramBuilder::nextTiles(int ipu, std::int64_t count)
{
    auto &cursor = m_cursor[static_cast<std::size_t>(ipu)];
    auto const first = cursor;
    cursor = (cursor + count) % chip().tiles;
    return static_cast<int>(first);
}

Layout ProgramBuilder::linear(std::int64_t rows, std::int64_t cols, DType type, int ipu)
{
    Layout layout = linearLayout(rows, cols, type, workTiles(ipu), 0);
    layout.first = layout.blocks() == chip().tiles ? 0 : nextTiles(ipu, layout.blocks());
    return layout;
}

Layout ProgramBuilder::wholeRows(std::int64_t rows, std::int64_t cols, int ipu)
{
    Layout layout = rowLayout(rows, cols, workTiles(ipu), 0);
    layout.first = nextTiles(ipu, layout.blocks());
    return layout;
}

Layout ProgramBuilder::blocked(std::int64_t rows, std::int64_t rowBlock, std::int64_t cols, std::int64_t colBlock, int ipu)
{
    Layout layout;
    layout.on = workTiles(ipu);
    auto const across = ceilDiv(cols, colBlock);
    layout.add(cut(rows, rowBlock, across));
    layout.add(cut(cols, colBlock, across > 1 ? 1 : 0));
    layout.first = nextTiles(ipu, layout.blocks());
    return layout;
}

Layout ProgramBuilder::oneTile(std::int64_t rows, std::int64_t cols, int ipu)
{
    return singleTile(rows, cols, workTiles(ipu), nextTiles(ipu, 1));
}

StepId ProgramBuilder::beginDetached(StepKind kind, std::string name)
{
    flush();
    Step step;
    step.kind = kind;
    step.name = std::move(name);
    step.op = m_op;
    m_program.steps.push_back(std::move(step));
    StepId const id(m_program.steps.size() - 1);
    m_open.push_back(id);
    return id;
}

StepId ProgramBuilder::beginBlock(StepKind kind, std::string name, std::int64_t count)
{
    flush();
    StepId const parent = m_open.back();
    StepId const id = beginDetached(kind, std::move(name));
    step(id).count = count;
    step(parent).children.push_back(id);
    return id;
}

void ProgramBuilder::endBlock()
{
    flush();
    TW_CHECK(m_open.size() > 1, "no block to close");
    m_open.pop_back();
}

void ProgramBuilder::append(StepId id)
{
    flush();
    step(m_open.back()).children.push_back(id);
}

StepId ProgramBuilder::call(StepId callee, std::string name)
{
    flush();
    Step one;
    one.kind = StepKind::Call;
    one.name = std::move(name);
    one.children = {callee};
    one.op = step(callee).op;
    m_program.steps.push_back(std::move(one));
    StepId const id(m_program.steps.size() - 1);
    append(id);
    return id;
}

int ProgramBuilder::codeletIndex(std::string_view name)
{
    auto const it = std::ranges::find(m_program.codelets, name);
    if (it != m_program.codelets.end()) return static_cast<int>(it - m_program.codelets.begin());
    TW_CHECK(findCodelet(name), "no codelet " + std::string(name));
    m_program.codelets.emplace_back(name);
    return static_cast<int>(m_program.codelets.size()) - 1;
}

VertexFamily ProgramBuilder::family(std::string_view codelet, std::vector<Field> fields, std::vector<double> scalars, std::string expr,
                                    int lead)
{
    VertexFamily family;
    family.codelet = codeletIndex(codelet);
    family.fields = std::move(fields);
    family.scalars = std::move(scalars);
    family.expr = std::move(expr);
    family.lead = lead;
    return family;
}

StepId ProgramBuilder::execute(std::string name, std::vector<VertexFamily> families)
{
    flush();
    for (auto const &family : families) {
        auto const &codelet = m_program.codelets[static_cast<std::size_t>(family.codelet)];
        for (auto const &field : family.fields)
            TW_CHECK(!var(field.var).layout.isGrouped() || (findCodelet(codelet)->knowsGroups && hasMatrixGroups(var(field.var).layout)),
                     codelet + " cannot read the order of " + var(field.var).name);
    }
    ComputeSet set;
    set.name = name;
    set.op = m_op;
    set.families = std::move(families);
    m_program.computeSets.push_back(std::move(set));
    return leaf({.kind = StepKind::Execute, .name = std::move(name), .computeSet = ComputeSetId(m_program.computeSets.size() - 1)});
}

StepId ProgramBuilder::leaf(Step one)
{
    one.op = m_op;
    m_program.steps.push_back(std::move(one));
    StepId const id(m_program.steps.size() - 1);
    append(id);
    return id;
}

void ProgramBuilder::stream(std::string name, VarId id, bool toDevice, int queueIndex)
{
    flush();
    Stream stream{name, id, toDevice, queueIndex, toDevice ? m_options.syntheticInfeed : m_options.syntheticOutfeed};
    auto const &block = step(m_open.back());
    if (m_options.mergeInfeeds && toDevice && !stream.synthetic && !block.children.empty() && block.kind != StepKind::Parallel) {
        auto const &last = step(block.children.back());
        auto const *before = last.kind == StepKind::StreamCopy ? &m_program.streams[last.stream.index] : nullptr;
        stream.continues = before && before->toDevice && var(before->var).layout.on.ipu == var(id).layout.on.ipu;
    }
    m_program.streams.push_back(std::move(stream));
    leaf({.kind = StepKind::StreamCopy, .name = std::move(name), .stream = StreamId(m_program.streams.size() - 1)});
}

void ProgramBuilder::remoteCopy(std::string name, VarId id, VarId remote, bool toDevice, VarId counter)
{
    flush();
    Stream stream{name, id, toDevice};
    stream.remote = remote;
    stream.counter = counter;
    m_program.streams.push_back(std::move(stream));
    leaf({.kind = StepKind::RemoteCopy, .name = std::move(name), .stream = StreamId(m_program.streams.size() - 1)});
}

StepId ProgramBuilder::exchange(std::string name, std::vector<Transfer> transfers, std::vector<RingTransfer> ring, bool global)
{
    flush();
    Exchange exchange;
    exchange.name = name;
    exchange.op = m_op;
    exchange.transfers = std::move(transfers);
    exchange.ring = std::move(ring);
    m_program.exchanges.push_back(std::move(exchange));
    return leaf({.kind = global ? StepKind::GlobalExchange : StepKind::Exchange,
                 .name = std::move(name),
                 .exchange = ExchangeId(m_program.exchanges.size() - 1)});
}

void ProgramBuilder::syncExternal(std::string name)
{
    flush();
    leaf({.kind = StepKind::SyncExternal, .name = std::move(name)});
}

void ProgramBuilder::transfer(Transfer transfer, std::string what)
{
    if (m_pending.empty()) m_pendingName = std::move(what);
    m_pending.push_back(std::move(transfer));
}

void ProgramBuilder::flush()
{
    if (m_pending.empty()) return;
    auto transfers = std::move(m_pending);
    m_pending.clear();
    bool global = false;
    for (auto const &t : transfers) global = global || var(t.src).layout.on.ipu != var(t.dst).layout.on.ipu;
    exchange(m_pendingName, std::move(transfers), {}, global);
}

Transfer ProgramBuilder::whole(VarId src, VarId dst) const
{
    Transfer t;
    t.src = src;
    t.dst = dst;
    return t;
}

VarId ProgramBuilder::gather(VarId src, Layout layout, std::string const &name) // a copy of the layout: addVar moves the variables
{
    if (var(src).layout == layout) return src;
    auto const source = var(src);
    VarId const dst = addVar(name, "message", source.dtype, source.shape, layout, Category::ExchangeBuffer);
    Transfer t = whole(src, dst);
    t.rowMajor = layout.isGrouped(); // pieces of one row each; a vertex reorders them
    transfer(std::move(t), name + "/Exchange");
    return dst;
}

Layout ProgramBuilder::movedTo(Layout layout, int ipu) const
{
    layout.on.begin += (ipu - layout.on.ipu) * m_program.tilesPerIpu;
    layout.on.ipu = ipu;
    return layout;
}

Layout ProgramBuilder::broadcastLayout(graph::Broadcast kind, Layout const &layout) const
{
    if (kind == graph::Broadcast::Full) return layout;
    Layout out;
    out.on = layout.on;
    if (kind == graph::Broadcast::Scalar) {
        // One on each tile of the set, which covers any layout there.
        out.add(cut(layout.on.count, 1, 1, DimKind::Copy));
        out.add(cut(1, 1, 0));
        out.add(cut(1, 1, 0));
        return out;
    }
    TW_CHECK(layout.isRowsOf(layout.cols()), "a row or a column beside something that is no rows of columns");
    out.first = layout.first;
    int const last = layout.rank - 1;
    auto const copiesAlong = [&](Dim const &dim) {
        if (dim.count > 1 || layout.isMatrix()) out.add(cut(dim.count, 1, dim.stride, DimKind::Copy));
    };
    if (kind == graph::Broadcast::Row) {
        for (int d = 0; d < last; ++d) copiesAlong(layout.dim(d));
        out.add(cut(1, 1, 0));
        out.add(layout.col());
    } else {
        copiesAlong(layout.col());
        for (int d = 0; d < last; ++d) out.add(layout.dim(d));
        out.add(cut(1, 1, 0));
    }
    return out;
}

VarId ProgramBuilder::reducePartials(VarId partials, std::string const &name, Shape shape, std::string role, std::optional<Layout> want,
                                     cost::ReduceOp op, std::optional<DType> outType)
{
    std::string const codelet = op == cost::ReduceOp::Add ? "ReduceAdd" : "Reduce" + std::string(cost::titleOf(op));
    VarId current = partials;
    auto const type = var(partials).dtype;
    for (;;) {
        Layout const layout = var(current).layout;
        std::int64_t const depth = layout.has(DimKind::Addend) ? layout.parts() : 1;
        if (depth == 1) {
            if (!want || layout == *want) return current;
            VarId const result = addVar(name, role, type, shape, *want);
            transfer(whole(current, result), name + "/Copy");
            flush();
            return result;
        }
        std::int64_t const rows = layout.rows(), cols = layout.cols();
        auto const stages = cost::reduceStagePlan(depth);
        std::int64_t const out = stages.empty() ? 1 : stages.front();
        std::int64_t const inputs = ceilDiv(depth, out);
        // Blocks of this stage: `out` sums per element, spread over the tiles that computed the partials.
        std::int64_t const groups = out == 1 ? 1 : ceilDiv(depth, inputs);
        Layout sums; // of one group
        std::int64_t perGroup = 0;
        if (out == 1 && want) {
            sums = *want;
        } else {
            sums.on = layout.on;
            sums.first = layout.first;
            std::int64_t const available = std::max<std::int64_t>(1, std::min<std::int64_t>(layout.on.count, layout.blocks()));
            std::int64_t const grain = std::max<std::int64_t>(1, 128 / sizeOf(type));
            // Keep the cuts of the columns; cut rows further as long as tiles and grain allow.
            std::int64_t colBlock = layout.col().block;
            while (groups * ceilDiv(cols, colBlock) > available) colBlock *= 2;
            std::int64_t const perColumn = std::max<std::int64_t>(1, available / (groups * ceilDiv(cols, colBlock)));
            std::int64_t rowBlock = std::max(ceilDiv(rows, perColumn), ceilDiv(grain, colBlock));
            rowBlock = std::min(rowBlock, rows);
            if (rowBlock == 1 && rows == 1) {
                // A vector: cut the columns instead.
                std::int64_t const parts = std::max<std::int64_t>(1, available / groups);
                colBlock = std::min(cols, std::max(grain, roundUp(ceilDiv(cols, parts), std::max<std::int64_t>(1, 8 / sizeOf(type)))));
            }
            auto const colCount = ceilDiv(cols, colBlock);
            sums.add(cut(rows, rowBlock, colCount));
            sums.add(cut(cols, colBlock, 1));
            perGroup = sums.blocks();
        }
        Layout received = sums;
        received.addOuter(cut(depth, out == 1 ? depth : inputs, perGroup, DimKind::Addend));
        if (out == 1) received.dim(0).stride = 0;
        if (groups > 1) sums.addOuter(cut(groups, 1, perGroup, DimKind::Addend));
        VarId buffer = current;
        if (received != layout) {
            buffer = addVar(name + "/partials", "message", type, var(partials).shape, received, Category::ExchangeBuffer);
            transfer(whole(current, buffer), name + "/ReduceExchange");
        }
        var(buffer).interleaved = true; // summed at the full load width
        VarId const result = addVar(out == 1 ? name : name + "/intermediate", out == 1 ? role : "partial",
                                    out == 1 ? outType.value_or(type) : type, shape, sums);
        execute(name + "/" + codelet, {family(codelet, {{result, Access::Write}, {buffer, Access::Read}})});
        current = result;
        if (out == 1) return current;
    }
}

} // namespace tilewright::lowering
