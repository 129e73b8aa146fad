#pragma once

#include "engine/core/job_context.h"
#include "engine/core/parallel.h"
#include "engine/emulator/tile_clocks.h"
#include "engine/program/codelet.h"
#include "engine/target/machine.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::emulator {

/// What a program needs of the host while it runs. Called on the thread that runs the machine; `index` is the
/// tensor's number in its queue, element 0 begins a new element of that replica's queue.
struct StreamHandlers {
    std::function<Status(int replica, int index, std::byte *data, std::size_t bytes)> toDevice;
    std::function<Status(int replica, int index, std::byte const *data, std::size_t bytes)> fromDevice;
};

/// Addresses of every variable: by variable, by tile of the replica; -1 = not on that tile.
using AddressLookup = std::function<Bytes(program::VarId, int tile)>;

struct LoadOptions {
    Bytes imageBytes = 0; ///< memory of one tile (larger than the chip's for the software model)
    Bytes usedBytes = 0;  ///< bytes in use over all tiles of one replica, for the refusal
    std::uint64_t seed = 0;
};

/// Tile mode: every tile of every replica has a memory image of its own; vertices run on the bytes of their
/// tile at the allocated addresses; data moves between tiles only in exchanges that copy bytes.
class TileMachine {
public:
    /// Error: DoesNotFit "host.memory" with figures when the host has no memory for the images.
    static Result<std::unique_ptr<TileMachine>> load(program::Program const &program, target::Machine const &machine,
                                                     AddressLookup const &addressOf, LoadOptions const &options, ThreadPool &pool);
    ~TileMachine();
    TileMachine(TileMachine const &) = delete;
    TileMachine &operator=(TileMachine const &) = delete;

    /// Row-major host bytes of a tensor into its blocks on a replica (-1 = all) and back.
    void upload(program::VarId var, std::span<std::byte const> data, int replica = -1);
    std::vector<std::byte> download(program::VarId var, int replica = 0) const;

    /// Which of the program's entries runs from now on: each counts its updates and its cycles by itself. Those who hook into steps
    /// (beforeStep, onStep) hear of the first one only.
    void enter(std::size_t entry) { m_entry = entry; }
    /// Runs a step and everything below it. Polls `job` between leaf steps.
    Status run(program::StepId step, StreamHandlers const &streams, JobContext const &job);
    /// One round of a loop: of a While only if its test says so.
    Status runOnce(program::StepId loop, StreamHandlers const &streams, JobContext const &job);

    /// The cycles of what has run of the entry, measured.
    TileClocks &clocks() { return m_entries[m_entry].clocks; }
    /// What a step took, tile by tile, when it ran; nullptr before.
    SetTimes const *timesOf(program::ComputeSetId id) const { return m_sets[id.index].ready ? &m_sets[id.index].times : nullptr; }
    ExchangeTimes const *timesOf(program::ExchangeId id) const
    {
        return m_exchanges[id.index].ready ? &m_exchanges[id.index].times : nullptr;
    }
    std::int64_t supersteps() const { return m_supersteps; }
    /// Weight updates (rounds of the entry's outermost loop) before the next one, from the beginning of training on: what stochastic
    /// rounding counts by.
    void setUpdates(std::int64_t done) { m_entries[m_entry].updates = done; }
    /// Reads a tile's memory (views look into tiles). Requires: inside the image.
    std::span<std::byte const> tileMemory(int replica, int tile) const;
    /// Bytes of the images that the host has pages for.
    Bytes committedBytes() const;
    /// Called before and after each leaf step with its id; may be empty.
    std::function<void(program::StepId)> beforeStep;
    std::function<void(program::StepId)> onStep;

private:
    TileMachine(program::Program const &program, target::Machine const &machine, ThreadPool &pool);

    /// `rows` runs of bytes.
    struct Copy {
        std::uint64_t src, dst;
        std::uint32_t bytes, rows;
        std::int64_t srcStride, dstStride;
    };
    struct HostPiece {
        std::uint64_t host, tile;
        std::uint32_t bytes;
    };
    struct Vertices {
        program::Codelet const *codelet = nullptr;
        std::size_t fields = 0;
        std::vector<std::uint64_t> bases;            ///< image offset of each vertex's tile
        std::vector<program::VertexState::Ref> refs; ///< fields of each vertex
        std::vector<program::FieldBlock> blocks;     ///< the same, where the codelet wants them
        std::span<double const> scalars;
        std::shared_ptr<void const> prepared;
        std::vector<program::StoredRounding> rounding; ///< by field; empty: all to the nearest
        int ipu = 0;
    };
    struct ExpandedSet {
        std::vector<Vertices> families;
        std::size_t vertices = 0;
        SetTimes times;
        bool ready = false;
        std::int64_t executions = 0, update = -1; ///< how often it ran in that update
    };
    struct ExpandedExchange {
        std::vector<Copy> copies;
        std::vector<std::size_t> tasks; ///< first copy of each thread's share, and the end
        ExchangeTimes times;
        bool ready = false;
    };

    /// Whether a predicate is not zero. Error: Internal "emulator.predicate" when replicas differ.
    Result<bool> holds(program::Step const &step) const;
    Result<bool> round(program::Step const &loop, StreamHandlers const &streams, JobContext const &job);
    Status leaf(program::StepId step, StreamHandlers const &streams);
    ExpandedSet &expand(program::ComputeSetId id);
    ExpandedExchange &expand(program::ExchangeId id);
    void runRing(program::Exchange const &exchange);
    /// By field, what a vertex's float16 draws by; empty where nothing is rounded by chance.
    std::vector<std::uint64_t> roundingSeeds(Vertices const &vertices, int replica, std::int64_t execution) const;
    /// A stage's task: what its IPU alone does.
    Status runTask(program::Step const &task, StreamHandlers const &streams, JobContext const &job);
    std::vector<HostPiece> hostPieces(program::VarId var) const;
    std::byte *image(int replica) const { return m_memory + static_cast<std::size_t>(replica) * m_replicaBytes; }
    std::uint64_t addressOf(program::VarId var, int tile) const;

    program::Program const &m_program;
    target::Machine m_machine;
    ThreadPool &m_pool;
    AddressLookup m_addressOf;
    std::uint64_t m_seed = 0;
    std::byte *m_memory = nullptr;
    std::size_t m_mappedBytes = 0, m_replicaBytes = 0;
    Bytes m_stride = 0;
    std::vector<ExpandedSet> m_sets;
    std::vector<ExpandedExchange> m_exchanges;
    std::vector<std::vector<HostPiece>> m_streamPieces;
    struct Entry {
        TileClocks clocks;
        program::StepId root, outermost; ///< the loop of weight updates
        std::int64_t updates = 0;        ///< begun
    };
    std::vector<Entry> m_entries;
    std::size_t m_entry = 0; ///< that runs
    std::int64_t m_supersteps = 0;
};

} // namespace tilewright::emulator
