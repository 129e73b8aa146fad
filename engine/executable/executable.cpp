#include "engine/executable/executable.h"

#include "engine/core/archive.h"
#include "engine/core/archive_outline.h"
#include "engine/core/internal_error.h"
#include "engine/executable/blob.h"
#include "engine/executable/cache.h"
#include "engine/graph/written.h"

#include <algorithm>

// Field lists: each struct once, for writing and reading.
namespace tilewright {
template <class A> void fields(A &a, Tally &t) { a(t.reading, t.heights, t.bound, t.labelWeights, t.labels); }
} // namespace tilewright
namespace tilewright::graph {
template <class A> void fields(A &a, Value &v) { a(v.name, v.shape, v.dtype, v.role, v.producer); }
template <class A> void fields(A &a, Variable &v)
{
    a(v.name, v.shape, v.dtype, v.role, v.layer, v.initializer, v.trainable, v.stage, v.home);
}
template <class A> void fields(A &a, FeedSpec &f) { a(f.name, f.shape, f.dtype, f.tally); }
template <class A> void fields(A &a, Region &r) { a(r.label, r.nodes); }
/// Not `fields`: a std::variant is looked up in std.
template <class A> void attrFields(A &a, AttrValue &v)
{
    auto kind = static_cast<std::uint8_t>(v.index());
    a(kind);
    auto const as = [&]<typename T>(T fallback) {
        T value = std::holds_alternative<T>(v) ? std::get<T>(v) : fallback;
        a(value);
        v = std::move(value);
    };
    switch (kind) {
    case 0: as(false); break;
    case 1: as(std::int64_t{0}); break;
    case 2: as(0.0); break;
    case 3: as(std::string()); break;
    case 4: as(std::vector<std::int64_t>()); break;
    default: as(std::vector<double>()); break;
    }
}
template <class A> void fields(A &a, Attrs &attrs)
{
    std::vector<std::string> keys;
    for (auto const &[key, value] : attrs.all()) keys.push_back(key);
    a(keys);
    if constexpr (outlines<A>()) {
        for (AttrValue value : {AttrValue{false}, AttrValue{std::int64_t{0}}, AttrValue{0.0}, AttrValue{std::string()},
                                AttrValue{std::vector<std::int64_t>()}, AttrValue{std::vector<double>()}})
            attrFields(a, value);
    }
    for (auto const &key : keys) {
        AttrValue value = attrs.has(key) ? attrs.all()[key] : AttrValue{};
        attrFields(a, value);
        attrs.set(key, std::move(value));
    }
}
template <class A> void fields(A &a, Node &n)
{
    a(n.op, n.inputs, n.outputs, n.attrs, n.name, n.layer, n.pass, n.stage, n.regions, n.inPlace, n.variable);
}
template <class A> void fields(A &a, Graph &g) { a(g.name, g.nodes, g.values, g.variables, g.regions, g.stages); }
} // namespace tilewright::graph

