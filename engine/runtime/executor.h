#pragma once

#include "engine/core/job_context.h"
#include "engine/core/parallel.h"
#include "engine/emulator/tile_machine.h"
#include "engine/executable/executable.h"
#include "engine/runtime/traps.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

class ReplicaSeam;

using emulator::StreamHandlers;

/// One way to execute an executable: fused host kernels or tile memories. Both run the same scheduled step graph. The state is the graph's
/// variables, one copy per replica. With a seam, an executor has the replicas of its worker only: `write` and `read` count them from 0,
/// streams and hooks get their numbers in the run.
class Executor {
public:
    virtual ~Executor() = default;
    /// Writes the row-major bytes of a variable. Requires: the graph uses it. `replica` -1 writes all replicas.
    virtual void write(graph::VariableId variable, std::span<std::byte const> data, int replica = -1) = 0;
    virtual std::vector<std::byte> read(graph::VariableId variable, int replica = 0) const = 0;
    virtual bool has(graph::VariableId variable) const = 0;
    /// Writes a value of the host (graph/written.h) on all replicas, for the executions that follow. False: there is none of this name.
    virtual bool writeValue(std::string_view name, float value) = 0;
    /// Runs the program once: steps_per_execution micro-batches per replica, fewer when the program's own while ends it.
    virtual Status run(StreamHandlers const &streams, JobContext const &job) = 0;
    /// Runs one weight update (the body of the outermost loop), for callers that stop between updates. Does nothing if a `while` has ended
    /// the loop.
    virtual Status runUpdate(StreamHandlers const &streams, JobContext const &job) = 0;
    /// Lets run() and runUpdate() return within the program, as soon as so many supersteps have finished since the start; nullopt: at its
    /// end. False: only tiles have supersteps.
    virtual bool pauseAt(std::optional<std::int64_t> /*superstep*/) { return false; }
    /// Whether the last run has returned within the program; resume() continues it.
    virtual bool isPaused() const { return false; }
    virtual Status resume(StreamHandlers const & /*streams*/, JobContext const & /*job*/) { return {}; }
    /// Supersteps that have finished; 0 without tiles.
    virtual std::int64_t supersteps() const { return 0; }
    /// The seed of the draws (core/replica_seeds.h), and another one for the executions that follow, of all entries over these variables.
    virtual std::uint64_t seed() const = 0;
    virtual void setSeed(std::uint64_t seed) = 0;
    /// Sets the number of earlier weight updates, which stochastic rounding uses.
    virtual void setUpdates(std::int64_t done) = 0;
    /// Called by executors that run nodes, after each execution of a node whose sum is stored as float16 (graph::roundsSums). The callee
    /// may change the bytes; execution continues with the changed values. May be empty.
    std::function<void(graph::NodeId, int ipu, int replica, std::span<std::byte>)> onSums;
    /// Called by executors that run nodes, with the gradient that a node with updatesWeights will apply. The bytes may be reused after the
    /// node. May be empty.
    std::function<void(graph::NodeId, int replica, std::span<std::byte const>)> onGradient;
    /// FusedPath::Perturbed: starts the noise of the following runs.
    virtual void beginNoise(std::uint64_t /*seed*/) {}
    /// An executor of another entry of the same executable, over the same variables and, in tile mode, on the same tiles, with separate
    /// counters. Requires: this one outlives it. Errors: those of makeFusedExecutor.
    virtual Result<std::unique_ptr<Executor>> beside(executable::EntryRef const &entry) = 0;
    /// Cycles measured on the tiles so far; nullopt without tiles.
    virtual std::optional<program::MeasuredCycles> measured() const { return {}; }
};

/// Fast: evaluates nodes together if the bits of the results stay the same; values that are not needed at the same time share memory.
/// Plain: evaluates one node after the other, each value in its own memory; the reference of the tests. Perturbed: as Plain, but each
/// sum has a random error as large as that of another order of its additions (sum_noise.h).
enum class FusedPath { Fast, Plain, Perturbed };
/// Each executes one entry. A trap ends the execution with an error of kind Numeric; in fused mode Fast is then evaluated as Plain.
/// `seam`: where the replicas of several workers meet; null: one process has all of them. Requires: the executable outlives it.
Result<std::unique_ptr<Executor>> makeFusedExecutor(executable::EntryRef const &entry, std::uint64_t seed, ThreadPool &pool,
                                                    FusedPath path = FusedPath::Fast, Traps traps = {}, ReplicaSeam *seam = nullptr);
Result<std::unique_ptr<Executor>> makeTileExecutor(executable::EntryRef const &entry, target::Machine const &machine, std::uint64_t seed,
                                                   ThreadPool &pool, Traps traps = {});
/// Host memory of the executors, without their small tables.
Bytes fusedExecutorBytes(executable::EntryRef const &entry);
Bytes tileExecutorBytes(executable::EntryRef const &entry);
/// Whether the `while` of a training loop has ended it; false without a `while`.
bool loopHasEnded(Executor const &executor, executable::EntryRef const &entry);
/// Lets the loop continue independently of its `while`.
void resumeLoop(Executor &executor, executable::EntryRef const &entry);
/// The machine of a tile executor, for access to tiles; nullptr for a fused executor.
emulator::TileMachine *tileMachineOf(Executor &executor);
/// Host memory for the history of a tile machine.
inline constexpr Bytes kHistoryBytes = Bytes{512} << 20;
/// The parts of tile memory that hold variables.
std::vector<emulator::TileRange> variableRanges(executable::Executable const &executable);

} // namespace tilewright::runtime
