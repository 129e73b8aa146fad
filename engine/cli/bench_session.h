#pragma once

#include "engine/cli/bench_workloads.h"
#include "engine/core/job_context.h"
#include "engine/core/parallel.h"
#include "engine/device/registry.h"
#include "engine/runtime/infeed.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::cli {

/// A model in training, kept between measurements: a compiled session with executor, infeed and emulated counters, without a device
/// (workers run side by side).
class BenchSession {
public:
    static Result<std::unique_ptr<BenchSession>> make(BenchWorkload const &workload, int threads, JobContext const &job);

    /// Trains so many steps. Returns the loss of the last one.
    Result<double> run(std::int64_t steps, JobContext const &job);
    /// Counters of all steps so far, modelled.
    device::DeviceCounters const &counters() const { return m_counters; }

private:
    BenchSession(BenchWorkload const &workload, int threads) : m_workload(workload), m_pool(threads) {}
    Status prepare(int threads, JobContext const &job);
    void beginEpoch();

    BenchWorkload m_workload;
    ThreadPool m_pool;
    compiler::CompileOutcome m_compiled;
    std::unique_ptr<runtime::Executor> m_executor;
    std::unique_ptr<runtime::Infeed> m_infeed;
    std::vector<std::uint32_t> m_order;
    std::int64_t m_samples = 0, m_epoch = -1, m_left = 0;
    double m_loss = 0;
    device::DeviceCounters m_counters;
};

/// Resource use of this process.
struct HostUse {
    double wall = 0, cpu = 0; ///< seconds
    double peakMegabytes = 0; ///< resident
};
HostUse hostUse();

} // namespace tilewright::cli