namespace tilewright::program {
template <class A> void fields(A &a, TileSet &s) { a(s.begin, s.count, s.ipu); }
template <class A> void fields(A &a, Dim &d) { a(d.kind, d.extent, d.block, d.step, d.before, d.count, d.stride, d.group); }
template <class A> void fields(A &a, Layout &l)
{
    a(l.on, l.first, l.rank, l.order);
    if constexpr (outlines<A>()) a(l.dims[0]);
    for (std::int32_t d = 0; d < std::min(l.rank, kMaxDims); ++d) a(l.dims[static_cast<std::size_t>(d)]);
}
template <class A> void fields(A &a, Variable &v)
{
    a(v.name, v.role, v.dtype, v.shape, v.layout, v.category, v.alwaysLive, v.interleaved, v.op, v.home);
}
template <class A> void fields(A &a, StoredRounding &r) { a(r.node, r.number, r.onEveryReplica, r.byTile); }
template <class A> void fields(A &a, Field &f) { a(f.var, f.access, f.slice, f.rounding); }
template <class A> void fields(A &a, VertexFamily &f) { a(f.codelet, f.lead, f.fields, f.scalars, f.expr); }
template <class A> void fields(A &a, FinishedSums &f) { a(f.node, f.var); }
template <class A> void fields(A &a, ComputeSet &s) { a(s.name, s.op, s.families, s.finished); }
template <class A> void fields(A &a, Loop &l) { a(l.count, l.src, l.dst); }
template <class A> void fields(A &a, Transfer &t) { a(t.src, t.dst, t.src0, t.dst0, t.loops, t.srcPart, t.dstPart, t.rowMajor); }
template <class A> void fields(A &a, RingTransfer &r) { a(r.src, r.dst, r.chunk, r.inChunk); }
template <class A> void fields(A &a, Exchange &e) { a(e.name, e.op, e.transfers, e.ring, e.finished); }
template <class A> void fields(A &a, Stream &s)
{
    a(s.name, s.var, s.toDevice, s.queueIndex, s.synthetic, s.remote, s.counter, s.continues);
}
template <class A> void fields(A &a, Step &s)
{
    a(s.kind, s.name, s.children, s.count, s.computeSet, s.exchange, s.stream, s.predicate, s.op, s.slot, s.ipu, s.microBatch, s.stage,
      s.pass, s.lane);
}
template <class A> void fields(A &a, Op &o)
{
    a(o.name, o.kind, o.level, o.parent, o.pass, o.stage, o.flops, o.estimatedCycles, o.idealCycles, o.plan);
}
template <class A> void fields(A &a, Program &p)
{
    a(p.name, p.ipus, p.replicas, p.tilesPerIpu, p.ioTilesPerIpu, p.ops, p.variables, p.codelets, p.computeSets, p.exchanges, p.streams,
      p.steps, p.main, p.entries);
}
} // namespace tilewright::program

namespace tilewright::lowering {
template <class A> void fields(A &a, ConstantData &c) { a(c.var, c.values, c.written); }
template <class A> void fields(A &a, Placement &p)
{
    a(p.variable, p.kind, p.region, p.gap, p.executable, p.alignment, p.livenessClass, p.offset, p.bytes);
}
template <class A> void fields(A &a, TileLayout &l) { a(l.items); }
template <class A> void fields(A &a, CodeBytes &c)
{
    a(c.vertexCode, c.vertexState, c.internalExchange, c.globalExchange, c.hostExchange, c.hostHeader, c.globalHeader, c.control, c.stack);
}
template <class A> void fields(A &a, Memory::IpuVerdict &v)
{
    a(v.fits, v.worstTile, v.worstBytes, v.maxWithoutGaps, v.totalWithGaps, v.totalWithoutGaps, v.cause);
}
template <class A> void fields(A &a, Memory &m)
{
    a(m.layoutOf, m.layouts, m.code, m.withGaps, m.withoutGaps, m.alwaysLive, m.need, m.peakStep, m.ipus, m.fits, m.streaming, m.byKind);
}
} // namespace tilewright::lowering

