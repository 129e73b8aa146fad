#pragma once

#include "engine/core/job_context.h"
#include "engine/core/parallel.h"
#include "engine/emulator/position.h"
#include "engine/emulator/tile_clocks.h"
#include "engine/program/codelet.h"
#include "engine/target/machine.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::emulator {

class History;

/// Host streams of a program. Called on the thread that runs the machine. `index`: number of the tensor in its queue; index 0 begins a new
/// element of that replica's queue.
struct StreamHandlers {
    std::function<Status(int replica, int index, std::byte *data, std::size_t bytes)> toDevice;
    std::function<Status(int replica, int index, std::byte const *data, std::size_t bytes)> fromDevice;
};

/// Address of a variable on a tile of the replica; -1: not on that tile.
using AddressLookup = std::function<Bytes(program::VarId, int tile)>;

/// A part of a tile's memory.
struct TileRange {
    int tile = 0;
    Bytes begin = 0, bytes = 0;
};

/// Elements of a variable that a step has written: in one piece of a tile's memory.
struct Written {
    program::VarId var;
    int replica = 0, tile = 0;
    std::byte const *data = nullptr;
    std::int64_t elements = 0;
};

struct LoadOptions {
    Bytes imageBytes = 0; ///< memory of one tile (larger than the chip's for the software model)
    Bytes usedBytes = 0;  ///< bytes in use over all tiles of one replica, for the error message
    std::uint64_t seed = 0;
};

/// Tile mode. Every tile of every replica has its own memory image. Vertices run on the bytes of their tile at the allocated addresses.
/// Data move between tiles only in exchanges that copy bytes.
class TileMachine {
public:
    /// Error: DoesNotFit "host.memory" with figures if the host lacks memory for the images.
    static Result<std::unique_ptr<TileMachine>> load(program::Program const &program, target::Machine const &machine,
                                                     AddressLookup const &addressOf, LoadOptions const &options, ThreadPool &pool);
    ~TileMachine();
    TileMachine(TileMachine const &) = delete;
    TileMachine &operator=(TileMachine const &) = delete;

    /// Copies the row-major host bytes of a tensor into its blocks on a replica (-1: all), and back.
    void upload(program::VarId var, std::span<std::byte const> data, int replica = -1);
    std::vector<std::byte> download(program::VarId var, int replica = 0) const;
    /// A tensor of which each replica has its shard (program::shardLayout) only: put together from all replicas.
    std::vector<std::byte> downloadShards(program::VarId var) const;

    /// Selects the program's entry for the following runs. Each entry counts its updates and cycles separately. Hooks (beforeStep, onStep)
    /// are called for the first entry only.
    void enter(std::size_t entry) { m_position.entry = entry; }
    /// Runs a step and all steps below it. Polls `job` between leaf steps.
    Status run(program::StepId step, StreamHandlers const &streams, JobContext const &job);
    /// Runs one weight update of the entry: one round of its outermost loop (of a While only if its test is true) or of its overlapped
    /// loop; an entry without a loop runs whole.
    Status runUpdate(StreamHandlers const &streams, JobContext const &job);

    /// Lets run() and runUpdate() return as soon as so many supersteps have finished (Position::supersteps), also within a program, whose
    /// place is kept; nullopt: they run to the end. A round of an overlapped loop is not interrupted.
    void pauseAt(std::optional<std::int64_t> superstep) { m_pauseAt = superstep; }
    /// Whether the last run returned within a program. Nothing else may run before resume() has reached its end.
    bool isPaused() const { return m_paused; }
    /// Continues it, to its end or to the place of pauseAt().
    Status resume(StreamHandlers const &streams, JobContext const &job);

    /// Where the machine is: within a hook, after (onStep) or before (beforeStep) the announced step.
    Position const &position() const { return m_position; }
    /// Records from the next execution on what is needed to return to earlier positions, in at most so many bytes of host memory. `ranges`:
    /// what the program uses of each tile. `runPerCopy`: a copy of the state is made when the run since the last one has taken so many
    /// times as long as that copy; 0: after each leaf step. Requires: between executions.
    void keepHistory(std::vector<TileRange> const &ranges, Bytes most, int runPerCopy = 8);
    /// nullptr: none is kept.
    History *history() { return m_history.get(); }

