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

/// State of a view. All states except Ready are shown to the user in words.
struct ViewState {
    enum Kind { Ready, Empty, Running, Partial, Stale, Error };
    Kind kind = Ready;
    QString text;       ///< one sentence
    QString actionText; ///< of the button, "" = none
    std::function<void()> action;
};

/// Base class of all views: a headline, a banner for the state, a body. Calls its functions only while the view is visible, and catches up
/// when it is shown.
class View : public QWidget {
    Q_OBJECT
public:
    View(QString const &id, Session &session, QWidget *parent);
    ~View() override;

    QString id() const { return m_id; }
    Session &session() const { return m_session; }
    QString headline() const;
    ViewState const &state() const { return m_state; }

    /// The displayed data as CSV with exact values.
    virtual QList<ExportTable> exportTables() const { return {}; }
    /// Zoom, columns, splitter sizes, choices: stored with the window's layout.
    virtual QJsonObject saveState() const { return {}; }
    virtual void restoreState(QJsonObject const &) {}
    /// Whether everything for a picture is available (no background work); `render` waits for it.
    virtual bool isSettled() const { return true; }
    /// Moves the keyboard focus to the search (Ctrl+F).
    virtual void startSearch() {}
    /// Updates the view now, also while hidden (render, tests).
    void refreshNow();
    /// Number of calls of refresh() so far, for tests: an edit of the project recomputes no view of a report, growth only what grows.
    int refreshes() const { return m_refreshes; }

protected:
    /// Another report or project is displayed, or what the view depends on changed (see setDependsOn).
    virtual void refresh() = 0;
    /// The selection changed: update the highlight.
    virtual void follow() {}
    /// The displayed report has more rows (`Session::reportGrown`, every few seconds during a run). The default refreshes when figures of
    /// the run appeared or became final. Views of the compile alone override it to do nothing.
    virtual void grow(Growth growth)
    {
        if (growth == Growth::Figures) updateAll();
    }
    /// The report became stale or fits the project again (`Session::reportStaleChanged`); with setJudgesEdits() also each edit.
    virtual void judge();
    /// A run advanced (at most 30 Hz).
    virtual void advance() {}
    /// The events for refresh(); set in the constructor. A view of a report does not depend on the document: staleness is judge()'s.
    void setDependsOn(bool report, bool document, bool run);
    /// The view of a report shows something small of the project, too (notes, trials of changes).
    void setJudgesEdits() { m_judgesEdits = true; }
    /// follow() needs the lineage for a part of the view only: it is called when something is selected, and again when the lineage is
    /// available. Otherwise it is called once, with the lineage.
    void setFollowsAtOnce() { m_followsAtOnce = true; }

    /// The view shows the session's moment (Playhead). The line above the body says where a paused tile-mode run stands, and why the view
    /// cannot show the moment, if so.
    void setShowsMoment();
    /// The moment moved, or the view was refreshed: show it.
    virtual void showMoment() {}
    /// Why the view cannot show the current moment, one sentence; "" if it can.
    virtual QString momentMissing() const { return {}; }
    /// The part of the program, or the moment, that the body shows, in a few words: "liveness step 12, the peak". For the line above it.
    virtual QString momentShown() const;
    /// Writes the line again: momentMissing() or momentShown() changed.
    void writeMomentLine();
    /// A sentence begins with a capital; a name at the beginning stays as it is written.
    enum class Headline { Sentence, BeginsWithName };
    void setHeadline(QString const &text, Headline kind = Headline::Sentence);
    void setBody(QWidget *body);
    /// Ready shows the body. Empty and Error replace it. Running, Partial, Stale show a banner in the line above it.
    void setState(ViewState const &state);
    /// Keeps the line above the body, so that the body stays where it is when a banner or a note comes and goes. Without either it says
    /// what the body is about: the report or project, and momentShown(). Views that call applyReportState() or setNote() have it.
    void keepLine();
    /// Words in the line above the body: what the selection or a search found here. Empty: none.
    void setNote(QString const &text);
    /// Sets the state from the report: Empty without one (with the button Compile), Running while only its head is read, Partial if `part`
    /// is truncated or absent, Stale after edits. Returns true if there is something to show.
    bool applyReportState(char const *part);
    /// Adds widgets at the right of the headline (choices, small buttons).
    void addHeadlineWidget(QWidget *widget);

    bool event(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    /// Fonts, colours or language changed. The base class repaints and refreshes.
    virtual void restyle() {}

private:
    void schedule(int what);
    void run();
    void updateAll();
    void makeLine();
    void showLine();
    QString aboutText() const;
    QString m_id;
    Session &m_session;
    bool m_onReport = true, m_onDocument = false, m_onRun = false;
    int m_dirty = 0, m_refreshes = 0;
    bool m_queued = false, m_followsAtOnce = false, m_judgesEdits = false, m_showsMoment = false;
    SteadyLabel *m_headline = nullptr;
    QString m_headlineText;
    QWidget *m_line = nullptr; ///< between headline and body, one line high: note and banner
    SteadyLabel *m_noteText = nullptr;
    QString m_note, m_standing, m_missing; ///< the others: see setShowsMoment()
    bool m_keepsLine = false;
    QHBoxLayout *m_headRow = nullptr;
    QFrame *m_banner = nullptr;
    SteadyLabel *m_bannerText = nullptr;
    QToolButton *m_bannerButton = nullptr;
    QStackedLayout *m_stack = nullptr;
    QLabel *m_emptyText = nullptr;
    QPushButton *m_emptyButton = nullptr;
    QWidget *m_bodyHolder = nullptr;
    ViewState m_state;
    char const *m_part = nullptr; ///< of the report, that the last applyReportState() judged
};

/// Description of a view for the window. The list of views is in views/CMakeLists.txt.
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
