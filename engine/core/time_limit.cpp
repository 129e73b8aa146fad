#include "engine/core/time_limit.h"

#include "engine/core/parallel.h"

#include <chrono>

namespace tilewright {

TimeLimit::TimeLimit(JobContext const &outer, double seconds) : m_job(outer), m_outer(outer.stop, [this] { m_source.request_stop(); })
{
    m_job.stop = m_source.get_token();
    m_thread = tryStartThread([this, seconds] { watch(seconds); });
}

TimeLimit::~TimeLimit()
{
    {
        std::lock_guard const lock(m_mutex);
        m_done = true;
    }
    m_wake.notify_all();
    if (m_thread.joinable()) m_thread.join();
}

bool TimeLimit::isOver() const
{
    std::lock_guard const lock(m_mutex);
    return m_over;
}

void TimeLimit::watch(double seconds)
{
    std::unique_lock lock(m_mutex);
    if (m_wake.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return m_done; })) return;
    m_over = true;
    m_source.request_stop();
}

} // namespace tilewright
