#include "engine/emulator/tile_machine.h"

#include "engine/core/host_memory.h"
#include "engine/core/replica_seeds.h"
#include "engine/core/rounding.h"
#include "engine/core/text.h"
#include "engine/emulator/history.h"
#include "engine/program/pieces.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>

namespace tilewright::emulator {

using namespace program;

namespace {

/// Vertices or runs of bytes handed to a thread at once: big enough to hide the hand-over, small enough to balance.
constexpr std::size_t kVerticesPerTask = 48;
constexpr std::size_t kRunsPerTask = 2048;

/// A tensor as the host has it: row-major, in one piece.
Layout hostLayout(Layout const &layout)
{
    Layout host;
    for (int d = 0; d < layout.rank; ++d)
        if (layout.dim(d).kind == DimKind::Index) host.add(cut(layout.dim(d).extent, layout.dim(d).extent, 0));
    return host;
}

/// Calls visit(tile, replica, first element, elements) for what each tile of a replica hands to the next one: its turn's
/// chunk of the block.
template <typename Visit> void forEachRingPart(Program const &program, RingTransfer const &ring, Visit const &visit)
{
    int const replicas = program.replicas;
    auto const &layout = program.var(ring.src).layout;
    std::int64_t const chunk = ceilDiv(layout.blockElements(), replicas);
    for (auto const &placed : placements(layout))
        for (int r = 0; r < replicas; ++r) {
            auto const part = ringPart(ring, r, replicas, chunk, placed.box.elements());
            visit(placed.tile, r, part.first, part.elements);
        }
}

template <typename Word>
void copyWords(std::byte *to, std::byte const *from, std::uint32_t rows, std::int64_t toStride, std::int64_t fromStride)
{
    for (std::uint32_t i = 0; i < rows; ++i) std::memcpy(to + i * toStride, from + i * fromStride, sizeof(Word));
}

} // namespace

TileMachine::TileMachine(Program const &program, target::Machine const &machine, ThreadPool &pool)
    : m_program(program), m_machine(machine), m_pool(pool)
{
    for (std::size_t e = 0; e < program.entryCount(); ++e)
        m_entries.push_back({TileClocks(m_program, m_machine), program.root(e), outermostLoop(program, e), overlappedLoop(program, e)});
}

TileMachine::~TileMachine()
{
    if (m_memory) munmap(m_memory, m_mappedBytes);
}

Result<std::unique_ptr<TileMachine>> TileMachine::load(Program const &program, target::Machine const &machine,
                                                       AddressLookup const &addressOf, LoadOptions const &options, ThreadPool &pool)
{
    TW_TRY(requireHostMemory(multiplyBytes(addBytes(options.usedBytes, streamingBytes(program)), program.replicas), program.name,
                             Message::of("the memory of the tiles (tile mode)"),
                             Message::of("Use the fused mode, or fewer IPUs or tiles (system.target).")));
    std::unique_ptr<TileMachine> result(new TileMachine(program, machine, pool));
    auto &m = *result;
    m.m_addressOf = addressOf;
    m.m_seed = options.seed;
    m.m_stride = roundUp(std::max(options.imageBytes, machine.chip.bytesPerTile), 4096);
    m.m_replicaBytes = m.placeRemote();
    m.m_mappedBytes = m.m_replicaBytes * static_cast<std::size_t>(program.replicas);
    // Reserved, not committed: the kernel backs a page when a variable on it is first written. Code bytes
    // are never touched and so never backed.
    void *memory = mmap(nullptr, m.m_mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return makeError(ErrorKind::DoesNotFit, "host.memory", program.name,
                         Message::of("cannot reserve %1 of address space for the tiles.",
                                     Argument::figure(bytesText(static_cast<Bytes>(m.m_mappedBytes)))),
                         Message::of("Use the fused mode, or fewer IPUs or tiles."));
    // Where huge pages are the rule, three tiles would be backed whole for one byte.
    madvise(memory, m.m_mappedBytes, MADV_NOHUGEPAGE);
    m.m_memory = static_cast<std::byte *>(memory);
    m.m_sets.resize(program.computeSets.size());
    m.m_exchanges.resize(program.exchanges.size());
    for (auto const &stream : program.streams) m.m_streamPieces.push_back(m.hostPieces(stream.var));
    return result;
}

std::size_t TileMachine::placeRemote()
{
    std::size_t end = static_cast<std::size_t>(m_stride) * static_cast<std::size_t>(m_program.tiles());
    for (auto const &variable : m_program.variables) {
        m_remoteAt.push_back(end);
        end += static_cast<std::size_t>(roundUp(remoteBytes(m_program, variable), 4096));
    }
    return end;
}

std::uint64_t TileMachine::addressOf(VarId var, int tile) const
{
    Bytes const address = m_addressOf(var, tile);
    TW_CHECK(address >= 0, "variable " + m_program.var(var).name + " is not on tile " + std::to_string(tile));
    return static_cast<std::uint64_t>(address);
}

std::span<std::byte const> TileMachine::tileMemory(int replica, int tile) const
{
    return {image(replica) + static_cast<std::size_t>(tile) * static_cast<std::size_t>(m_stride), static_cast<std::size_t>(m_stride)};
}

Bytes TileMachine::committedBytes() const
{
    auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> resident(ceilDiv(m_mappedBytes, page));
    if (mincore(m_memory, m_mappedBytes, resident.data()) != 0) return static_cast<Bytes>(m_mappedBytes);
    return static_cast<Bytes>(page) * std::ranges::count_if(resident, [](unsigned char flags) { return (flags & 1) != 0; });
}

std::vector<TileMachine::HostPiece> TileMachine::hostPieces(VarId id) const
{
    auto const &variable = m_program.var(id);
    auto const &layout = variable.layout;
    auto const size = static_cast<std::int64_t>(sizeOf(variable.dtype));
    auto const shifts = layout.copyShifts();
    std::vector<HostPiece> pieces;
    if (variable.home == Home::Streaming) { // in one piece, as the host has it
        auto const bytes = static_cast<std::uint64_t>(elementCount(variable.shape) * size);
        constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
        for (std::uint64_t at = 0; at < bytes; at += kMost)
            pieces.push_back({at, m_remoteAt[id.index] + at, static_cast<std::uint32_t>(std::min(kMost, bytes - at))});
        return pieces;
    }
    // Slots are filled one at a time, and the first is the tensor; addends and copies are all there is of it.
    Transfer whole;
    if (layout.has(DimKind::Slot)) whole.dstPart = 0;
    Layout const host = hostLayout(layout);
    Expansion(host, layout, whole).forEach([&](Piece const &piece) {
        for (auto const shift : shifts) {
            int const tile = layout.tileAt(piece.dstPlace + shift);
            auto const base = static_cast<std::int64_t>(tile) * m_stride + static_cast<std::int64_t>(addressOf(id, tile));
            piece.forEachRun([&](std::int64_t from, std::int64_t to) {
                pieces.push_back({static_cast<std::uint64_t>(from * size), static_cast<std::uint64_t>(base + to * size),
                                  static_cast<std::uint32_t>(piece.run * size)});
            });
        }
    });
    return pieces;
}

std::vector<TileMachine::HostPiece> TileMachine::shardPieces(VarId id, int replica) const
{
    bool const onTiles = m_program.var(id).home == Home::Tiles;
    auto const &variable = m_program.var(id);
    auto const &layout = variable.layout;
    auto const size = static_cast<std::int64_t>(sizeOf(variable.dtype));
    auto const blockOf = blockByTile(layout, m_program.tiles());
    std::int64_t const chunk = ceilDiv(layout.blockElements(), m_program.replicas);
    std::int64_t const first = (replica + kShardShift) % m_program.replicas * chunk;
    std::vector<HostPiece> pieces;
    Expansion(hostLayout(layout), layout, {}).forEach([&](Piece const &piece) {
        int const tile = layout.tileAt(piece.dstPlace);
        // Of the block's first element, or of the chunk's in the remote buffer, as if the block began there.
        std::uint64_t const base = onTiles
            ? static_cast<std::uint64_t>(tile) * static_cast<std::uint64_t>(m_stride) + static_cast<std::uint64_t>(addressOf(id, tile))
            : m_remoteAt[id.index] + static_cast<std::uint64_t>((blockOf[static_cast<std::size_t>(tile)] * chunk) * size);
        std::int64_t const before = onTiles ? 0 : first;
        piece.forEachRun([&](std::int64_t from, std::int64_t to) {
            std::int64_t const begin = std::max(to, first), end = std::min(to + piece.run, first + chunk);
            if (begin >= end) return;
            pieces.push_back({static_cast<std::uint64_t>((from + begin - to) * size),
                              base + static_cast<std::uint64_t>((begin - before) * size),
                              static_cast<std::uint32_t>((end - begin) * size)});
        });
    });
    return pieces;
}

void TileMachine::upload(VarId var, std::span<std::byte const> data, int replica)
{
    if (!m_history || !m_history->takesUpload(var, data, replica)) write(var, data, replica);
}

void TileMachine::write(VarId var, std::span<std::byte const> data, int replica)
{
    bool const shards = m_program.var(var).home == Home::Shards;
    auto pieces = shards ? std::vector<HostPiece>() : hostPieces(var);
    for (int r = 0; r < m_program.replicas; ++r) {
        if (replica >= 0 && r != replica) continue;
        if (shards) pieces = shardPieces(var, r);
        for (auto const &piece : pieces) {
            TW_CHECK(piece.host + piece.bytes <= data.size(), "upload of too few bytes");
            std::memcpy(image(r) + piece.tile, data.data() + piece.host, piece.bytes);
        }
    }
}

std::vector<std::byte> TileMachine::download(VarId var, int replica) const
{
    if (m_program.var(var).home == Home::Shards) return downloadShards(var);
    std::vector<std::byte> data(tensorBytes(var));
    for (auto const &piece : hostPieces(var)) std::memcpy(data.data() + piece.host, image(replica) + piece.tile, piece.bytes);
    return data;
}

std::vector<std::byte> TileMachine::downloadShards(VarId var) const
{
    std::vector<std::byte> data(tensorBytes(var));
    for (int r = 0; r < m_program.replicas; ++r)
        for (auto const &piece : shardPieces(var, r)) std::memcpy(data.data() + piece.host, image(r) + piece.tile, piece.bytes);
    return data;
}

std::size_t TileMachine::tensorBytes(VarId var) const
{
    auto const &variable = m_program.var(var);
    return static_cast<std::size_t>(elementCount(variable.shape) * sizeOf(variable.dtype));
}

TileMachine::ExpandedSet &TileMachine::expand(ComputeSetId id)
{
    auto &expanded = m_sets[id.index];
    if (expanded.ready) return expanded;
    auto &times = expanded.times;
    times.byTile.assign(static_cast<std::size_t>(m_program.tiles()), 0);
    for (auto const &family : m_program.computeSets[id.index].families) {
        Vertices vertices;
        vertices.codelet = findCodelet(m_program.codelets[static_cast<std::size_t>(family.codelet)]);
        vertices.fields = family.fields.size();
        vertices.scalars = family.scalars;
        vertices.ipu = m_program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout.on.ipu;
        if (std::ranges::any_of(family.fields, [](Field const &field) { return field.rounding.node >= 0; }))
            for (auto const &field : family.fields) vertices.rounding.push_back(field.rounding);
        if (vertices.codelet->prepare) vertices.prepared = vertices.codelet->prepare(family.expr);
        std::vector<std::int32_t> number(times.byTile.size(), -1); // of the vertex on a tile
        std::vector<std::size_t> tiles;                            // of the vertices
        auto const &lead = m_program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout;
        lead.forEachBlock([&](Coords const &block) {
            auto const tile = static_cast<std::size_t>(lead.tileOf(block));
            number[tile] = static_cast<std::int32_t>(vertices.bases.size());
            vertices.bases.push_back(static_cast<std::uint64_t>(tile) * static_cast<std::uint64_t>(m_stride));
            tiles.push_back(tile);
        });
        vertices.refs.resize(vertices.bases.size() * vertices.fields);
        vertices.blocks.resize(vertices.refs.size());
        for (std::size_t f = 0; f < vertices.fields; ++f) {
            auto const &field = family.fields[f];
            auto const &layout = m_program.var(field.var).layout;
            layout.forEachBlock([&](Coords const &block) {
                int const tile = layout.tileOf(block);
                auto const vertex = number[static_cast<std::size_t>(tile)];
                if (vertex < 0) return;
                auto ref = fieldRef(m_program, field, layout.boxOf(block));
                ref.address += static_cast<std::uint32_t>(addressOf(field.var, tile));
                auto const at = static_cast<std::size_t>(vertex) * vertices.fields + f;
                vertices.refs[at] = ref;
                vertices.blocks[at] = fieldBlock(m_program, field, layout.boxOf(block));
            });
        }
        times.usesAmp = times.usesAmp || vertices.codelet->usesAmp;
        VertexMeter meter(*vertices.codelet, vertices.scalars, family.expr, m_machine.chip);
        for (std::size_t i = 0; i < tiles.size(); ++i)
            times.byTile[tiles[i]] += meter.cycles({vertices.refs.data() + i * vertices.fields, vertices.fields},
                                                   {vertices.blocks.data() + i * vertices.fields, vertices.fields});
        if (!vertices.codelet->wantsBlocks && vertices.rounding.empty())
            std::vector<FieldBlock>().swap(vertices.blocks); // they are larger than all the rest
        expanded.vertices += vertices.bases.size();
        expanded.families.push_back(std::move(vertices));
    }
    times.finish(m_program);
    expanded.ready = true;
    return expanded;
}

TileMachine::ExpandedExchange &TileMachine::expand(ExchangeId id)
{
    auto &expanded = m_exchanges[id.index];
    if (expanded.ready) return expanded;
    std::size_t runs = 0; // of the open task
    expanded.tasks.push_back(0);
    ExchangeMeter meter(m_program, m_machine);
    std::vector<int> receivers;
    // Links carry one message to one receiver, and where one is needed all of the exchange waits for it.
    bool const overLinks = std::ranges::any_of(m_program.exchanges[id.index].transfers, [&](Transfer const &t) {
        return m_program.var(t.src).layout.on.ipu != m_program.var(t.dst).layout.on.ipu;
    });
    for (auto const &transfer : m_program.exchanges[id.index].transfers) {
        auto const &src = m_program.var(transfer.src).layout, &dst = m_program.var(transfer.dst).layout;
        auto const size = static_cast<std::int64_t>(sizeOf(m_program.var(transfer.src).dtype));
        auto const shifts = dst.copyShifts();
        // Addresses of a variable repeat over its pieces: look each tile up once.
        std::vector<std::int64_t> from(static_cast<std::size_t>(m_program.tiles()), -1), to = from;
        auto const base = [&](std::vector<std::int64_t> &cache, VarId var, int tile) {
            auto &entry = cache[static_cast<std::size_t>(tile)];
            if (entry < 0) entry = static_cast<std::int64_t>(tile) * m_stride + static_cast<std::int64_t>(addressOf(var, tile));
            return entry;
        };
        auto const add = [&](Copy const &copy) {
            expanded.copies.push_back(copy);
            runs += copy.rows;
            if (runs < kRunsPerTask) return;
            expanded.tasks.push_back(expanded.copies.size());
            runs = 0;
        };
        Expansion(src, dst, transfer).forEach([&](Piece const &piece) {
            // The innermost loop becomes the rows of a copy.
            Piece outer = piece;
            Loop const rows = piece.depth > 0 ? piece.loops[static_cast<std::size_t>(--outer.depth)] : Loop{1, 0, 0};
            auto const source = base(from, transfer.src, piece.srcTile);
            receivers.clear();
            for (auto const shift : shifts) {
                receivers.push_back(dst.tileAt(piece.dstPlace + shift));
                auto const target = base(to, transfer.dst, receivers.back());
                outer.forEachRun([&](std::int64_t srcOffset, std::int64_t dstOffset) {
                    add({static_cast<std::uint64_t>(source + srcOffset * size), static_cast<std::uint64_t>(target + dstOffset * size),
                         static_cast<std::uint32_t>(piece.run * size), static_cast<std::uint32_t>(rows.count), rows.src * size,
                         rows.dst * size});
                });
            }
            meter.copy(piece.srcTile, receivers, piece.run * size, piece.runs(), overLinks);
        });
    }
    for (auto const &ring : m_program.exchanges[id.index].ring) {
        auto const size = static_cast<Bytes>(sizeOf(m_program.var(ring.src).dtype));
        forEachRingPart(m_program, ring,
                        [&](int tile, int replica, std::int64_t, std::int64_t elements) { meter.handOn(replica, tile, elements * size); });
    }
    expanded.times = meter.times();
    if (expanded.tasks.back() != expanded.copies.size()) expanded.tasks.push_back(expanded.copies.size());
    expanded.ready = true;
    return expanded;
}

void TileMachine::runRing(Exchange const &exchange)
{
    for (auto const &ring : exchange.ring) {
        auto const size = static_cast<std::size_t>(sizeOf(m_program.var(ring.src).dtype));
        forEachRingPart(m_program, ring, [&](int tile, int replica, std::int64_t first, std::int64_t elements) {
            auto const memory = static_cast<std::size_t>(tile) * static_cast<std::size_t>(m_stride);
            auto const offset = static_cast<std::size_t>(first) * size;
            std::byte *const to = image((replica + 1) % m_program.replicas) + memory + addressOf(ring.dst, tile);
            std::memcpy(to + (ring.inChunk ? offset : 0), image(replica) + memory + addressOf(ring.src, tile) + offset,
                        static_cast<std::size_t>(elements) * size);
        });
    }
}

std::vector<std::uint64_t> TileMachine::roundingSeeds(Vertices const &vertices, int replica, std::int64_t execution) const
{
    std::vector<std::uint64_t> seeds(vertices.rounding.size(), 0);
    for (std::size_t f = 0; f < seeds.size(); ++f) {
        auto const &stored = vertices.rounding[f];
        if (stored.node < 0) continue;
        int const drawn = stored.onEveryReplica ? 0 : drawingReplica(m_seed, replica);
        RoundingPlace const place{runSeed(m_seed), drawn, stored.node, vertices.ipu, m_entries[m_position.entry].updates, execution};
        seeds[f] = roundingSeed(roundingSeed(place), static_cast<std::size_t>(stored.number));
    }
    return seeds;
}

void TileMachine::runSet(StepId id)
{
    auto const &step = m_program.step(id);
    auto &set = expand(step.computeSet);
    struct Task {
        Vertices const *vertices;
        std::size_t begin, end;
        int replica;
    };
    std::vector<Task> tasks;
    for (int r = 0; r < m_program.replicas; ++r)
        for (auto const &vertices : set.families)
            for (std::size_t i = 0; i < vertices.bases.size(); i += kVerticesPerTask)
                tasks.push_back({&vertices, i, std::min(vertices.bases.size(), i + kVerticesPerTask), r});
    std::int64_t const updates = m_entries[m_position.entry].updates;
    std::int64_t const execution = set.update == updates ? ++set.executions : (set.executions = 0);
    set.update = updates;
    m_pool.run(tasks.size(), [&](std::size_t t) {
        auto const &task = tasks[t];
        auto const &v = *task.vertices;
        auto const seeds = roundingSeeds(v, task.replica, execution);
        auto drawn = seeds;
        VertexState state;
        state.scalars = v.scalars;
        state.prepared = v.prepared.get();
        state.replica = task.replica;
        state.replicas = m_program.replicas;
        state.seed = m_seed;
        std::byte *const base = image(task.replica);
        for (std::size_t i = task.begin; i < task.end; ++i) {
            state.fields = {v.refs.data() + i * v.fields, v.fields};
            if (!v.blocks.empty()) state.blocks = {v.blocks.data() + i * v.fields, v.fields};
            for (std::size_t f = 0; f < seeds.size(); ++f)
                if (v.rounding[f].byTile) drawn[f] = tilewright::roundingSeed(seeds[f], static_cast<std::size_t>(v.bases[i]));
            state.rounding = drawn;
            runVertex(*v.codelet, base + v.bases[i], state);
        }
    });
    clocks().compute(id, set.times);
}

void TileMachine::runExchange(StepId id)
{
    auto const &step = m_program.step(id);
    auto &exchange = expand(step.exchange);
    auto const &copies = exchange.copies;
    std::size_t const perReplica = exchange.tasks.size() - 1;
    m_pool.run(perReplica * static_cast<std::size_t>(m_program.replicas), [&](std::size_t t) {
        std::byte *const base = image(static_cast<int>(t / perReplica));
        std::size_t const task = t % perReplica;
        for (std::size_t i = exchange.tasks[task]; i < exchange.tasks[task + 1]; ++i) {
            auto const &copy = copies[i];
            std::byte *const to = base + copy.dst;
            std::byte const *const from = base + copy.src;
            if (copy.rows == 1) {
                std::memcpy(to, from, copy.bytes);
            } else if (copy.bytes == 4) {
                copyWords<std::uint32_t>(to, from, copy.rows, copy.dstStride, copy.srcStride);
            } else if (copy.bytes == 8) {
                copyWords<std::uint64_t>(to, from, copy.rows, copy.dstStride, copy.srcStride);
            } else {
                for (std::uint32_t row = 0; row < copy.rows; ++row)
                    std::memcpy(to + row * copy.dstStride, from + row * copy.srcStride, copy.bytes);
            }
        }
    });
    runRing(m_program.exchanges[step.exchange.index]);
    clocks().exchange(id, exchange.times);
}

Status TileMachine::runStream(StepId id, StreamHandlers const &streams)
{
    auto const &step = m_program.step(id);
    auto const &stream = m_program.streams[step.stream.index];
    auto const &variable = m_program.var(stream.var);
    auto const &pieces = m_streamPieces[step.stream.index];
    std::vector<std::byte> host(static_cast<std::size_t>(elementCount(variable.shape) * sizeOf(variable.dtype)));
    for (int r = 0; r < m_program.replicas; ++r) {
        if (stream.toDevice) {
            TW_TRY(streams.toDevice(r, stream.queueIndex, host.data(), host.size()));
            for (auto const &p : pieces) std::memcpy(image(r) + p.tile, host.data() + p.host, p.bytes);
        } else {
            for (auto const &p : pieces) std::memcpy(host.data() + p.host, image(r) + p.tile, p.bytes);
            TW_TRY(streams.fromDevice(r, stream.queueIndex, host.data(), host.size()));
        }
    }
    if (!stream.synthetic) clocks().stream(id, variable.layout.on.ipu, bytesOf(m_program, stream), stream.continues);
    return {};
}

void TileMachine::runRemote(StepId id)
{
    auto const &stream = m_program.streams[m_program.step(id).stream.index];
    auto const &remote = m_program.var(stream.remote);
    for (int r = 0; r < m_program.replicas; ++r) {
        std::byte *buffer = image(r) + m_remoteAt[stream.remote.index];
        if (stream.counter.valid()) {
            int const tile = m_program.var(stream.counter).layout.tileOf(Coords{});
            std::int32_t number = 0;
            std::memcpy(&number, tileMemory(r, tile).data() + addressOf(stream.counter, tile), sizeof number);
            buffer += static_cast<std::size_t>(number % remote.layout.parts()) * tensorBytes(stream.remote);
        }
        for (auto const &p : m_streamPieces[m_program.step(id).stream.index]) {
            if (stream.toDevice) std::memcpy(image(r) + p.tile, buffer + p.host, p.bytes);
            else std::memcpy(buffer + p.host, image(r) + p.tile, p.bytes);
        }
    }
    clocks().remoteCopy(id, m_program.var(stream.var).layout.on.ipu, bytesOf(m_program, stream));
}

void TileMachine::visitWritten(StepId id, std::function<bool(Written const &)> const &visit) const
{
    auto const &step = m_program.step(id);
    auto const tileOf = [this](std::uint64_t offset) { return static_cast<int>(offset / static_cast<std::uint64_t>(m_stride)); };
    if (step.kind == StepKind::StreamCopy && m_program.streams[step.stream.index].toDevice) { // loads move what others computed
        auto const var = m_program.streams[step.stream.index].var;
        auto const size = static_cast<std::uint32_t>(sizeOf(m_program.var(var).dtype));
        for (int r = 0; r < m_program.replicas; ++r)
            for (auto const &piece : m_streamPieces[step.stream.index])
                if (!visit({var, r, tileOf(piece.tile), image(r) + piece.tile, piece.bytes / size})) return;
    }
    if (step.kind != StepKind::Execute) return;
    auto const &families = m_program.computeSets[step.computeSet.index].families;
    auto const &expanded = m_sets[step.computeSet.index].families;
    for (std::size_t f = 0; f < expanded.size(); ++f)
        for (std::size_t field = 0; field < families[f].fields.size(); ++field) {
            if (families[f].fields[field].access == Access::Read) continue;
            auto const &vertices = expanded[f];
            for (int r = 0; r < m_program.replicas; ++r)
                for (std::size_t v = 0; v < vertices.bases.size(); ++v) {
                    auto const &ref = vertices.refs[v * vertices.fields + field];
                    if (!visit({families[f].fields[field].var, r, tileOf(vertices.bases[v]), image(r) + vertices.bases[v] + ref.address,
                                ref.elements()}))
                        return;
                }
        }
}

Status TileMachine::leaf(StepId id, StreamHandlers const &streams)
{
    switch (m_program.step(id).kind) {
    case StepKind::Execute: runSet(id); return {};
    case StepKind::Exchange:
    case StepKind::GlobalExchange: runExchange(id); return {};
    case StepKind::StreamCopy: return runStream(id, streams);
    case StepKind::RemoteCopy: runRemote(id); return {};
    case StepKind::SyncExternal: clocks().externalSync(id); return {};
    case StepKind::Sequence:
    case StepKind::Call:
    case StepKind::Parallel:
    case StepKind::Repeat:
    case StepKind::While:
    case StepKind::If: break;
    }
    TW_CHECK(false, "a control step among the leaves");
    return {};
}

} // namespace tilewright::emulator
