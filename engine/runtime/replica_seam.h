#pragma once

#include "engine/core/result.h"
#include "engine/kernels/kernel.h"
#include "engine/runtime/run.h"
#include "engine/runtime/worker_link.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace tilewright::runtime {

/// Where the replicas of a run meet when several workers own them: worker w of W owns replicas w R/W to (w + 1) R/W - 1. All workers call
/// each function at the same place of the run. Results do not depend on the number of workers: sums add in the order of the replicas, as
/// sumReplicas does in one process. Every function fails with Device "workers.lost" when a worker is lost.
class ReplicaSeam {
public:
    /// Requires: the link outlives it; the workers divide the replicas (checkWorkers).
    ReplicaSeam(WorkerLink &link, int replicas, std::stop_token stop);

    int worker() const { return m_worker; }
    int workers() const { return m_workers; }
    int first() const { return m_worker * m_count; } ///< the first replica of this worker
    int count() const { return m_count; }            ///< replicas of each worker

    /// Sums each tensor over all replicas. `tensors`: [tensor][replica of this worker]; each copy receives the sum.
    Status reduce(std::span<std::vector<kernels::HostTensor> const> tensors);
    /// The bytes of all workers, in their order. Requires: the same number of bytes on each.
    Result<std::vector<std::byte>> exchange(std::span<std::byte const> mine);
    /// The largest value of the workers.
    Result<std::int64_t> agree(std::int64_t mine);
    /// The bytes of worker 0. Requires: the same number of bytes on each.
    Status broadcast(std::span<std::byte> bytes);
    /// The tensors of worker 0. Requires: the same tensors on each.
    Status broadcast(TrainingState &state);

    /// What the reductions have cost this worker so far.
    struct Cost {
        std::int64_t reductions = 0;
        double seconds = 0;     ///< measured, with the wait for the others
        std::int64_t bytes = 0; ///< sent to other workers
    };
    Cost const &cost() const { return m_cost; }

private:
    WorkerLink &m_link;
    int m_worker, m_workers, m_count;
    Cost m_cost;
    std::vector<std::byte> m_parts, m_received; ///< reused by the reductions
};

/// The replicas of a run with several workers, which must divide them; 0 with one worker. Errors: Invalid "workers.replicas",
/// "workers.count" (the option experimental.multi_replica_distribution.process_count), "workers.tile"; those of the distribution over the
/// system.
Result<int> checkWorkers(project::Project const &project, RunRequest const &request);
/// Device "workers.lost".
Diagnostic workerLost();
inline constexpr std::string_view kWorkerLost = "workers.lost";

} // namespace tilewright::runtime
