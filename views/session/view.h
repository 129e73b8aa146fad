#pragma once

#include "views/common/export.h"
#include "views/session/session.h"

#include <QJsonObject>
#include <QKeySequence>
#include <QWidget>

#include <functional>

class QFrame;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedLayout;
class QToolButton;

namespace tilewright::views {

class SteadyLabel;

/// How a view stands; everything but Ready is told to the person in words.
struct ViewState {
    enum Kind { Ready, Empty, Running, Partial, Stale, Error };
    Kind kind = Ready;
    QString text;       ///< one sentence
    QString actionText; ///< of the button, "" = none
    std::function<void()> action;
};

/// What every view is: a headline in words, a banner for its state, a body. The base calls refresh(),
/// follow() and advance() only while the view is visible; what was missed is caught up when it is shown.
class View : public QWidget {
    Q_OBJECT
public:
    View(QString const &id, Session &session, QWidget *parent);
    ~View() override;

    QString id() const { return m_id; }
    Session &session() const { return m_session; }
    QString headline() const;
    ViewState const &state() const { return m_state; }

    /// CSV of what is on show; exact values.
    virtual QList<ExportTable> exportTables() const { return {}; }
    /// Zoom, columns, splitter sizes, choices: kept with the window's layout.
    virtual QJsonObject saveState() const { return {}; }
    virtual void restoreState(QJsonObject const &) {}
    /// Whatever a picture needs is there (no background work left); `render` waits for it.
    virtual bool isSettled() const { return true; }
    /// Puts the keyboard where a search begins (Ctrl+F).
    virtual void startSearch() {}
    /// Brings the view up to date now, also while hidden (render, tests).
    void refreshNow();

protected:
    /// The report on show or the document changed (`needsDocument`, `needsReport` say which count).
    virtual void refresh() = 0;
    /// The selection changed: highlight.
    virtual void follow() {}
    /// The report of the run that goes on has more of the same (`Session::reportGrown`, every few seconds): bring counts to date,
    /// build nothing anew.
    virtual void grow() {}
    /// A run went on (at most 30 Hz).
    virtual void advance() {}
    /// What refresh() hears of; set in the constructor.
    void setDependsOn(bool report, bool document, bool run);
    /// follow() needs the lineage of a selection only for a part of what it shows: it is called as soon as something is
    /// selected, and again when its lineage is there. Otherwise it is called once, then.
    void setFollowsAtOnce() { m_followsAtOnce = true; }

    /// Below the headline stands where a paused run in tile mode is, as long as the report on show is its own; stand()
    /// draws it, too.
    void setShowsStanding();
    /// It stands somewhere else, or nowhere any more (`standingProgram`): move the playhead.
    virtual void stand() {}
    void setHeadline(QString const &text);
    void setBody(QWidget *body);
    /// Ready shows the body; Empty and Error replace it; Running, Partial, Stale add a banner above it.
    void setState(ViewState const &state);
    /// The state that follows from the report alone: Empty without one (with the button Compile), Running
    /// while only the head is read, Partial when `part` is truncated or absent, Stale after edits.
    /// Returns true when there is something to show.
    bool applyReportState(char const *part);
    /// Extra widgets at the right of the headline (choices, small buttons).
    void addHeadlineWidget(QWidget *widget);

    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    /// Fonts, colours or language changed; the base repaints and refreshes.
    virtual void restyle() {}

private:
    void schedule(int what);
    void run();
    QString m_id;
    Session &m_session;
    bool m_onReport = true, m_onDocument = false, m_onRun = false;
    int m_dirty = 0;
    bool m_queued = false, m_followsAtOnce = false;
    SteadyLabel *m_headline = nullptr;
    QLabel *m_standing = nullptr;
    int m_stands = -1; ///< standingProgram() as stand() knows it
    QHBoxLayout *m_headRow = nullptr;
    QFrame *m_banner = nullptr;
    QLabel *m_bannerText = nullptr;
    QToolButton *m_bannerButton = nullptr;
    QStackedLayout *m_stack = nullptr;
    QLabel *m_emptyText = nullptr;
    QPushButton *m_emptyButton = nullptr;
    QWidget *m_bodyHolder = nullptr;
    ViewState m_state;
    char const *m_part = nullptr; ///< of the report, that the last applyReportState() judged
};

/// The step of the program (row of the report's programs) that a paused run in tile mode has done last; -1 when none is paused,
/// or the report on show is another's.
int standingProgram(Session &session);
/// The same in words; "": none.
QString standingText(Session &session);

/// What the window knows of a view before it makes one. The list of views is in views/CMakeLists.txt.
struct ViewDescriptor {
    enum Area { Left, Centre, Right, Bottom };
    char const *id;    ///< stable: layouts, settings and `render --view` name it
    char const *title; ///< QT_TRANSLATE_NOOP("views", …), translated when shown
    char const *icon;  ///< name in resources/icons
    Area area = Centre;
    QKeySequence shortcut;
    std::function<View *(Session &, QWidget *parent)> create;
    bool renders = true; ///< offered by `render`
};

} // namespace tilewright::views
