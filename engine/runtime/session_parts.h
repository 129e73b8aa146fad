#pragma once

#include "engine/data/dataset.h"
#include "engine/device/registry.h"
#include "engine/runtime/infeed.h"
#include "engine/runtime/session.h"
#include "engine/runtime/state.h"

#include <chrono>

/// Shared parts of training, evaluation, prediction and verification.
namespace tilewright::runtime {

inline double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int threadsOf(RunRequest const &request);

/// The most steps, not above those asked for, that are whole weight updates; one update at least.
std::int64_t wholeUpdates(std::int64_t asked, std::int64_t updateSteps);

/// The samples that the request gives, or those of the project's data source, under the names of the model's inputs.
Result<data::Dataset> openData(project::Project const &project, RunRequest const &request, JobContext const &job);
Status checkAgainstModel(data::DataArray const &x, data::DataArray const &y, executable::EntryRef const &entry,
                         project::Project const &project);
/// The same before a compile: `infeed` as compiler::feedsOf tells it.
Status checkAgainstModel(data::DataArray const &x, data::DataArray const &y, std::vector<graph::FeedSpec> const &infeed, std::int64_t batch,
                         project::Project const &project);

/// What the rules and the model want of the data of a training, before anything is compiled; steps of an epoch of each replica. Warnings go
/// to the job.
Result<std::int64_t> checkData(project::Project const &project, data::Dataset const &dataset, config::EnvironmentOptions const &environment,
                               JobContext const &job);

/// device_connection.type, or ON_DEMAND with the flag --use_on_demand.
device::ConnectionType connectionOf(project::Project const &project, config::EnvironmentOptions const &environment);
/// Attaches the emulated device an executable runs on.
Result<device::Attachment> attachDevice(project::Project const &project, RunRequest const &request, target::Machine const &machine,
                                        JobContext const &job);

/// Data of --use_synthetic_data: streams that move no data. Fills the tensor that the device reads instead.
void fillSynthetic(config::SyntheticData const &synthetic, DType dtype, std::uint64_t seed, std::byte *data, std::size_t bytes);
/// Wraps handlers so that synthetic infeeds deliver the fill and synthetic outfeeds zeros.
StreamHandlers withSynthetic(StreamHandlers handlers, config::SyntheticData const &synthetic, executable::EntryRef const &entry);
/// Overwrites the weights if parameters are synthetic.
void applySyntheticParameters(config::SyntheticData const &synthetic, executable::EntryRef const &entry, TrainingState &state);

/// Memory of an executor with its kernels.
Bytes bytesToRun(RunRequest const &request, executable::EntryRef const &entry);
/// Fails if the host lacks memory for an executor and `more` bytes. `what`: name of the operation in the message.
Status requireMemoryFor(RunRequest const &request, compiler::CompileOutcome const &compiled, Bytes more, Message const &what);
/// Bytes of weights, slots and counters.
Bytes stateBytes(executable::EntryRef const &entry);

/// Errors: also DoesNotFit "host.memory".
Result<std::unique_ptr<Executor>> makeExecutor(RunRequest const &request, compiler::CompileOutcome const &compiled, std::uint64_t seed,
                                               ThreadPool &pool, ReplicaSeam *seam = nullptr);

/// What to do when trained weights give numbers that are not finite.
Message trainAgain();
/// Numeric "numeric.loss" with the operation that produced the loss.
Diagnostic lossNotFinite(executable::EntryRef const &entry, double value, std::string subject, Message remedy);

/// Calls `body`. A failed allocation becomes DoesNotFit "host.memory" (`what` does not fit).
Status inHostMemory(Message const &what, std::function<Status()> const &body);

/// The elements of a tensor as float32.
void appendFloats(std::vector<float> &to, DType dtype, std::span<std::byte const> from);

/// Time of `steps` micro-batches on an executor whose earlier measurement was `before`.
DeviceTime deviceTime(compiler::CompileOutcome const &compiled, Executor const &executor, std::int64_t steps, Cycles before = 0);
/// Cycles measured so far; 0 for executors that do not measure.
Cycles measuredSoFar(Executor const &executor);

} // namespace tilewright::runtime