namespace tilewright::executable {

template <class A> void fields(A &a, Variable &v) { a(v.declared, v.storage); }
template <class A> void fields(A &a, Entry &e)
{
    a(e.name, e.kind, e.graph, e.infeed, e.outfeed, e.weights, e.trainable, e.iterations, e.batchSize, e.stepsPerExecution,
      e.microBatchesPerUpdate, e.stepsPerOutput, e.lastOutputOnly, e.variables, e.stageIpus, e.patternCycles, e.computeCyclesPerPattern,
      e.exchangeCyclesPerPattern, e.ampCyclesPerPattern, e.patternRepeats, e.reached);
}
template <class A> void fields(A &a, Executable &e)
{
    a(e.name, e.machine, e.replicas, e.emulated, e.variables, e.entries, e.program, e.constants, e.memory);
}

namespace {

/// The first index of an entry that leads nowhere, as a sentence; empty: all are valid.
Message danglingReference(Executable const &e, Entry const &entry)
{
    auto const inGraph = [&](std::vector<graph::VariableId> const &ids) {
        for (auto id : ids)
            if (id.index >= entry.graph.variables.size()) return false;
        return true;
    };
    if (!inGraph(entry.weights) || !inGraph(entry.trainable) || !inGraph(entry.iterations)) return Message::of("a weight is missing");
    if (entry.reached.valid() && !inGraph({entry.reached})) return Message::of("the condition that ends the loop is missing");
    for (int const ipu : entry.stageIpus)
        if (ipu < 0 || (e.emulated && ipu >= e.program.ipus)) return Message::of("a stage is on no IPU");
    if (entry.batchSize < 1 || entry.stepsPerExecution < 1 || entry.microBatchesPerUpdate < 1 || entry.stepsPerOutput < 1)
        return Message::of("a count is not positive");
    for (auto const &output : entry.outfeed)
        if (output.tally != Tally() && (output.dtype != DType::F32 || !output.tally.takes(elementCount(output.shape))))
            return Message::of("the figure of an output cannot be read");
    if (entry.variables.size() != entry.graph.variables.size()) return Message::of("variables are missing");
    for (std::size_t v = 0; v < entry.variables.size(); ++v) {
        if (entry.variables[v] >= e.variables.size()) return Message::of("a variable is not in the table");
        auto const &declared = e.variables[entry.variables[v]].declared, &used = entry.graph.variables[v];
        if (declared.shape != used.shape || declared.dtype != used.dtype) return Message::of("a variable has another shape or type");
    }
    return {};
}

/// The first index of a run that leads nowhere (ids of variables, addresses of blocks), as a sentence; empty: all are valid.
Message danglingReference(Executable const &e)
{
    if (e.replicas < 1) return Message::of("a count is not positive");
    if (e.entries.empty()) return Message::of("entries are missing");
    for (std::size_t i = 0; i < e.entries.size(); ++i) {
        if (auto what = danglingReference(e, e.entries[i]); !what.empty()) return what;
        if (e.find(e.entries[i].name)->number() != i) return Message::of("two entries have one name");
    }
    if (!e.emulated) return {};
    for (auto const &variable : e.variables) {
        if (!variable.storage.valid()) continue;
        if (variable.storage.index >= e.program.variables.size()) return Message::of("a variable has no storage");
        auto const &stored = e.program.var(variable.storage);
        if (stored.shape != variable.declared.shape || stored.dtype != variable.declared.dtype)
            return Message::of("a variable has storage of another shape or type");
    }
    if (e.program.entryCount() != e.entries.size()) return Message::of("entries are missing");
    for (std::size_t i = 0; i < e.program.entries.size(); ++i)
        if (e.program.entries[i] != e.entries[i].name) return Message::of("entries have other names in the program");
    if (e.program.replicas != e.replicas) return Message::of("the numbers of replicas differ");
    for (auto const &constant : e.constants) {
        if (constant.var.index >= e.program.variables.size()) return Message::of("a constant has no storage");
        auto const elements = static_cast<std::size_t>(elementCount(e.program.var(constant.var).shape));
        if (constant.values.size() != 1 && constant.values.size() != elements) return Message::of("a constant is incomplete");
    }
    std::size_t nodes = 0;
    for (auto const &entry : e.entries) nodes = std::max(nodes, entry.graph.nodes.size());
    auto const finishes = [&](auto const &all) {
        return std::ranges::all_of(
            all, [&](auto const &one) { return one.finished.node < 0 || static_cast<std::size_t>(one.finished.node) < nodes; });
    };
    if (!finishes(e.program.computeSets) || !finishes(e.program.exchanges)) return Message::of("sums belong to no operation");
    auto const &memory = e.memory;
    auto const tiles = static_cast<std::size_t>(e.program.tiles());
    if (memory.layoutOf.size() != tiles || memory.withGaps.size() != tiles || memory.withoutGaps.size() != tiles
        || memory.alwaysLive.size() != tiles)
        return Message::of("tiles are missing");
    std::vector<std::size_t> blocks(e.program.variables.size(), 0);
    for (std::size_t t = 0; t < tiles; ++t) {
        auto const layout = static_cast<std::size_t>(memory.layoutOf[t]);
        if (memory.layoutOf[t] < 0 || layout >= memory.layouts.size()) return Message::of("a layout is missing");
        for (auto const &item : memory.layouts[layout].items) {
            if (item.offset < 0 || item.bytes < 0 || item.bytes > memory.withGaps[t] || item.offset > memory.withGaps[t] - item.bytes)
                return Message::of("an address lies outside its tile");
            if (item.variable < 0) continue;
            if (static_cast<std::size_t>(item.variable) >= blocks.size()) return Message::of("an address belongs to no variable");
            ++blocks[static_cast<std::size_t>(item.variable)];
        }
    }
    for (std::size_t v = 0; v < blocks.size(); ++v)
        if (blocks[v] != 0 && blocks[v] != static_cast<std::size_t>(e.program.variables[v].layout.blocks()))
            return Message::of("a block has no address");
    return {};
}

} // namespace

std::string storedFormat()
{
    Executable example;
    ArchiveOutline outline;
    outline(example);
    return toText(contentHash(outline.text()));
}

EntryRef Executable::entry(std::size_t number) const
{
    TW_CHECK(number < entries.size(), "an executable without this entry");
    return {*this, number};
}

std::optional<EntryRef> Executable::find(std::string_view wanted) const
{
    auto const it = std::ranges::find(entries, wanted, &Entry::name);
    if (it == entries.end()) return std::nullopt;
    return EntryRef(*this, static_cast<std::size_t>(it - entries.begin()));
}

void makeVariables(Executable &exe, std::vector<std::vector<program::VarId>> const &storage)
{
    exe.variables.clear();
    for (std::size_t e = 0; e < exe.entries.size(); ++e) {
        auto &entry = exe.entries[e];
        std::size_t const ofEarlier = exe.variables.size();
        entry.variables.clear();
        for (std::size_t v = 0; v < entry.graph.variables.size(); ++v) {
            auto const &declared = entry.graph.variables[v];
            program::VarId const at = storage.empty() ? program::VarId() : storage[e][v];
            auto const isSame = [&](Variable const &known) {
                if (at.valid() || known.storage.valid()) return known.storage == at;
                auto const &other = known.declared;
                return (declared.role == graph::Role::Weight || entry.movesState()) && other.role == declared.role
                    && other.name == declared.name && other.shape == declared.shape && other.dtype == declared.dtype;
            };
            auto const end = exe.variables.begin() + static_cast<std::ptrdiff_t>(ofEarlier);
            auto const known = std::find_if(exe.variables.begin(), end, isSame);
            entry.variables.push_back(static_cast<std::uint32_t>(known == end ? exe.variables.size() : known - exe.variables.begin()));
            if (known == end) exe.variables.push_back({declared, at});
        }
    }
}

void setWritten(Executable &executable, std::map<std::string, double> const &values)
{
    for (auto &entry : executable.entries)
        for (auto &node : entry.graph.nodes)
            if (auto const it = values.find(node.attrs.text(graph::kWritten)); it != values.end()) node.attrs.set("value", it->second);
    for (auto &constant : executable.constants)
        if (auto const it = values.find(constant.written); it != values.end()) constant.values = {it->second};
}

std::vector<std::byte> serialize(Executable const &executable)
{
    ArchiveWriter writer;
    writer(executable);
    return writer.take();
}

Result<Executable> deserialize(std::span<std::byte const> bytes)
{
    Executable executable;
    ArchiveReader reader(bytes);
    reader(executable);
    auto const damaged = [](Message what) {
        return makeError(ErrorKind::Invalid, "executable.damaged", "executable",
                         Message::of("the stored executable is damaged: %1", std::move(what)), Message::of("Compile again (--no-cache)."));
    };
    if (reader.failed() || !reader.atEnd()) return damaged(Message::of("its length is wrong"));
    // A payload whose checksum holds was written by us; the structure is checked all the same, since a run
    // indexes with what it reads.
    for (auto const &entry : executable.entries)
        if (auto const ok = graph::verifyStructure(entry.graph); !ok.ok()) return damaged(ok.error().message);
    if (executable.emulated) {
        if (auto const ok = program::verify(executable.program); !ok.ok()) return damaged(ok.error().message);
    }
    if (auto what = danglingReference(executable); !what.empty()) return damaged(std::move(what));
    return executable;
}

} // namespace tilewright::executable
