#include "engine/cli/bench_session.h"

#include "engine/data/batcher.h"

#include <sys/resource.h>

#include <chrono>
#include <cstring>
#include <span>

namespace tilewright::cli {

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

Result<std::unique_ptr<BenchSession>> BenchSession::make(BenchWorkload const &workload, int threads, JobContext const &job)
{
    std::unique_ptr<BenchSession> session(new BenchSession(workload, threads));
    TW_TRY(session->prepare(threads, job));
    return session;
}

Status BenchSession::prepare(int threads, JobContext const &job)
{
    TW_ASSIGN(auto project, m_workload.project());
    project.training.metrics.clear(); // the other frameworks compute none
    project.training.batchSize = m_workload.batch;
    compiler::CompileRequest request;
    request.useCache = false;
    TW_ASSIGN(m_compiled, compiler::compile(project, request, job));
    if (m_compiled.outOfMemory) return *m_compiled.outOfMemory;
    auto const entry = m_compiled.entry();
    auto made = m_workload.mode == runtime::Mode::Fused ? runtime::makeFusedExecutor(entry, kBenchSeed, m_pool)
                                                        : runtime::makeTileExecutor(entry, m_compiled.machine, kBenchSeed, m_pool);
    if (!made.ok()) return made.error();
    m_executor = std::move(made).value();
    // Optimizer state and counters start at zero, like variables.
    auto const weights = benchWeights(m_workload, *entry);
    for (std::size_t i = 0; i < weights.size(); ++i) m_executor->write(entry->weights[i], std::as_bytes(std::span(weights[i])));
    auto const samples = benchSamples(m_workload);
    m_samples = samples.y.count();
    // With one thread, batches are gathered inline, as the other frameworks do.
    m_infeed = std::make_unique<runtime::Infeed>(samples.x, samples.y, 1.0f, entry->infeed, entry->batchSize, entry.replicas(),
                                                 threads > 1 ? 3 : 0);
    return {};
}

void BenchSession::beginEpoch()
{
    m_order = data::epochOrder(m_samples, kBenchSeed, ++m_epoch, m_workload.data == BenchData::Walk);
    m_left = data::batchesPerEpoch(m_samples, m_workload.batch) / m_compiled.executable->replicas;
    m_infeed->begin(m_order, 0, m_left);
}

Result<double> BenchSession::run(std::int64_t steps, JobContext const &job)
{
    auto const entry = m_compiled.entry();
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
        double const patterns = static_cast<double>(entry->microBatchesPerUpdate) * entry->patternsPerStep();
        auto const share = [&](Cycles ofPattern) { return static_cast<Cycles>(patterns * static_cast<double>(ofPattern)); };
        m_counters.total += share(entry->patternCycles);
        m_counters.compute += share(entry->computeCyclesPerPattern);
        m_counters.amp += share(entry->ampCyclesPerPattern);
        m_counters.exchange += share(entry->exchangeCyclesPerPattern);
    }
    return m_loss;
}

} // namespace tilewright::cli
