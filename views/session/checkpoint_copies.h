#pragma once

#include <QObject>
#include <QString>

#include <utility>
#include <vector>

namespace tilewright::views {

class Session;

/// Copies the checkpoints of projects to their copies, one project after the other, so that a copy of a copy gets the checkpoints present
/// by then. Finishes once begun, even if the window closes; the user may cancel it.
class CheckpointCopies : public QObject {
    Q_OBJECT
public:
    /// The instance of a session, created on first use and destroyed with the session.
    static CheckpointCopies &of(Session &session);
    void copy(QString const &from, QString const &to);
    bool isSettled() const { return m_queue.empty(); }

private:
    explicit CheckpointCopies(Session &session);
    void next();
    Session &m_session;
    std::vector<std::pair<QString, QString>> m_queue; ///< source, destination; the first is active
};

} // namespace tilewright::views
