// What a program must be, whoever made it: a lowering, or a file.
#include "engine/program/pieces.h"
#include "engine/program/program.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::program {

namespace {

/// Numbers that a computation with them cannot overflow, whatever the file they came from says.
constexpr std::int64_t kMaxTiles = std::int64_t{1} << 20;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;
/// Elements of a variable that is looked at one by one: far more than an IPU holds.
constexpr std::int64_t kMaxCounted = std::int64_t{1} << 32;

Diagnostic broken(std::string subject, Message what)
{
    return makeError(ErrorKind::Internal, "program.broken", std::move(subject),
                     Message::of("the lowered program is not well formed: %1", std::move(what)));
}

Diagnostic notOnTiles(std::string const &subject, Variable const &variable)
{
    return broken(subject, Message::of("%1 is in streaming memory: only remote copies reach it", variable.name));
}

/// Enumerators count from 0.
template <typename E> bool isOneOf(E value, E last) { return static_cast<int>(value) >= 0 && value <= last; }

// -- layouts

/// Whether every element lies in the part of a block that is read for it.
bool coversAll(Layout const &layout)
{
    for (int d = 0; d < layout.rank; ++d) {
        auto const &dim = layout.dim(d);
        if (dim.overlaps() && (dim.end(dim.count - 1) < dim.extent || (dim.count > 1 && dim.step > dim.block - dim.before))) return false;
    }
    return true;
}

/// Everything that other checks, and functions of Layout, compute with.
Status verifyLayout(Program const &program, Variable const &variable)
{
    auto const &layout = variable.layout;
    if (!isOneOf(variable.dtype, DType::Bool) || !isOneOf(variable.category, Category::Rearrangement)
        || !isOneOf(variable.home, Home::Shards))
        return broken(variable.name, Message::of("unknown kind of variable"));
    auto const &on = layout.on;
    if (on.ipu < 0 || on.ipu >= program.ipus || on.count < 1 || on.begin < on.ipu * program.tilesPerIpu
        || on.count > (on.ipu + 1) * program.tilesPerIpu - on.begin)
        return broken(variable.name, Message::of("is placed on tiles that the machine does not have"));
    if (layout.rank < 1 || layout.rank > kMaxDims) return broken(variable.name, Message::of("the layout has no or too many dimensions"));
    if (layout.first < 0) return broken(variable.name, Message::of("starts on a negative tile"));
    std::int64_t elements = 1, blocks = 1;
    for (int d = 0; d < layout.rank; ++d) {
        auto const &dim = layout.dim(d);
        if (!isOneOf(dim.kind, DimKind::Slot)) return broken(variable.name, Message::of("unknown kind of dimension"));
        if (dim.extent < 1 || dim.block < 1 || dim.step < 1 || dim.count < 1 || dim.group < 1)
            return broken(variable.name, Message::of("empty layout"));
        if (dim.extent > kMaxElements / elements || dim.block > kMaxElements || dim.step > kMaxElements || dim.before > kMaxElements)
            return broken(variable.name, Message::of("more elements than any machine holds"));
        if (dim.count > kMaxTiles / blocks) return broken(variable.name, Message::of("more blocks than any machine has tiles"));
        elements *= dim.extent;
        blocks *= dim.count;
        if (dim.stride < 0 || dim.before < 0) return broken(variable.name, Message::of("a negative stride of tiles, or a negative halo"));
    }
    if (auto const problem = layoutProblem(layout); !problem.empty())
        return broken(variable.name, Message::of("%1: %2", problem, toText(layout)));
    if (!isInjective(layout)) return broken(variable.name, Message::of("two blocks on one tile: %1", toText(layout)));
    std::int64_t tensor = 1;
    for (auto extent : variable.shape) {
        if (extent < 1 || extent > kMaxElements / tensor) return broken(variable.name, Message::of("the shape is empty or too large"));
        tensor *= extent;
    }
    if (layout.indexElements() != tensor) return broken(variable.name, Message::of("the layout does not hold its tensor"));
    for (int d = 0; d < layout.rank && variable.home == Home::Shards; ++d)
        if (layout.dim(d).kind != DimKind::Index || layout.dim(d).overlaps())
            return broken(variable.name, Message::of("its blocks cannot be shared out to replicas"));
    if (variable.alwaysLive && !coversAll(layout)) return broken(variable.name, Message::of("is kept, but not all of it has a place"));
    return {};
}

// -- compute sets

Status verifyComputeSet(Program const &program, ComputeSet const &set)
{
    // Readers and writers of one compute set run at the same time: an element written by one vertex may
    // be touched by no other. Families address whole blocks (or one slice), so this is a check by
    // variable and tile.
    struct Use {
        VarId var;
        std::int32_t slice;
        bool write;
        std::size_t family;
    };
    std::vector<Use> uses;
    for (std::size_t f = 0; f < set.families.size(); ++f) {
        auto const &family = set.families[f];
        if (family.codelet < 0 || family.codelet >= static_cast<int>(program.codelets.size()))
            return broken(set.name, Message::of("codelet does not exist"));
        if (family.lead < 0 || family.lead >= static_cast<int>(family.fields.size()))
            return broken(set.name, Message::of("family has no leading field"));
        for (auto const &field : family.fields) {
            if (field.var.index >= program.variables.size()) return broken(set.name, Message::of("field does not exist"));
            if (program.var(field.var).home != Home::Tiles) return notOnTiles(set.name, program.var(field.var));
            if (!isOneOf(field.access, Access::Regroup)) return broken(set.name, Message::of("unknown kind of access"));
            auto const &layout = program.var(field.var).layout;
            auto const &outer = layout.dim(layout.order[0]);
            if (field.slice < -1 || field.slice >= outer.size(outer.count - 1) || (field.slice >= 0 && layout.isGrouped()))
                return broken(set.name, Message::of("a field's slice is outside its block"));
            uses.push_back({field.var, field.slice, field.access != Access::Read, f});
        }
        auto const &leader = program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout;
        auto const leads = blockByTile(leader, program.tiles());
        for (auto const &field : family.fields) {
            auto const &layout = program.var(field.var).layout;
            if (layout == leader) continue;
            auto const byTile = blockByTile(layout, program.tiles());
            for (std::size_t tile = 0; tile < leads.size(); ++tile)
                if (leads[tile] >= 0 && byTile[tile] < 0)
                    return broken(set.name, Message::of("%1 has no block on tile %2", program.var(field.var).name, tile));
            // Liveness takes a written variable for written whole.
            if (field.access == Access::Write && layout.blocks() != leader.blocks())
                return broken(set.name, Message::of("not every block of %1 is written", program.var(field.var).name));
        }
    }
    for (std::size_t a = 0; a < uses.size(); ++a)
        for (std::size_t b = a + 1; b < uses.size(); ++b)
            if (uses[a].var == uses[b].var && (uses[a].write || uses[b].write) && uses[a].family != uses[b].family
                && (uses[a].slice < 0 || uses[b].slice < 0 || uses[a].slice == uses[b].slice))
                return broken(set.name, Message::of("two vertices access %1, and one of them writes", program.var(uses[a].var).name));
    return {};
}

// -- exchanges

/// Whether a nest from `start` on goes past the end of a tensor.
bool leaves(Transfer const &t, std::int64_t start, std::int64_t Loop::*stride, std::int64_t elements)
{
    if (start < 0 || start >= elements) return true;
    std::int64_t room = elements - 1 - start;
    for (auto const &loop : t.loops) {
        auto const s = loop.*stride;
        if (s < 0 || loop.count > kMaxElements || (s > 0 && loop.count - 1 > room / s)) return true;
        room -= (loop.count - 1) * s;
    }
    return false;
}

Status verifyTransfer(Program const &program, Exchange const &exchange, Transfer const &t)
{
    if (t.src.index >= program.variables.size() || t.dst.index >= program.variables.size())
        return broken(exchange.name, Message::of("variable does not exist"));
    auto const &src = program.var(t.src);
    auto const &dst = program.var(t.dst);
    auto const what = src.name + " to " + dst.name;
    for (auto const *end : {&src, &dst})
        if (end->home != Home::Tiles) return notOnTiles(exchange.name, *end);
    if (sizeOf(src.dtype) != sizeOf(dst.dtype)) return broken(exchange.name, Message::of("element sizes differ: %1", what));
    auto const from = src.layout.indexElements(), to = dst.layout.indexElements();
    if (t.loops.empty()) {
        if (from != to || t.src0 != 0 || t.dst0 != 0) return broken(exchange.name, Message::of("%1 are not twins", what));
    } else {
        if (t.loops.size() > kMaxDims) return broken(exchange.name, Message::of("too many loops: %1", what));
        for (auto const &loop : t.loops)
            if (loop.count < 1) return broken(exchange.name, Message::of("an empty loop: %1", what));
        if (leaves(t, t.src0, &Loop::src, from) || leaves(t, t.dst0, &Loop::dst, to))
            return broken(exchange.name, Message::of("transfer %1 reaches outside its tensors", what));
        if (writesTwice(t.loops)) return broken(exchange.name, Message::of("elements of %1 are written twice", dst.name));
    }
    if (!coversAll(src.layout)) return broken(exchange.name, Message::of("reads elements of %1 that no block holds", src.name));
    if (t.dstPart < -1 || t.srcPart < -1 || t.dstPart >= dst.layout.parts() || t.srcPart >= src.layout.parts())
        return broken(exchange.name, Message::of("an addend or slot does not exist: %1", what));
    // All addends at once: each from its twin. Slots are filled one at a time.
    bool const all = dst.layout.parts() > 1 && t.dstPart < 0;
    if (all && dst.layout.has(DimKind::Slot)) return broken(exchange.name, Message::of("a slot of %1 must be named", dst.name));
    if (all && (!src.layout.has(DimKind::Addend) || (t.srcPart < 0 && src.layout.parts() != dst.layout.parts())))
        return broken(exchange.name, Message::of("partial counts differ: %1", what));
    if (!all && src.layout.parts() > 1 && t.srcPart < 0)
        return broken(exchange.name, Message::of("one of the addends of %1 would replace their sum", src.name));
    if (t.rowMajor && dst.layout.isRowMajor()) return broken(exchange.name, Message::of("%1 needs no regrouping", dst.name));
    return {};
}

/// Marks what a transfer writes; false when something is written already.
bool markWritten(Transfer const &t, std::int64_t elements, std::vector<bool> &written)
{
    auto const visit = [&](auto &&self, std::size_t level, std::int64_t at) -> bool {
        if (level == t.loops.size()) {
            if (written[static_cast<std::size_t>(at)]) return false;
            written[static_cast<std::size_t>(at)] = true;
            return true;
        }
        for (std::int64_t i = 0; i < t.loops[level].count; ++i)
            if (!self(self, level + 1, at + i * t.loops[level].dst)) return false;
        return true;
    };
    if (!t.loops.empty()) return visit(visit, 0, t.dst0);
    for (std::int64_t i = 0; i < elements; ++i) {
        if (written[static_cast<std::size_t>(i)]) return false;
        written[static_cast<std::size_t>(i)] = true;
    }
    return true;
}

/// Several transfers into one variable write different elements of it.
Status verifyDisjoint(Program const &program, Exchange const &exchange)
{
    std::map<VarId, std::map<std::int32_t, std::vector<Transfer const *>>> writers; // by variable and addend
    for (auto const &t : exchange.transfers) writers[t.dst][t.dstPart].push_back(&t);
    for (auto const &[var, byPart] : writers) {
        auto const &variable = program.var(var);
        bool const several = byPart.contains(-1) && byPart.size() > 1;
        for (auto const &[part, transfers] : byPart) {
            if (several && variable.layout.parts() > 1)
                return broken(exchange.name, Message::of("all addends of %1 are written, and one of them again", variable.name));
            // Of a single one: to name it or not is the same.
            if (several && part != -1) continue;
            std::vector<Transfer const *> all = transfers;
            for (auto const &[other, more] : byPart)
                if (several && other != -1) all.insert(all.end(), more.begin(), more.end());
            if (all.size() == 1) continue;
            auto const elements = variable.layout.indexElements();
            if (elements > kMaxCounted)
                return broken(exchange.name, Message::of("%1 has too many elements to be put together", variable.name));
            std::vector<bool> written(static_cast<std::size_t>(elements), false);
            for (auto const *t : all)
                if (!markWritten(*t, elements, written))
                    return broken(exchange.name, Message::of("two transfers write an element of %1", variable.name));
        }
    }
    return {};
}

Status verifyRing(Program const &program, Exchange const &exchange, RingTransfer const &ring)
{
    if (ring.src.index >= program.variables.size() || ring.dst.index >= program.variables.size())
        return broken(exchange.name, Message::of("variable does not exist"));
    auto const &src = program.var(ring.src), &dst = program.var(ring.dst);
    for (auto const *end : {&src, &dst})
        if (end->home != Home::Tiles) return notOnTiles(exchange.name, *end);
    if (sizeOf(src.dtype) != sizeOf(dst.dtype) || src.layout.blocks() != dst.layout.blocks())
        return broken(exchange.name, Message::of("ends of a ring differ"));
    auto const from = blockByTile(src.layout, program.tiles()), to = blockByTile(dst.layout, program.tiles());
    for (std::size_t tile = 0; tile < from.size(); ++tile)
        if (from[tile] >= 0 && to[tile] < 0) return broken(exchange.name, Message::of("the ends of a ring are on different tiles"));
    return {};
}

Status verifyExchange(Program const &program, Exchange const &exchange)
{
    std::set<VarId> sources, destinations;
    for (auto const &t : exchange.transfers) {
        TW_TRY(verifyTransfer(program, exchange, t));
        sources.insert(t.src);
        destinations.insert(t.dst);
    }
    // All transfers of an exchange happen at the same time.
    for (auto id : destinations)
        if (sources.contains(id))
            return broken(exchange.name, Message::of("%1 is sent and received at the same time", program.var(id).name));
    TW_TRY(verifyDisjoint(program, exchange));
    for (auto const &ring : exchange.ring) TW_TRY(verifyRing(program, exchange, ring));
    return {};
}

// -- streams

Status verifyStream(Program const &program, Stream const &stream)
{
    if (stream.var.index >= program.variables.size()) return broken(stream.name, Message::of("variable does not exist"));
    auto const &variable = program.var(stream.var);
    if (variable.home != Home::Tiles) return notOnTiles(stream.name, variable);
    if (!stream.toDevice && !coversAll(variable.layout)) return broken(stream.name, Message::of("sends elements that no block holds"));
    if (stream.continues && (stream.remote.valid() || stream.synthetic || !stream.toDevice))
        return broken(stream.name, Message::of("only what the host sends continues a transfer"));
    if (!stream.remote.valid()) return stream.counter.valid() ? broken(stream.name, Message::of("a slot of the host")) : Status();
    if (stream.remote.index >= program.variables.size()) return broken(stream.name, Message::of("variable does not exist"));
    auto const &remote = program.var(stream.remote);
    if (remote.home == Home::Tiles) return broken(stream.name, Message::of("%1 is not in streaming memory", remote.name));
    bool const twins = remote.home == Home::Shards ? variable.layout == shardLayout(remote.layout, program.replicas)
                                                   : elementCount(remote.shape) == elementCount(variable.shape);
    if (remote.dtype != variable.dtype || !twins)
        return broken(stream.name, Message::of("%1 and %2 are not twins", remote.name, variable.name));
    if (variable.layout.parts() > 1) return broken(stream.name, Message::of("%1 is more than its tensor", variable.name));
    if ((remote.layout.parts() > 1 || stream.counter.valid()) && !(remote.layout.has(DimKind::Slot) && remote.home == Home::Streaming))
        return broken(stream.name, Message::of("%1 has no slots", remote.name));
    if (!remote.layout.has(DimKind::Slot)) return {};
    if (stream.counter.index >= program.variables.size()) return broken(stream.name, Message::of("no counter says which slot"));
    auto const &counter = program.var(stream.counter);
    if (counter.home != Home::Tiles || counter.dtype != DType::I32)
        return broken(stream.name, Message::of("%1 is not a counter on a tile", counter.name));
    return {};
}

// -- control

/// Whether a variable lies on tiles of the lane only.
bool isInLane(Layout const &layout, TileSet const &lane)
{
    auto const holds = [&](int tile) { return tile >= lane.begin && tile < lane.begin + lane.count; };
    if (holds(layout.on.begin) && holds(layout.on.begin + layout.on.count - 1)) return true;
    auto const places = placements(layout);
    return std::ranges::all_of(places, [&](auto const &block) { return holds(block.tile); });
}

/// The tiles of a child of a parallel step: those of a lane, or the compute tiles of the IPU that runs a stage's task.
TileSet tilesOf(Program const &program, Step const &child)
{
    if (child.isLane()) return child.lane;
    return {child.ipu * program.tilesPerIpu, program.tilesPerIpu - program.ioTilesPerIpu, child.ipu};
}

/// The leaf steps of a lane use its tiles only. Adds the variables that they access. Requires: verified leaf steps.
Status verifyLane(Program const &program, Step const &lane, TileSet const &on, StepId id, std::map<VarId, bool> &written)
{
    auto const &step = program.step(id);
    if (step.kind == StepKind::Parallel) return broken(lane.name, Message::of("%1 is parallel inside a lane", step.name));
    if (step.predicate.valid() && !isInLane(program.var(step.predicate).layout, on))
        return broken(lane.name, Message::of("%1 is decided on tiles outside its lane", step.name));
    if (!isControl(step.kind))
        for (auto const &access : accesses(program, step)) {
            auto const &variable = program.var(access.var);
            if (!isInLane(variable.layout, on))
                return broken(lane.name, Message::of("%1 uses %2 on tiles outside its lane", step.name, variable.name));
            auto &writes = written[access.var];
            writes = writes || access.access != Access::Read;
        }
    for (auto child : step.children) TW_TRY(verifyLane(program, lane, on, child, written));
    return {};
}

/// Lanes run at the same time, and beside the tasks of their slot: no two use one tile, and none accesses a variable that another one
/// writes. Tasks of one IPU run one after the other.
Status verifyLanes(Program const &program, Step const &step)
{
    for (auto id : step.children)
        if (program.step(id).isLane() && step.kind != StepKind::Parallel)
            return broken(step.name, Message::of("%1 is a lane outside a parallel step", program.step(id).name));
    bool const lanes =
        step.kind == StepKind::Parallel && std::ranges::any_of(step.children, [&](StepId id) { return program.step(id).isLane(); });
    if (!lanes) return {};
    std::vector<std::map<VarId, bool>> accessed;
    for (std::size_t i = 0; i < step.children.size(); ++i) {
        auto const &one = program.step(step.children[i]);
        bool const isTask = step.slot >= 0 && one.stage >= 0;
        if (!one.isLane() && !isTask) return broken(step.name, Message::of("%1 is no lane, but its neighbours are", one.name));
        auto const on = tilesOf(program, one);
        if (on.ipu < 0 || on.ipu >= program.ipus || on.begin < on.ipu * program.tilesPerIpu
            || on.count > (on.ipu + 1) * program.tilesPerIpu - on.begin)
            return broken(one.name, Message::of("its tiles are not those of its IPU"));
        auto &own = accessed.emplace_back();
        for (auto child : one.children) TW_TRY(verifyLane(program, one, on, child, own));
        for (std::size_t k = 0; k < i; ++k) {
            auto const &other = program.step(step.children[k]);
            if (!one.isLane() && !other.isLane()) continue;
            auto const there = tilesOf(program, other);
            if (on.begin < there.begin + there.count && there.begin < on.begin + on.count)
                return broken(step.name, Message::of("%1 and %2 use the same tiles at the same time", other.name, one.name));
            for (auto const &[var, writes] : own)
                if (auto const it = accessed[k].find(var); it != accessed[k].end() && (writes || it->second))
                    return broken(step.name,
                                  Message::of("%1 and %2 access %3, and one of them writes", other.name, one.name, program.var(var).name));
        }
    }
    return {};
}

/// A step that the device's numbers decide: two children, and a scalar that every tile of an IPU holds.
Status verifyDecision(Program const &program, Step const &step)
{
    bool const decides = step.kind == StepKind::If || step.kind == StepKind::While;
    if (decides != step.predicate.valid())
        return broken(step.name, decides ? Message::of("it has no predicate") : Message::of("has a predicate that is not used"));
    if (!decides) return {};
    if (step.children.size() != 2) return broken(step.name, Message::of("needs two children"));
    if (step.kind == StepKind::While && step.count < 1) return broken(step.name, Message::of("its limit is below 1"));
    if (step.predicate.index >= program.variables.size()) return broken(step.name, Message::of("its predicate does not exist"));
    auto const &predicate = program.var(step.predicate);
    if (predicate.home != Home::Tiles) return notOnTiles(step.name, predicate);
    if (elementCount(predicate.shape) != 1 || predicate.dtype == DType::F16)
        return broken(step.name, Message::of("%1 is not a scalar predicate", predicate.name));
    if (predicate.layout.blocks() < program.tilesPerIpu) return broken(step.name, Message::of("%1 is not on every tile", predicate.name));
    return {};
}

/// A stream goes on with the host's transfer to its IPU in the step right before it.
Status verifyTransfers(Program const &program, Step const &step)
{
    auto const fromHost = [&](StepId id) -> Stream const * {
        auto const &child = program.step(id);
        if (child.kind != StepKind::StreamCopy) return nullptr;
        auto const &stream = program.streams[child.stream.index];
        return stream.toDevice && !stream.synthetic ? &stream : nullptr;
    };
    auto const ipu = [&](Stream const &stream) { return program.var(stream.var).layout.on.ipu; };
    Stream const *before = nullptr;
    for (auto id : step.children) {
        auto const *stream = fromHost(id);
        bool const follows = before && stream && step.kind != StepKind::Parallel && ipu(*before) == ipu(*stream);
        if (stream && stream->continues && !follows) return broken(stream->name, Message::of("there is no transfer that it continues"));
        before = stream;
    }
    return {};
}

Status verifySteps(Program const &program)
{
    std::vector<char> onPath(program.steps.size(), 0), done(program.steps.size(), 0);
    auto const visit = [&](auto &&self, StepId id) -> Status {
        if (id.index >= program.steps.size()) return broken(program.name, Message::of("step does not exist"));
        if (onPath[id.index]) return broken(program.step(id).name, Message::of("step contains itself"));
        if (done[id.index]) return {};
        auto const &step = program.step(id);
        if (!isOneOf(step.kind, StepKind::SyncExternal)) return broken(step.name, Message::of("unknown kind of step"));
        if (step.kind == StepKind::Repeat && step.count < 0) return broken(step.name, Message::of("repeats a negative number of times"));
        if (step.kind == StepKind::Execute && step.computeSet.index >= program.computeSets.size())
            return broken(step.name, Message::of("compute set does not exist"));
        TW_TRY(verifyDecision(program, step));
        if ((step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) && step.exchange.index >= program.exchanges.size())
            return broken(step.name, Message::of("exchange does not exist"));
        if (step.kind == StepKind::StreamCopy || step.kind == StepKind::RemoteCopy) {
            if (step.stream.index >= program.streams.size()) return broken(step.name, Message::of("stream does not exist"));
            if (program.streams[step.stream.index].remote.valid() != (step.kind == StepKind::RemoteCopy))
                return broken(step.name, Message::of("its stream has another kind of end"));
        }
        onPath[id.index] = 1;
        for (auto child : step.children) TW_TRY(self(self, child));
        TW_TRY(verifyLanes(program, step));
        TW_TRY(verifyTransfers(program, step));
        onPath[id.index] = 0;
        done[id.index] = 1;
        return {};
    };
    TW_TRY(visit(visit, program.main));
    auto const &main = program.step(program.main);
    if (program.entries.empty() || (main.kind == StepKind::Sequence && main.children.size() == program.entries.size())) return {};
    return broken(program.name, Message::of("its entries are not the children of its main step"));
}

/// What landed row-major in blocks of another order is regrouped before anybody reads it, and once.
Status verifyRegrouping(Program const &program)
{
    std::vector<char> landed(program.variables.size(), 0);
    auto const early = [&](std::string const &where, VarId var) {
        return broken(where, Message::of("%1 is read before it is regrouped", program.var(var).name));
    };
    for (auto id : leafSteps(program)) {
        auto const &step = program.step(id);
        if (step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) {
            auto const &exchange = program.exchanges[step.exchange.index];
            for (auto const &t : exchange.transfers)
                if (landed[t.src.index]) return early(exchange.name, t.src);
            for (auto const &ring : exchange.ring)
                if (landed[ring.src.index] || landed[ring.dst.index]) return early(exchange.name, ring.src);
            for (auto const &t : exchange.transfers) landed[t.dst.index] = t.rowMajor;
            for (auto const &t : exchange.transfers)
                if (landed[t.dst.index] != static_cast<char>(t.rowMajor))
                    return broken(exchange.name, Message::of("%1 arrives in two orders", program.var(t.dst).name));
        } else if (step.kind == StepKind::Execute) {
            auto const &set = program.computeSets[step.computeSet.index];
            for (auto const &family : set.families)
                for (auto const &field : family.fields) {
                    auto &state = landed[field.var.index];
                    if (field.access == Access::Regroup) {
                        if (!state) return broken(set.name, Message::of("%1 is regrouped but never arrives", program.var(field.var).name));
                        state = 0;
                    } else if (state && field.access != Access::Write) {
                        return early(set.name, field.var);
                    } else {
                        state = 0;
                    }
                }
        } else if (step.kind == StepKind::StreamCopy || step.kind == StepKind::RemoteCopy) {
            auto const &stream = program.streams[step.stream.index];
            if (landed[stream.var.index] && !stream.toDevice) return early(stream.name, stream.var);
            landed[stream.var.index] = 0;
        }
    }
    return {};
}

} // namespace

