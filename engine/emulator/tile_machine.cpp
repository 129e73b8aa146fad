#include "engine/emulator/tile_machine.h"

#include "engine/core/host_memory.h"
#include "engine/core/text.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace tilewright::emulator {

using namespace program;

namespace {

/// Vertices or copies handed to a thread at once: big enough to hide the hand-over, small enough to balance.
constexpr std::size_t kVerticesPerTask = 48;
constexpr std::size_t kCopiesPerTask = 2048;

} // namespace

TileMachine::TileMachine(Program const &program, target::Machine const &machine, ThreadPool &pool)
    : m_program(program), m_machine(machine), m_pool(pool)
{
}

TileMachine::~TileMachine()
{
    if (m_memory) munmap(m_memory, m_mappedBytes);
}

Result<std::unique_ptr<TileMachine>> TileMachine::load(Program const &program, target::Machine const &machine,
                                                       AddressLookup const &addressOf, LoadOptions const &options,
                                                       ThreadPool &pool)
{
    TW_TRY(requireHostMemory(multiplyBytes(options.usedBytes, program.replicas), program.name, "the memory of the tiles (tile mode)",
                             "Run with --mode fused, or fewer IPUs or tiles (system.target)."));
    std::unique_ptr<TileMachine> result(new TileMachine(program, machine, pool));
    auto &m = *result;
    m.m_addressOf = addressOf;
    m.m_seed = options.seed;
    m.m_stride = roundUp(std::max(options.imageBytes, machine.chip.bytesPerTile), 4096);
    m.m_replicaBytes = static_cast<std::size_t>(m.m_stride) * static_cast<std::size_t>(program.tiles());
    m.m_mappedBytes = m.m_replicaBytes * static_cast<std::size_t>(program.replicas);
    // Reserved, not committed: the kernel backs a page when a variable on it is first written. Code bytes
    // are never touched and so never backed.
    void *memory = mmap(nullptr, m.m_mappedBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return makeError(ErrorKind::DoesNotFit, "host.memory", program.name,
                         "cannot reserve " + bytesText(static_cast<Bytes>(m.m_mappedBytes)) + " of address space for the tiles.",
                         "Run with --mode fused, or fewer IPUs or tiles.");
    m.m_memory = static_cast<std::byte *>(memory);
    m.m_sets.resize(program.computeSets.size());
    m.m_exchanges.resize(program.exchanges.size());
    for (auto const &stream : program.streams) m.m_streamPieces.push_back(m.hostPieces(stream.var));
    return result;
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

std::vector<TileMachine::HostPiece> TileMachine::hostPieces(VarId id) const
{
    auto const &variable = m_program.var(id);
    auto const &layout = variable.layout;
    auto const size = static_cast<std::uint64_t>(sizeOf(variable.dtype));
    std::vector<HostPiece> pieces;
    for (auto const &placed : placements(layout)) {
        auto const base = static_cast<std::uint64_t>(placed.tile) * static_cast<std::uint64_t>(m_stride) + addressOf(id, placed.tile);
        std::uint64_t offset = 0;
        for (std::int64_t g = placed.box.g0; g < placed.box.g1; ++g) {
            std::int64_t const column = layout.kind == Groups::Columns ? g * layout.extent[2] : 0;
            for (std::int64_t r = placed.box.r0; r < placed.box.r1; ++r) {
                auto const host = static_cast<std::uint64_t>(r * layout.tensorCols() + column + placed.box.c0) * size;
                auto const bytes = static_cast<std::uint32_t>(static_cast<std::uint64_t>(placed.box.cols()) * size);
                if (!pieces.empty() && pieces.back().host + pieces.back().bytes == host
                    && pieces.back().tile + pieces.back().bytes == base + offset)
                    pieces.back().bytes += bytes;
                else
                    pieces.push_back({host, base + offset, bytes});
                offset += bytes;
            }
        }
    }
    return pieces;
}

void TileMachine::upload(VarId var, std::span<std::byte const> data, int replica)
{
    auto const pieces = hostPieces(var);
    for (int r = 0; r < m_program.replicas; ++r) {
        if (replica >= 0 && r != replica) continue;
        for (auto const &piece : pieces) {
            TW_CHECK(piece.host + piece.bytes <= data.size(), "upload of too few bytes");
            std::memcpy(image(r) + piece.tile, data.data() + piece.host, piece.bytes);
        }
    }
}

std::vector<std::byte> TileMachine::download(VarId var, int replica) const
{
    auto const &variable = m_program.var(var);
    std::vector<std::byte> data(static_cast<std::size_t>(elementCount(variable.shape) * sizeOf(variable.dtype)));
    for (auto const &piece : hostPieces(var)) std::memcpy(data.data() + piece.host, image(replica) + piece.tile, piece.bytes);
    return data;
}

TileMachine::ExpandedSet &TileMachine::expand(ComputeSetId id)
{
    auto &expanded = m_sets[id.index];
    if (expanded.ready) return expanded;
    std::map<int, Cycles> byTile;
    for (auto const &family : m_program.computeSets[id.index].families) {
        Vertices vertices;
        vertices.codelet = findCodelet(m_program.codelets[static_cast<std::size_t>(family.codelet)]);
        vertices.fields = family.fields.size();
        vertices.scalars = family.scalars;
        if (vertices.codelet->prepare) vertices.prepared = vertices.codelet->prepare(family.expr);
        auto const index = indexFamily(m_program, family);
        std::map<std::vector<std::int64_t>, Cycles> cache;
        for (auto const &placed : index.placed[static_cast<std::size_t>(family.lead)]) {
            vertices.bases.push_back(static_cast<std::uint64_t>(placed.tile) * static_cast<std::uint64_t>(m_stride));
            auto const shapes = vertexShape(m_program, family, index, placed.tile);
            std::vector<std::int64_t> key;
            for (std::size_t f = 0; f < family.fields.size(); ++f) {
                auto const &variable = m_program.var(family.fields[f].var);
                auto const &box = shapes[f].box;
                VertexState::Ref ref;
                ref.address = static_cast<std::uint32_t>(addressOf(family.fields[f].var, placed.tile));
                if (family.fields[f].group >= 0)
                    ref.address += static_cast<std::uint32_t>(family.fields[f].group * box.rows() * box.cols() * sizeOf(variable.dtype));
                ref.dtype = variable.dtype;
                ref.groups = static_cast<std::int32_t>(box.groups());
                ref.rows = static_cast<std::int32_t>(box.rows());
                ref.cols = static_cast<std::int32_t>(box.cols());
                ref.row0 = box.r0;
                ref.col0 = box.c0;
                vertices.refs.push_back(ref);
                key.insert(key.end(), {box.groups(), box.rows(), box.cols()});
            }
            auto const [it, fresh] = cache.emplace(std::move(key), 0);
            if (fresh) it->second = vertices.codelet->cycles({shapes, family.scalars, family.expr}, m_machine.chip);
            byTile[placed.tile] += it->second;
        }
        expanded.vertices += vertices.bases.size();
        expanded.families.push_back(std::move(vertices));
    }
    for (auto const &[tile, cycles] : byTile) expanded.cycles = std::max(expanded.cycles, cycles);
    expanded.ready = true;
    return expanded;
}

TileMachine::ExpandedExchange &TileMachine::expand(ExchangeId id)
{
    auto &expanded = m_exchanges[id.index];
    if (expanded.ready) return expanded;
    for (auto const &transfer : m_program.exchanges[id.index].transfers) {
        auto const size = sizeOf(m_program.var(transfer.src).dtype);
        // Addresses of a variable repeat over its fragments: look each tile up once.
        std::vector<std::int64_t> src(static_cast<std::size_t>(m_program.tiles()), -1), dst = src;
        auto const base = [&](std::vector<std::int64_t> &cache, VarId var, int tile) {
            auto &entry = cache[static_cast<std::size_t>(tile)];
            if (entry < 0) entry = static_cast<std::int64_t>(tile) * m_stride + static_cast<std::int64_t>(addressOf(var, tile));
            return entry;
        };
        forEachFragment(m_program, transfer, [&](Fragment const &f) {
            Copy copy;
            copy.src = static_cast<std::uint64_t>(base(src, transfer.src, f.srcTile) + f.srcOffset * size);
            copy.dst = static_cast<std::uint64_t>(base(dst, transfer.dst, f.dstTile) + f.dstOffset * size);
            copy.bytes = static_cast<std::uint32_t>(f.elements * size);
            expanded.copies.push_back(copy);
        });
    }
    expanded.ready = true;
    return expanded;
}

void TileMachine::runRing(Exchange const &exchange)
{
    int const replicas = m_program.replicas;
    for (auto const &ring : exchange.ring) {
        auto const &variable = m_program.var(ring.src);
        auto const size = static_cast<std::size_t>(sizeOf(variable.dtype));
        auto const &layout = variable.layout;
        std::int64_t const chunk = ceilDiv(layout.block[0] * layout.block[1] * layout.block[2], replicas);
        for (auto const &placed : placements(layout)) {
            auto const tile = static_cast<std::size_t>(placed.tile) * static_cast<std::size_t>(m_stride);
            auto const src = addressOf(ring.src, placed.tile), dst = addressOf(ring.dst, placed.tile);
            for (int r = 0; r < replicas; ++r) {
                std::int64_t const c = ((r + ring.chunk) % replicas + replicas) % replicas;
                std::int64_t const from = std::min(placed.box.elements(), c * chunk);
                std::int64_t const to = std::min(placed.box.elements(), from + chunk);
                auto const offset = static_cast<std::size_t>(from) * size;
                std::memcpy(image((r + 1) % replicas) + tile + dst + (ring.inChunk ? offset : 0), image(r) + tile + src + offset,
                            static_cast<std::size_t>(to - from) * size);
            }
        }
    }
}

Status TileMachine::leaf(StepId id, StreamHandlers const &streams)
{
    auto const &step = m_program.step(id);
    if (beforeStep) beforeStep(id);
    switch (step.kind) {
    case StepKind::Execute: {
        auto &set = expand(step.computeSet);
        struct Task { Vertices const *vertices; std::size_t begin, end; int replica; };
        std::vector<Task> tasks;
        for (int r = 0; r < m_program.replicas; ++r)
            for (auto const &vertices : set.families)
                for (std::size_t i = 0; i < vertices.bases.size(); i += kVerticesPerTask)
                    tasks.push_back({&vertices, i, std::min(vertices.bases.size(), i + kVerticesPerTask), r});
        m_pool.run(tasks.size(), [&](std::size_t t) {
            auto const &task = tasks[t];
            auto const &v = *task.vertices;
            VertexState state;
            state.scalars = v.scalars;
            state.prepared = v.prepared.get();
            state.replica = task.replica;
            state.replicas = m_program.replicas;
            state.seed = m_seed;
            std::byte *const base = image(task.replica);
            for (std::size_t i = task.begin; i < task.end; ++i) {
                state.fields = {v.refs.data() + i * v.fields, v.fields};
                v.codelet->run(base + v.bases[i], state, Workers{});
            }
        });
        m_computeCycles += set.cycles;
        ++m_supersteps;
        break;
    }
    case StepKind::Exchange:
    case StepKind::GlobalExchange: {
        auto &exchange = expand(step.exchange);
        auto const &copies = exchange.copies;
        std::size_t const perReplica = ceilDiv(static_cast<std::int64_t>(copies.size()), static_cast<std::int64_t>(kCopiesPerTask));
        m_pool.run(perReplica * static_cast<std::size_t>(m_program.replicas), [&](std::size_t t) {
            std::byte *const base = image(static_cast<int>(t / perReplica));
            std::size_t const begin = t % perReplica * kCopiesPerTask;
            std::size_t const end = std::min(copies.size(), begin + kCopiesPerTask);
            for (std::size_t i = begin; i < end; ++i) std::memcpy(base + copies[i].dst, base + copies[i].src, copies[i].bytes);
        });
        runRing(m_program.exchanges[step.exchange.index]);
        break;
    }
    case StepKind::StreamCopy: {
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
        break;
    }
    case StepKind::SyncExternal:
    case StepKind::Sequence:
    case StepKind::Repeat:
    case StepKind::Parallel:
    case StepKind::Call: break;
    }
    if (onStep) onStep(id);
    return {};
}

Status TileMachine::run(StepId id, StreamHandlers const &streams, JobContext const &job)
{
    auto const &step = m_program.step(id);
    switch (step.kind) {
    case StepKind::Sequence:
    case StepKind::Call:
    case StepKind::Parallel:
        for (auto child : step.children) TW_TRY(run(child, streams, job));
        return {};
    case StepKind::Repeat:
        for (std::int64_t i = 0; i < step.count; ++i)
            for (auto child : step.children) TW_TRY(run(child, streams, job));
        return {};
    default:
        if (job.cancelled()) return cancelledError(step.name);
        return leaf(id, streams);
    }
}

} // namespace tilewright::emulator
