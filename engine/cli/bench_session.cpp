#include "engine/cli/bench_session.h"

#include "engine/core/random.h"
#include "engine/data/batcher.h"
#include "engine/project/project.h"

#include <sys/resource.h>

#include <chrono>
#include <cmath>
#include <cstring>

namespace tilewright::cli {

namespace {

constexpr std::int64_t kBatch = 32, kInputs = 784, kClasses = 10, kSamples = 60000;
constexpr std::uint64_t kSeed = 7;

/// The peers' start values: sin(12.9898 i + 78.233 seed) 43758.5453, its fraction mapped to [-1, 1).
float startValue(std::int64_t i, double seed)
{
    // Rounded after each operation, as the peers do it: the fraction magnifies what a fused one would keep.
    double const volatile turned = static_cast<double>(i) * 12.9898, shift = seed * 78.233;
    double const s = std::sin(turned + shift) * 43758.5453;
    return static_cast<float>((s - std::floor(s)) * 2 - 1);
}

struct Samples {
    data::DataArray x, y;
};

Samples makeSamples(BenchData kind)
{
    std::int64_t const n = kind == BenchData::Walk ? kSamples : kBatch;
    std::vector<float> x(static_cast<std::size_t>(n * kInputs));
    std::vector<std::int32_t> y(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = kind == BenchData::Walk ? unitFloat(randomBits(kSeed, i)) : startValue(static_cast<std::int64_t>(i), 99);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = kind == BenchData::Walk ? static_cast<std::int32_t>((randomBits(kSeed + 1, i) >> 11) % kClasses)
                                       : static_cast<std::int32_t>((i * 7 + 3) % kClasses);
    return {data::makeArray<float>({n, 28, 28}, std::move(x)), data::makeArray<std::int32_t>({n}, std::move(y))};
}

} // namespace

HostUse hostUse()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    auto const seconds = [](timeval const &t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
    HostUse use;
    use.wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    use.cpu = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    use.peakMegabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
    return use;
}

std::vector<BenchWorkload> const &benchWorkloads()
{
    // The peers walk through samples with the perceptron only; the others see one batch again and again.
    static std::vector<BenchWorkload> const all{
        {"mlp", "mnist-mlp", runtime::Mode::Fused, BenchData::Walk},
        {"mlp-tile", "mnist-mlp", runtime::Mode::Tile, BenchData::Walk},
        {"cnn", "mnist-cnn", runtime::Mode::Fused, BenchData::SameStart},
        {"cnn-tile", "mnist-cnn", runtime::Mode::Tile, BenchData::SameStart},
    };
    return all;
}

Result<std::unique_ptr<BenchSession>> BenchSession::make(BenchWorkload const &workload, int threads, JobContext const &job)
{
    std::unique_ptr<BenchSession> session(new BenchSession(workload, threads));
    TW_TRY(session->prepare(threads, job));
    return session;
}

Status BenchSession::prepare(int threads, JobContext const &job)
{
    TW_ASSIGN(auto project, project::fromTemplate(m_workload.project));
    project.training.metrics.clear(); // the peers compute none
    project.training.batchSize = kBatch;
    runtime::CompileRequest request;
    request.useCache = false;
    TW_ASSIGN(m_compiled, runtime::compile(project, request, job));
    if (m_compiled.outOfMemory) return *m_compiled.outOfMemory;
    auto const &exe = *m_compiled.executable;
    auto made = m_workload.mode == runtime::Mode::Fused ? runtime::makeFusedExecutor(exe, kSeed, m_pool)
                                               : runtime::makeTileExecutor(exe, m_compiled.machine, kSeed, m_pool);
    if (!made.ok()) return made.error();
    m_executor = std::move(made).value();
    TW_TRY(fillWeights());
    auto const samples = makeSamples(m_workload.data);
    // With one thread the batches are gathered in line, as the peers do it.
    m_infeed = std::make_unique<runtime::Infeed>(samples.x, samples.y, 1.0f, exe.infeed, exe.batchSize, exe.replicas, threads > 1 ? 3 : 0);
    return {};
}

Status BenchSession::fillWeights()
{
    auto const &exe = *m_compiled.executable;
    // Optimizer state and counters begin at zero, as variables do.
    std::vector<std::byte> bytes;
    int kernel = 0;
    for (auto const id : exe.weights) {
        auto const &variable = exe.graph.variable(id);
        std::vector<float> values(static_cast<std::size_t>(elementCount(variable.shape)), 0.0f);
        auto const &shape = variable.shape;
        if (auto const n = shape.size(); n >= 2) {
            ++kernel; // kernels are drawn with seeds 1, 2, 3 in Glorot's limits
            auto const field = elementCount(shape) / (shape[n - 2] * shape[n - 1]);
            auto const limit = static_cast<float>(std::sqrt(6.0 / static_cast<double>(field * (shape[n - 2] + shape[n - 1]))));
            for (std::size_t i = 0; i < values.size(); ++i) values[i] = limit * startValue(static_cast<std::int64_t>(i), kernel);
        }
        bytes.resize(values.size() * sizeof(float));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        m_executor->write(id, bytes);
    }
    return {};
}

void BenchSession::beginEpoch()
{
    std::int64_t const samples = m_workload.data == BenchData::Walk ? kSamples : kBatch;
    m_order = data::epochOrder(samples, kSeed, ++m_epoch, m_workload.data == BenchData::Walk);
    m_left = data::batchesPerEpoch(samples, kBatch) / m_compiled.executable->replicas;
    m_infeed->begin(m_order, 0, m_left);
}

Result<double> BenchSession::run(std::int64_t steps, JobContext const &job)
{
    auto const &exe = *m_compiled.executable;
    runtime::StreamHandlers streams;
    streams.toDevice = [this](int r, int index, std::byte *to, std::size_t bytes) { return m_infeed->next(r, index, to, bytes); };
    streams.fromDevice = [this](int, int index, std::byte const *from, std::size_t) -> Status {
        if (index == 0) {
            float value = 0;
            std::memcpy(&value, from, sizeof value);
            m_loss = value;
        }
        return {};
    };
    for (std::int64_t i = 0; i < steps; ++i) {
        if (job.cancelled()) return cancelledError("bench");
        if (m_left == 0) beginEpoch();
        TW_TRY(m_executor->runUpdate(streams, job));
        --m_left;
        ++m_counters.steps;
        m_counters.total += exe.patternCycles;
        m_counters.compute += exe.computeCyclesPerPattern;
        m_counters.amp += exe.ampCyclesPerPattern;
        m_counters.exchange += exe.exchangeCyclesPerPattern;
    }
    return m_loss;
}

} // namespace tilewright::cli
