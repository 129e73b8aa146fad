#pragma once

#include "engine/data/dataset.h"
#include "engine/device/device_fault.h"
#include "engine/runtime/infeed.h"
#include "engine/runtime/run.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

class HostRecord;
class ReplicaSeam;

/// When a run of a session returns. The first condition that holds ends it, between two executions of the program unless it is a superstep.
struct Until {
    /// Micro-batches of each replica, rounded down to whole weight updates (at least one).
    std::optional<std::int64_t> steps;
    /// Called after each execution; true ends the run.
    std::function<bool()> predicate = {};
    /// Tile mode: so many supersteps have finished since the session began. The run may then end within an execution, which the next run
    /// continues first: the result is that of a run that was never cut. Meanwhile variables have the values that the tiles hold.
    std::optional<std::int64_t> superstep = {};
};
/// Why it returned. Loop: the program's own `while` has ended it.
enum class Ended { Steps, Predicate, Loop, Superstep };

/// A loaded executable that a caller drives: load it, feed it, run it until a condition holds, read and write its variables, save its
/// state. Training, evaluation, prediction and verification differ only in their feeds, their outputs and their ends. It computes in the
/// calls of its caller and has no thread except that of its infeed.
class Session {
public:
    /// The samples that it reads, and how.
    struct Feeds {
        data::DataArray const &x, &y;
        double scale = 1;
        std::size_t prefetch = 3; ///< micro-batches gathered ahead; 0: on request
        std::vector<double> classWeights = {};
    };

    /// Loads the executable in the request's mode. Errors: those of makeExecutor. Requires: the pool and the seam outlive it. `seam`: where
    /// the replicas of several workers meet; each worker has a session. Outputs are then those of all replicas on every worker.
    static Result<std::unique_ptr<Session>> load(compiler::CompileOutcome compiled, RunRequest const &request, std::uint64_t seed,
                                                 ThreadPool &pool, ReplicaSeam *seam = nullptr);
    /// Another entry of the executable that `loaded` runs, over the same variables and on the same device. Requires: `loaded` outlives it.
    /// Errors: those of makeFusedExecutor.
    static Result<std::unique_ptr<Session>> beside(Session &loaded, std::size_t entry);
    /// With an executor that the caller made of the executable.
    Session(compiler::CompileOutcome compiled, std::unique_ptr<Executor> executor, config::SyntheticData synthetic,
            ReplicaSeam *seam = nullptr);

    Session(Session const &) = delete;
    Session &operator=(Session const &) = delete;

    /// Creates the infeed. `record` may be null; it receives executions and copies to the device.
    void feed(Feeds const &feeds, HostRecord *record = nullptr);
    /// Starts a pass over the samples in this order, at a micro-batch of it.
    void begin(std::vector<std::uint32_t> const &order, std::int64_t firstStep, std::int64_t steps);
    /// Each output tensor of each micro-batch and replica. An error ends the run. If the device sends the mean of several micro-batches,
    /// each of them has that output; if the host keeps the last outputs of an execution, each micro-batch of it has these.
    std::function<Status(int replica, int index, std::span<std::byte const>)> onOutput;
    /// All replicas have finished a micro-batch.
    std::function<void()> onStep;

    /// Runs until a condition holds. `until.steps` is required: the micro-batches that `begin` has not yet delivered at most. Errors: those
    /// of the feeds, the outputs and the executor; Cancelled between two executions, and within one if the executor gets `inside`; Usage
    /// "session.superstep" without tiles.
    Result<Ended> run(Until const &until, JobContext const &job, JobContext const &inside = {});

    /// Whether the last run ended within an execution (Until::superstep).
    bool isWithinExecution() const { return m_executor->isPaused(); }
    std::int64_t supersteps() const { return m_executor->supersteps(); }
    /// Micro-batches that have finished, with those before `resumeAt`.
    std::int64_t steps() const { return m_steps; }
    /// Continues a training after so many micro-batches; its state is loaded separately.
    void resumeAt(std::int64_t step);

