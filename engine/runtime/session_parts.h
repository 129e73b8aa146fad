#pragma once

#include "engine/data/dataset.h"
#include "engine/device/registry.h"
#include "engine/runtime/infeed.h"
#include "engine/runtime/session.h"
#include "engine/runtime/state.h"

#include <chrono>

/// What training, evaluation, prediction and verification share.
namespace tilewright::runtime {

inline double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int threadsOf(RunRequest const &request);

/// Opens the project's data and checks them against the model: sample shape, label range, label shape.
Result<data::Dataset> openData(project::Project const &project, std::filesystem::path const &baseDir, JobContext const &job);
Status checkAgainstModel(data::DataArray const &x, data::DataArray const &y, executable::Executable const &executable,
                         project::Project const &project);

device::ConnectionType connectionOf(project::Project const &project);
/// Attaches the emulated device an executable runs on.
Result<device::Attachment> attachDevice(project::Project const &project, RunRequest const &request, target::Machine const &machine,
                                        JobContext const &job);

/// Data of --use_synthetic_data: streams that move nothing. Fills what the device finds instead.
void fillSynthetic(config::SyntheticData const &synthetic, DType dtype, std::uint64_t seed, std::byte *data, std::size_t bytes);
/// Wraps handlers so that synthetic infeeds deliver the fill and synthetic outfeeds zeros.
StreamHandlers withSynthetic(StreamHandlers handlers, config::SyntheticData const &synthetic, executable::Executable const &executable);
/// Overwrites weights when parameters are synthetic.
void applySyntheticParameters(config::SyntheticData const &synthetic, executable::Executable const &executable, TrainingState &state);

/// What an executor takes, with its kernels.
Bytes bytesToRun(RunRequest const &request, executable::Executable const &executable);
/// Refuses what the host has no memory for: an executor, and `more`. `what` is to run.
Status requireMemoryFor(RunRequest const &request, compiler::CompileOutcome const &compiled, Bytes more, Message const &what);
/// Weights, slots and counters.
Bytes stateBytes(executable::Executable const &executable);

/// Error: DoesNotFit "host.memory" too.
Result<std::unique_ptr<Executor>> makeExecutor(RunRequest const &request, compiler::CompileOutcome const &compiled, std::uint64_t seed,
                                               ThreadPool &pool);

/// What to do when trained weights give numbers that are not finite.
Message trainAgain();
/// Numeric "numeric.loss": names the operation that the loss comes from.
Diagnostic lossNotFinite(executable::Executable const &executable, double value, std::string subject, Message remedy);

/// Calls `body`; memory that it does not get is DoesNotFit "host.memory" (`what` does not fit).
Status inHostMemory(Message const &what, std::function<Status()> const &body);

/// The elements of a tensor as float32.
void appendFloats(std::vector<float> &to, DType dtype, std::span<std::byte const> from);

/// Of `steps` micro-batches on an executor that had measured `before` in front of them.
DeviceTime deviceTime(compiler::CompileOutcome const &compiled, Executor const &executor, std::int64_t steps, Cycles before = 0);
/// What it has measured so far; 0 where it measures nothing.
Cycles measuredSoFar(Executor const &executor);

/// Means over micro-batches of what the outfeed brings: loss, then metrics.
class MetricMeans {
public:
    explicit MetricMeans(std::vector<executable::FeedSpec> const &specs) : m_specs(specs), m_sums(specs.size(), 0.0) {}
    /// `samples`: how many the micro-batch holds; means are over samples, as Keras's are.
    void add(std::size_t index, double value, double samples = 1)
    {
        m_sums[index] += value * samples;
        if (index == 0) m_weight += samples;
    }
    void reset()
    {
        std::fill(m_sums.begin(), m_sums.end(), 0.0);
        m_weight = 0;
    }
    double loss() const { return mean(0); }
    std::vector<std::pair<std::string, double>> metrics() const;

private:
    double mean(std::size_t i) const { return m_weight > 0 ? m_sums[i] / m_weight : 0.0; }
    std::vector<executable::FeedSpec> const &m_specs;
    std::vector<double> m_sums;
    double m_weight = 0;
};

} // namespace tilewright::runtime
