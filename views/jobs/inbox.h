#pragma once

#include <QObject>

#include <deque>
#include <functional>
#include <mutex>

namespace tilewright::views {

/// Calls from other threads, run one after the other, in the order they came, on the window's thread. Qt's own queue does
/// the same, but a lambda that travels through it is handed over where no thread sanitizer sees it.
class Inbox : public QObject {
    Q_OBJECT
public:
    /// The one of the program. First call: on the window's thread, with an application.
    static Inbox &ofWindow();

    /// From any thread. `owner` names whom the call is for, see forget().
    void post(QObject const *owner, std::function<void()> call);
    /// Drops what waits for an owner that goes away. On the window's thread.
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