    /// Names of all variables.
    std::vector<std::string> variables() const;
    /// The value of a variable. Error: Usage "session.no-variable" with the nearest name.
    Result<StateTensor> read(std::string_view variable) const;
    /// Writes the value on all replicas. Errors: as read; Usage "session.variable-size" for another number of bytes.
    Status write(std::string_view variable, std::span<std::byte const> bytes);
    /// The learning rate of the first optimizer; none if a schedule computes it on the device, or nothing is trained.
    std::optional<double> learningRate() const;
    /// Writes it for the executions that follow; nothing is compiled. `by`: who changes it, for the report. Error: Usage "session.no-rate"
    /// if a schedule computes it, or it is not a number of at least 0.
    Status setLearningRate(double rate, std::string const &by);
    /// Called after each change.
    std::function<void(double before, double now, std::string const &by)> onRate;
    /// Writes another value of the host ("momentum", "loss_scale", and those of further optimizers) in the same way. Error: Usage
    /// "session.no-value" with the nearest name, or if the value is not one that it may have.
    Status setValue(std::string const &name, double value, std::string const &by);
    /// Called after each change of a value other than the rate.
    std::function<void(std::string const &name, double before, double now, std::string const &by)> onValue;
    /// The seed of the device's draws, with the mark of core/replica_seeds.h.
    std::uint64_t seed() const;
    /// Sets it for the executions that follow, as reset_ipu_seed does: the draws begin anew, so that the same seed gives the same draws
    /// again. Nothing is compiled. `by`: who resets it, for the report.
    void resetSeed(std::uint64_t seed, std::string const &by);
    /// Called after each reset.
    std::function<void(std::uint64_t before, std::uint64_t now, std::string const &by)> onSeed;
    /// Continues draws that a reset began so many steps ago.
    void continueSeed(std::uint64_t seed, std::int64_t stepsSince);
    /// All values that the host writes (graph/written.h), as they are.
    std::map<std::string, double> const &written() const { return m_written; }
    void writeValues(std::map<std::string, double> const &values);
    /// Weights, optimizer state and counters; a state is loaded whole, weights with everything else set to zero.
    TrainingState state() const;
    Status loadState(TrainingState const &state);
    Status loadWeights(TrainingState const &state);

    compiler::CompileOutcome const &compiled() const { return m_compiled; }
    executable::EntryRef entry() const { return m_compiled.entry(); }
    Executor &executor() { return *m_executor; }
    Executor const &executor() const { return *m_executor; }
    /// Device time of `steps` micro-batches that began when `cyclesSoFar` was `before`.
    DeviceTime deviceTime(std::int64_t steps, Cycles before = 0) const;
    Cycles cyclesSoFar() const;

private:
    Result<graph::VariableId> find(std::string_view variable) const;
    StreamHandlers streams();
    Status takeOutput(int replica, int index, std::span<std::byte const> bytes);
    /// Whether outputs are collected before the caller receives them.
    bool collects() const { return m_seam || entry()->stepsPerOutput > 1 || entry()->lastOutputOnly; }
    Status giveOutputs();
    /// `all`: outputs of a micro-batch, replica after replica.
    Status giveOutput(std::span<std::byte const> all);
    Result<int> agreeOnStop(bool cancelled, bool stops);

    compiler::CompileOutcome m_compiled;
    config::SyntheticData m_synthetic;
    std::unique_ptr<Executor> m_executor;
    std::unique_ptr<Infeed> m_infeed;
    std::map<std::string, double> m_written;
    HostRecord *m_record = nullptr;
    ReplicaSeam *m_seam;
    std::optional<device::DeviceFault> m_fault; ///< that ends the run
    int m_device = 0;                           ///< N of /device:IPU:N
    std::vector<std::byte> m_outputs;           ///< of the replicas of this worker: what a micro-batch has sent so far, or what waits
    std::int64_t m_waiting = 0;                 ///< finished micro-batches that the caller was not told of
    std::int64_t m_steps = 0;
};

} // namespace tilewright::runtime
