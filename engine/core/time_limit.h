#pragma once

#include "engine/core/job_context.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tilewright {

/// A job inside another job that is also cancelled after a time. No limit applies if the system gives no thread to watch the time.
class TimeLimit {
public:
    TimeLimit(JobContext const &outer, double seconds);
    ~TimeLimit();
    TimeLimit(TimeLimit const &) = delete;
    TimeLimit &operator=(TimeLimit const &) = delete;

    JobContext const &job() const { return m_job; }
    bool isOver() const; ///< ended by time, not by the outer job

private:
    void watch(double seconds);

    std::stop_source m_source;
    JobContext m_job;
    std::stop_callback<std::function<void()>> m_outer; ///< forwards a stop of the outer job
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_done = false, m_over = false;
    std::thread m_thread; ///< declared last: it uses the members above
};

} // namespace tilewright
