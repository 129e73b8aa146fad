#pragma once

#include "engine/core/job_context.h"
#include "engine/core/parallel.h"
#include "engine/emulator/tile_machine.h"
#include "engine/executable/executable.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tilewright::runtime {

using emulator::StreamHandlers;

/// One way to execute an executable: fused host kernels or tile memories. Both run the same scheduled step
/// graph; state is the graph's variables, one copy per replica.
class Executor {
public:
    virtual ~Executor() = default;
    /// Row-major bytes of a variable. Requires: the graph uses it. `replica` -1 writes all replicas.
    virtual void write(graph::VariableId variable, std::span<std::byte const> data, int replica = -1) = 0;
    virtual std::vector<std::byte> read(graph::VariableId variable, int replica = 0) const = 0;
    virtual bool has(graph::VariableId variable) const = 0;
    /// Bytes of a value as the last run left them; empty where the executor keeps none (tile memories are shared). In fused mode
    /// they are another value's by then, but for what FusedPath::Kept says.
    virtual std::vector<std::byte> readValue(graph::ValueId, int /*replica*/) const { return {}; }
    /// Runs the program once: steps_per_execution micro-batches per replica, fewer when the program's own while ends it.
    virtual Status run(StreamHandlers const &streams, JobContext const &job) = 0;
    /// Runs one weight update (the body of the outermost loop) for callers that stop between updates; none when a while has
    /// ended the loop.
    virtual Status runUpdate(StreamHandlers const &streams, JobContext const &job) = 0;
    /// Weight updates that were done before this executor began: stochastic rounding draws by their number.
    virtual void setUpdates(std::int64_t done) = 0;
    /// What a node has summed up that is stored as float16 (graph::roundsSums); called after each of its executions by an
    /// executor that runs nodes, which goes on from what the callee leaves there. May be empty.
    std::function<void(graph::NodeId, int ipu, int replica, std::span<std::byte>)> onSums;
    /// FusedPath::Perturbed: the noise of the runs that follow.
    virtual void beginNoise(std::uint64_t /*seed*/) {}
    /// Cycles of all that has run, measured on the tiles; nothing where there are none.
    virtual std::optional<program::MeasuredCycles> measured() const { return {}; }
};

/// Fast: nodes are evaluated together where that gives the same bits, and values share their bytes with others that are not
/// needed at the same time. Kept: the same, but the gradients that optimizers take can be read afterwards. Plain: one node after
/// the other, each value in bytes of its own; what tests compare with. Perturbed: as Plain, but each sum has a random error of the size
/// that another order of its additions makes (sum_noise.h).
enum class FusedPath { Fast, Kept, Plain, Perturbed };
Result<std::unique_ptr<Executor>> makeFusedExecutor(executable::Executable const &executable, std::uint64_t seed, ThreadPool &pool,
                                                    FusedPath path = FusedPath::Fast);
Result<std::unique_ptr<Executor>> makeTileExecutor(executable::Executable const &executable, target::Machine const &machine,
                                                   std::uint64_t seed, ThreadPool &pool);
/// A further entry of the executable that a tile executor runs: on its tiles, counted by itself. `entry` is the executable's
/// (furtherEntry), which outlives it as the executor does.
std::unique_ptr<Executor> makeTileEntryExecutor(Executor &executor, executable::Executable const &entry, std::size_t number);
/// Host memory that they take, without the little that their tables need.
Bytes fusedExecutorBytes(executable::Executable const &executable);
Bytes tileExecutorBytes(executable::Executable const &executable);
/// Whether the while of a training loop has ended it; false where there is none.
bool loopHasEnded(Executor const &executor, executable::Executable const &executable);
/// The loop goes on, whatever it has found.
void resumeLoop(Executor &executor, executable::Executable const &executable);
/// The machine behind a tile executor (for looking into tiles); nullptr for a fused one.
emulator::TileMachine *tileMachineOf(Executor &executor);

} // namespace tilewright::runtime
