#include "views/jobs/inbox.h"

#include <QCoreApplication>
#include <QPointer>

namespace tilewright::views {

Inbox::Inbox(QObject *parent) : QObject(parent) {}

Inbox &Inbox::ofWindow()
{
    static QPointer<Inbox> inbox;
    if (!inbox) inbox = new Inbox(QCoreApplication::instance());
    return *inbox;
}

void Inbox::post(QObject const *owner, std::function<void()> call)
{
    bool first = false;
    {
        std::lock_guard const lock(m_mutex);
        first = m_calls.empty();
        m_calls.push_back({owner, std::move(call)});
    }
    // While calls wait, one runNext() is scheduled.
    if (first) QMetaObject::invokeMethod(this, "runNext", Qt::QueuedConnection);
}

void Inbox::forget(QObject const *owner)
{
    std::deque<Call> dropped; // destroyed without the lock
    std::lock_guard const lock(m_mutex);
    for (auto &call : m_calls)
        if (call.owner == owner) {
            dropped.push_back(std::move(call));
            call = {}; // keep the element, because a scheduled runNext() expects one
        }
}

void Inbox::runNext()
{
    Call call;
    bool more = false;
    {
        std::lock_guard const lock(m_mutex);
        if (m_calls.empty()) return;
        call = std::move(m_calls.front());
        m_calls.pop_front();
        more = !m_calls.empty();
    }
    // Schedule before the call runs, because the call can open an event loop.
    if (more) QMetaObject::invokeMethod(this, "runNext", Qt::QueuedConnection);
    if (call.run) call.run();
}

} // namespace tilewright::views