Status verify(Program const &program)
{
    if (program.ioTilesPerIpu < 0 || (program.ioTilesPerIpu > 0 && program.ioTilesPerIpu >= program.tilesPerIpu))
        return broken(program.name, Message::of("no tiles are left to compute"));
    if (program.ipus < 1 || program.replicas < 1 || program.tilesPerIpu < 1 || program.replicas > kMaxTiles
        || std::int64_t{program.ipus} * program.tilesPerIpu > kMaxTiles)
        return broken(program.name, Message::of("there is no such machine"));
    for (auto const &variable : program.variables) TW_TRY(verifyLayout(program, variable));
    for (auto const &set : program.computeSets) TW_TRY(verifyComputeSet(program, set));
    for (auto const &exchange : program.exchanges) TW_TRY(verifyExchange(program, exchange));
    for (auto const &stream : program.streams) TW_TRY(verifyStream(program, stream));
    auto const sound = [&](FinishedSums const &finished) { return finished.node < 0 || finished.var.index < program.variables.size(); };
    for (auto const &set : program.computeSets)
        if (!sound(set.finished)) return broken(set.name, Message::of("finishes sums of a variable that does not exist"));
    for (auto const &exchange : program.exchanges)
        if (!sound(exchange.finished)) return broken(exchange.name, Message::of("finishes sums of a variable that does not exist"));
    TW_TRY(verifySteps(program));
    return verifyRegrouping(program);
}

} // namespace tilewright::program
