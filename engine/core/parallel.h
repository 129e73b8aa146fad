#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tilewright {

struct JobContext;

/// Starts a thread. The result is not joinable if the system gives none (a limit on processes or address space).
using ThreadStarter = std::function<std::thread(std::function<void()>)>;
std::thread tryStartThread(std::function<void()> body);

/// Sets flush-to-zero and denormals-are-zero for the calling thread. The IPU has no denormals in f16 accumulation, and denormals cost the
/// host 20 to 35 % of a training step. The flags are per thread.
void flushDenormals();

/// Sets FTZ/DAZ for the calling thread and restores the old flags at destruction.
class DenormalGuard {
public:
    DenormalGuard();
    ~DenormalGuard();
    DenormalGuard(DenormalGuard const &) = delete;
    DenormalGuard &operator=(DenormalGuard const &) = delete;

private:
    std::uint32_t m_saved;
};

/// Fixed set of threads for fork-join loops, including the caller's. The caller cuts the work into `tasks` pieces independently of the
/// number of threads, so threads never change a result.
class ThreadPool {
public:
    /// Uses fewer threads if the system gives fewer. Requires: threads >= 1.
    explicit ThreadPool(int threads, ThreadStarter const &start = tryStartThread);
    ~ThreadPool();
    ThreadPool(ThreadPool const &) = delete;
    ThreadPool &operator=(ThreadPool const &) = delete;

    int threads() const { return static_cast<int>(m_threads.size()) + 1; }
    int wanted() const { return m_wanted; }
    /// Runs body(0) … body(tasks-1), each once, and returns when all are done. An exception of a task skips the tasks that were not begun
    /// and is rethrown here. Not reentrant.
    void run(std::size_t tasks, std::function<void(std::size_t)> const &body);

private:
    void work();
    void drain(std::size_t tasks, std::function<void(std::size_t)> const &body) noexcept;

    int m_wanted;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::function<void(std::size_t)> const *m_body = nullptr;
    std::size_t m_tasks = 0;
    std::atomic<std::size_t> m_next{0};
    std::atomic<std::size_t> m_busy{0};    ///< workers in the current round
    std::atomic<std::uint64_t> m_round{0}; ///< odd while a round is open
    std::atomic<int> m_sleeping{0};
    std::atomic<bool> m_stop{false};
    std::exception_ptr m_problem;       ///< of a task in this round; guarded by m_mutex
    std::vector<std::thread> m_threads; ///< declared last: they use the members above
};

/// Warns if a pool got fewer threads than requested.
void warnOfMissingThreads(ThreadPool const &pool, JobContext const &job);

} // namespace tilewright
