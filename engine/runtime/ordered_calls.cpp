#include "engine/runtime/ordered_calls.h"

#include "engine/core/internal_error.h"
#include "engine/core/parallel.h"

#include <utility>

namespace tilewright::runtime {

OrderedCalls::OrderedCalls() : m_thread(tryStartThread([this] { run(); })) {}

OrderedCalls::~OrderedCalls()
{
    {
        std::unique_lock lock(m_mutex);
        m_stop = true;
        m_wake.notify_all();
        while (m_busy) { // it may wait for this thread
            serveLocked(lock);
            m_changed.wait(lock, [&] { return !m_busy || m_asked; });
        }
    }
    if (m_thread.joinable()) m_thread.join();
}

void OrderedCalls::run()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_stop || !m_calls.empty(); });
        if (m_stop) return;
        auto const call = std::move(m_calls.front());
        m_calls.pop_front();
        m_busy = true;
        lock.unlock();
        Status called;
        try {
            called = call();
        } catch (...) {
            called = currentException("callbacks", Message::of("the callbacks of a step"));
        }
        lock.lock();
        m_busy = false;
        if (!called.ok() && !m_failure) m_failure = called.error();
        if (m_failure) m_calls.clear();
        m_changed.notify_all();
    }
}

void OrderedCalls::add(std::function<Status()> call)
{
    if (!m_thread.joinable()) {
        if (m_failure) return;
        if (auto const called = call(); !called.ok()) m_failure = called.error();
        return;
    }
    std::lock_guard const lock(m_mutex);
    if (m_failure) return;
    m_calls.push_back(std::move(call));
    m_wake.notify_one();
}

void OrderedCalls::here(std::function<void()> const &work)
{
    if (std::this_thread::get_id() != m_thread.get_id()) return work();
    std::unique_lock lock(m_mutex);
    m_asked = &work;
    m_changed.notify_all();
    m_changed.wait(lock, [&] { return m_asked != &work; });
}

void OrderedCalls::serveLocked(std::unique_lock<std::mutex> &lock)
{
    while (auto const *work = m_asked) {
        lock.unlock();
        (*work)();
        lock.lock();
        m_asked = nullptr;
        m_changed.notify_all();
    }
}

Status OrderedCalls::serve()
{
    std::unique_lock lock(m_mutex);
    serveLocked(lock);
    return m_failure ? Status(*m_failure) : Status();
}

Status OrderedCalls::finish()
{
    std::unique_lock lock(m_mutex);
    for (;;) {
        serveLocked(lock);
        if (!m_busy && m_calls.empty()) break;
        m_changed.wait(lock, [&] { return m_asked || (!m_busy && m_calls.empty()); });
    }
    return m_failure ? Status(*m_failure) : Status();
}

} // namespace tilewright::runtime
