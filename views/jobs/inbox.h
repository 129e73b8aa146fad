#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace tilewright::views {

/// Runs calls from other threads on the window's thread, in order of arrival. Qt's queue would do the same, but the thread sanitizer cannot
/// see the hand-over of its lambdas.
class Inbox : public QObject {
    Q_OBJECT
public:
    /// The program's inbox. First call: on the window's thread, with an application.
    static Inbox &ofWindow();

    /// Thread-safe. `owner`: target of the call, see forget().
    void post(QObject const *owner, std::function<void()> call);
    /// Drops the calls for an owner that is being destroyed. On the window's thread.
    void forget(QObject const *owner);

private:
    explicit Inbox(QObject *parent);
    Q_INVOKABLE void runNext();
    struct Call {
        QObject const *owner = nullptr;
        std::function<void()> run;
    };
    std::mutex m_mutex;
    std::deque<Call> m_calls;
};

} // namespace tilewright::views
