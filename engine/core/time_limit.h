#pragma once

#include "engine/core/job_context.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

namespace tilewright {

/// A job inside another, which is cancelled as well when its time is over. Where the system gives no thread to watch the
/// time, there is no limit.
class TimeLimit {
public:
    TimeLimit(JobContext const &outer, double seconds);
    ~TimeLimit();
    TimeLimit(TimeLimit const &) = delete;
    TimeLimit &operator=(TimeLimit const &) = delete;

    JobContext const &job() const { return m_job; }
    bool isOver() const; ///< by time, not by the job around it

private:
    void watch(double seconds);

    std::stop_source m_source;
    JobContext m_job;
    std::stop_callback<std::function<void()>> m_outer; ///< passes the outer job's end on
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_done = false, m_over = false;
    std::thread m_thread; ///< last: it uses what stands above
};

} // namespace tilewright