    /// Measured cycles of the entry.
    TileClocks &clocks() { return m_entries[m_position.entry].clocks; }
    /// Times of a compute set by tile, after it ran; nullptr before.
    SetTimes const *timesOf(program::ComputeSetId id) const { return m_sets[id.index].ready ? &m_sets[id.index].times : nullptr; }
    ExchangeTimes const *timesOf(program::ExchangeId id) const
    {
        return m_exchanges[id.index].ready ? &m_exchanges[id.index].times : nullptr;
    }
    /// Sets the number of earlier weight updates (rounds of the entry's outermost loop) since the start of training, for stochastic
    /// rounding.
    void setUpdates(std::int64_t done);
    /// The seed of the draws (core/replica_seeds.h), and another one for the executions that follow. Requires of setSeed: between
    /// executions.
    std::uint64_t seed() const { return m_seed; }
    void setSeed(std::uint64_t seed);
    /// A tile's memory, for display. Requires: inside the image.
    std::span<std::byte const> tileMemory(int replica, int tile) const;
    /// What a compute set or a stream from the host wrote, after it ran; `visit` returns false to end. Nothing for other steps: they move
    /// what others computed.
    void visitWritten(program::StepId step, std::function<bool(Written const &)> const &visit) const;
    /// Ends the present execution with this error before its next leaf step. Call it in onStep.
    void interrupt(Diagnostic why) { m_interrupted = std::move(why); }
    /// Bytes of the images in host pages that are committed.
    Bytes committedBytes() const;
    /// Called before and after each leaf step. May be empty. Only onStep may move the machine to an earlier position (History::seek).
    std::function<void(program::StepId)> beforeStep;
    std::function<void(program::StepId)> onStep;

private:
    friend class History;
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
        std::vector<program::FieldBlock> blocks;     ///< the same, if the codelet needs them
        std::span<double const> scalars;
        std::shared_ptr<void const> prepared;
        std::vector<program::StoredRounding> rounding; ///< by field; empty: round to nearest
        int ipu = 0;
    };
    struct ExpandedSet {
        std::vector<Vertices> families;
        std::size_t vertices = 0;
        SetTimes times;
        bool ready = false;
        std::int64_t executions = 0, update = -1; ///< number of executions in that update
    };
    struct ExpandedExchange {
        std::vector<Copy> copies;
        std::vector<std::size_t> tasks; ///< first copy of each thread's share, then the end
        ExchangeTimes times;
        bool ready = false;
    };

    /// Whether a predicate is nonzero. Error: Internal "emulator.predicate" if replicas differ.
    Result<bool> holds(program::Step const &step) const;
    /// Runs from a step until no frame is left.
    Status execute(program::StepId step, bool once, StreamHandlers const &streams, JobContext const &job);
    /// Runs on from its place until no frame is left, or to the place of a pause.
    Status proceed(StreamHandlers const &streams, JobContext const &job);
    /// Runs a leaf step, or begins a control step: `task` as in Frame, `once` for one round of a loop.
    Status begin(program::StepId step, bool task, bool once, StreamHandlers const &streams, JobContext const &job);
    /// Takes one decision of the innermost frame: its next child, its next round, or its end.
    Status advance(StreamHandlers const &streams, JobContext const &job);
    Status advanceLoop(StreamHandlers const &streams, JobContext const &job);
    void endFrame();
    struct Leave;
    void beginUpdate();
    bool isUpdateLoop(program::StepId step) const;
    Status leaf(program::StepId step, StreamHandlers const &streams);
    void runSet(program::StepId step);
    void runExchange(program::StepId step);
    Status runStream(program::StepId step, StreamHandlers const &streams);
    void runRemote(program::StepId step);
    void write(program::VarId var, std::span<std::byte const> data, int replica);
    ExpandedSet &expand(program::ComputeSetId id);
    ExpandedExchange &expand(program::ExchangeId id);
    void runRing(program::Exchange const &exchange);
    /// Seeds of a vertex's float16 stores, by field; empty if nothing is rounded stochastically.
    std::vector<std::uint64_t> roundingSeeds(Vertices const &vertices, int replica, std::int64_t execution) const;
    std::vector<HostPiece> hostPieces(program::VarId var) const;
    std::byte *image(int replica) const { return m_memory + static_cast<std::size_t>(replica) * m_replicaBytes; }
    std::uint64_t addressOf(program::VarId var, int tile) const;
    /// Places the remote buffers after the tiles; returns the bytes of one replica.
    std::size_t placeRemote();
    /// Pieces of a tensor that belong to a replica's shard.
    std::vector<HostPiece> shardPieces(program::VarId var, int replica) const;
    std::size_t tensorBytes(program::VarId var) const;

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
    std::vector<std::size_t> m_remoteAt; ///< by variable: offset of its remote buffer in the image of a replica, row-major
    struct Entry {
        TileClocks clocks;
        program::StepId root, outermost; ///< the loop of weight updates
        program::OverlappedLoop round;   ///< the same, if its transfers overlap its compute steps
        std::int64_t updates = 0;        ///< started updates
    };
    std::vector<Entry> m_entries;
    Position m_position;
    std::optional<Diagnostic> m_interrupted;
    std::optional<std::int64_t> m_pauseAt;
    bool m_paused = false;
    std::unique_ptr<History> m_history;
};

} // namespace tilewright::emulator
