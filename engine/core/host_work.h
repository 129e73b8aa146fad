#pragma once

#include "engine/core/job_context.h"
#include "engine/core/parallel.h"

#include <algorithm>

namespace tilewright {

/// The number of host threads: `wanted`, or the machine's if `wanted` is 0.
inline int hostThreads(int wanted) { return wanted > 0 ? wanted : static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

/// The host's threads and the cancellation of a long computation. Without them the computation runs on the calling thread to its end.
struct HostWork {
    ThreadPool *pool = nullptr;
    JobContext const *job = nullptr;

    bool cancelled() const { return job && job->cancelled(); }
    /// Runs body(0) … body(tasks-1), each once, in any order and on any thread. Skips tasks that have not begun when the job is cancelled.
    /// Requires: the pool is idle.
    void run(std::size_t tasks, std::function<void(std::size_t)> const &body) const
    {
        auto const unlessCancelled = [&](std::size_t i) {
            if (!cancelled()) body(i);
        };
        if (pool) pool->run(tasks, unlessCancelled);
        else
            for (std::size_t i = 0; i < tasks; ++i) unlessCancelled(i);
    }
};

} // namespace tilewright
