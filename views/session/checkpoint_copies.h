#pragma once

#include <QObject>
#include <QString>

#include <utility>
#include <vector>

namespace tilewright::views {

class Session;

/// Copies the checkpoints of projects to those that were saved from them, one project after the other: what is saved on from a
/// copy takes what that has by then. Begun is done, also when the window is closed; a person may cancel it.
class CheckpointCopies : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static CheckpointCopies &of(Session &session);
    void copy(QString const &from, QString const &to);
    bool isSettled() const { return m_queue.empty(); }

private:
    explicit CheckpointCopies(Session &session);
    void next();
    Session &m_session;
    std::vector<std::pair<QString, QString>> m_queue; ///< from, to; the first goes on
};

} // namespace tilewright::views
