#pragma once

#include "views/session/moment.h"

#include <QObject>
#include <QString>

namespace tilewright::views {

class Session;

/// The one moment that all views of a window show. A selection of a step (in any view, also by Back) moves it, and so does the run of this
/// window: to its last finished update, or to the program step after which it is paused. A moment that a user chose stays until the run is
/// paused, continued or stepped.
class Playhead : public QObject {
    Q_OBJECT
public:
    explicit Playhead(Session &session);

    Moment const &moment() const { return m_moment; }
    /// The liveness step of the moment. If it is open: the peak of all tiles; of a program that does not fit, the peak of its worst tile;
    /// -1: the report has no liveness.
    int livenessStep() const;
    /// The last executed program step (row of programs) of a paused tile-mode run; -1 if none is paused, or another report is displayed.
    int standing() const;
    /// The same in words; "": none.
    QString standingText() const;
    QString programName() const; ///< of the moment's program step; "": open
    /// Whether the moment is that of the run of this window, not one that a user chose.
    bool isFollowing() const { return m_following; }

    /// By a user who picks a moment without selecting a thing. Open fields that follow from others are filled: the program step of a
    /// liveness step, the first liveness step of a program step.
    void moveTo(Moment moment);
    void moveToLivenessStep(int step); ///< in the same update of the same run
signals:
    void moved();

private:
    void takeSelection();
    void takeRun();
    void takeReport();
    Moment completed(Moment moment) const;
    void put(Moment moment);
    Session &m_session;
    Moment m_moment;
    bool m_following = false;
    bool m_wasRunning = false;
    int m_stood = -1; ///< the last standing(), to notice that the run has gone on
    QString m_uuid;   ///< of the report whose rows the moment names
};

} // namespace tilewright::views
