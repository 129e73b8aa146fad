#pragma once

#include "engine/core/result.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace tilewright::runtime {

/// Runs calls on a thread of its own, one after the other in the order of add(). The caller of add() goes on at once. A call that needs the
/// caller's thread (to read what only that thread may touch) asks for it with here(). The first error ends the calls: those behind it are
/// dropped.
class OrderedCalls {
public:
    OrderedCalls();
    /// Drops the calls that have not begun, and waits for the one under way.
    ~OrderedCalls();
    OrderedCalls(OrderedCalls const &) = delete;
    OrderedCalls &operator=(OrderedCalls const &) = delete;

    /// Without a thread (the host has none left) the call runs here.
    void add(std::function<Status()> call);
    /// Within a call: runs `work` on the caller's thread, in its next serve() or finish(), and waits for it. Elsewhere runs it at once.
    void here(std::function<void()> const &work);
    /// Runs what calls have asked for, without waiting for calls. Returns the first error.
    Status serve();
    /// Waits until all calls have returned, and serves them meanwhile. Returns the first error.
    Status finish();

private:
    void run();
    void serveLocked(std::unique_lock<std::mutex> &lock);

    std::mutex m_mutex;
    std::condition_variable m_wake, m_changed; ///< of the thread; of who waits for it, or it for them
    std::deque<std::function<Status()>> m_calls;
    std::function<void()> const *m_asked = nullptr; ///< work for the caller's thread
    std::optional<Diagnostic> m_failure;
    bool m_busy = false, m_stop = false;
    std::thread m_thread;
};

} // namespace tilewright::runtime
