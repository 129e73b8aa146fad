#include "engine/core/parallel.h"

#include "engine/core/host_memory.h"
#include "engine/core/internal_error.h"
#include "engine/core/job_context.h"
#include "engine/core/thread_room.h"

#include <sys/resource.h>

#include <algorithm>
#include <new>
#include <system_error>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tilewright {

namespace {

constexpr std::uint32_t kFlushToZero = 0x8000;
constexpr std::uint32_t kDenormalsAreZero = 0x0040;
/// Spins before a worker sleeps: some tens of microseconds, the gap between two kernels of a step.
/// Bounded on purpose: a GUI shares these cores.
constexpr int kSpins = 4000;

std::uint32_t controlRegister()
{
#if defined(__x86_64__)
    return _mm_getcsr();
#else
    return 0;
#endif
}

void setControlRegister([[maybe_unused]] std::uint32_t value)
{
#if defined(__x86_64__)
    _mm_setcsr(value);
#endif
}

void relax()
{
#if defined(__x86_64__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

void flushDenormals() { setControlRegister(controlRegister() | kFlushToZero | kDenormalsAreZero); }

DenormalGuard::DenormalGuard() : m_saved(controlRegister()) { flushDenormals(); }
DenormalGuard::~DenormalGuard() { setControlRegister(m_saved); }

namespace {

/// Stacks must not take what is left of a limited address space: the threads have work to do in it, and stacks of threads
/// that ended are not given back at once. Half of it is theirs at most, and what leaves room for `bytes`.
bool leavesAddressSpace(Bytes bytes)
{
    rlimit limit{}, stack{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return true;
    constexpr Bytes kUsualStack = Bytes{8} << 20;
    Bytes const own =
        getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur != RLIM_INFINITY ? static_cast<Bytes>(stack.rlim_cur) : kUsualStack;
    Bytes const room = std::max(bytes, static_cast<Bytes>(limit.rlim_cur / 2));
    return hostMemory().free > addBytes(room, own);
}

std::thread startThreadBeside(Bytes bytes, std::function<void()> body)
{
    try {
        if (!leavesAddressSpace(bytes)) return {};
        return std::thread(std::move(body));
    } catch (std::system_error const &) {
        return {};
    } catch (std::bad_alloc const &) {
        return {};
    }
}

} // namespace

std::thread tryStartThread(std::function<void()> body) { return startThreadBeside(0, std::move(body)); }

ThreadStarter threadsBeside(Bytes bytes)
{
    return [bytes](std::function<void()> body) { return startThreadBeside(bytes, std::move(body)); };
}

ThreadPool::ThreadPool(int threads, ThreadStarter const &start) : m_wanted(threads)
{
    TW_CHECK(threads >= 1, "a pool needs at least one thread");
    m_threads.reserve(static_cast<std::size_t>(threads - 1));
    while (m_threads.size() + 1 < static_cast<std::size_t>(threads)) {
        auto thread = start([this] { work(); });
        if (!thread.joinable()) break;
        m_threads.push_back(std::move(thread));
    }
}

ThreadPool::~ThreadPool()
{
    {
        std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_wake.notify_all();
    for (auto &thread : m_threads) thread.join();
}

// A round: the caller publishes body and task count, then makes m_round odd. Workers that see it enter
// (m_busy), claim task numbers from m_next until none is left, and leave. The caller drains too, closes
// the round (even) and waits until nobody is inside, so `body` may die when run() returns, by an exception too.
void ThreadPool::run(std::size_t tasks, std::function<void(std::size_t)> const &body)
{
    if (m_threads.empty() || tasks <= 1) {
        DenormalGuard const guard;
        for (std::size_t i = 0; i < tasks; ++i) body(i);
        return;
    }
    // A check that fails on another thread tells the stage of the caller.
    std::function<void(std::size_t)> const staged = [&body, stage = WorkStage::current()](std::size_t i) {
        WorkStage::Adopted const adopted(stage);
        body(i);
    };
    m_body = &staged;
    m_tasks = tasks;
    m_next.store(0);
    m_round.fetch_add(1);
    if (m_sleeping.load() > 0) {
        {
            std::lock_guard lock(m_mutex);
        }
        m_wake.notify_all();
    }
    {
        DenormalGuard const guard;
        drain(tasks, body);
    }
    m_round.fetch_add(1);
    for (int spins = 0; m_busy.load() != 0; ++spins) {
        if (spins < kSpins) relax();
        else std::this_thread::yield();
    }
    if (m_problem) std::rethrow_exception(std::exchange(m_problem, nullptr));
}

void ThreadPool::drain(std::size_t tasks, std::function<void(std::size_t)> const &body) noexcept
{
    try {
        for (std::size_t i = m_next.fetch_add(1); i < tasks; i = m_next.fetch_add(1)) body(i);
    } catch (...) {
        m_next.store(tasks);
        std::lock_guard const lock(m_mutex);
        m_problem = std::current_exception();
    }
}

void ThreadPool::work()
{
    flushDenormals();
    std::uint64_t seen = 0;
    for (;;) {
        int spins = 0;
        std::uint64_t round = m_round.load();
        while ((round == seen || (round & 1) == 0) && !m_stop) {
            if (++spins < kSpins) {
                relax();
            } else {
                std::unique_lock lock(m_mutex);
                m_sleeping.fetch_add(1);
                m_wake.wait(lock, [&] {
                    round = m_round.load();
                    return m_stop || (round != seen && (round & 1) == 1);
                });
                m_sleeping.fetch_sub(1);
            }
            round = m_round.load();
        }
        if (m_stop) return;
        m_busy.fetch_add(1);
        if (m_round.load() == round) { drain(m_tasks, *m_body); }
        m_busy.fetch_sub(1);
        seen = round;
    }
}

void warnOfMissingThreads(ThreadPool const &pool, JobContext const &job)
{
    if (pool.threads() >= pool.wanted()) return;
    job.warn(makeWarning(
        "threads.fewer", "threads",
        Message::of("the system gave only %1 of %2 threads: the run continues with them, more slowly and with the same results.",
                    pool.threads(), pool.wanted()),
        Message::of("Request fewer threads (--threads), or raise the limits on processes and address space (ulimit -u, ulimit -v).")));
}

} // namespace tilewright
