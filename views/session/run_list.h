#pragma once

#include "views/reports/report_ptr.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace tilewright::views {

struct LiveRun;
class Session;

/// A run of the open project, wherever it takes place.
struct Run {
    /// In this window; in a process of its own (continued detached, another window, the command line); ended.
    enum class Life { Live, Detached, Over };
    qint64 id = 0;
    QString started, title, kind, state;
    QString report; ///< absolute path, "" = none
    QString json;   ///< metrics, cycles, memory, tags, notes, the project as it was
    Life life = Life::Over;
    bool isRunning() const { return life != Life::Over; }
    QString name() const; ///< "Run 3", for a running one with its title
};

/// All runs of the open project, oldest first. Views, palette and status strip read this list.
class RunList : public QObject {
    Q_OBJECT
public:
    explicit RunList(Session &session);
    ~RunList() override;
    std::size_t size() const { return m_all.size(); }
    bool empty() const { return m_all.empty(); }
    Run const &operator[](std::size_t i) const { return m_all[i]; }
    Run const &front() const { return m_all.front(); }
    Run const &back() const { return m_all.back(); }
    auto begin() const { return m_all.begin(); }
    auto end() const { return m_all.end(); }
    std::vector<Run const *> newestFirst() const; ///< those that go on before all others
    Run const *find(qint64 id) const;             ///< null: none
    Run const *ofReport(QString const &path) const;
    Run const *running() const;      ///< the one of this window, otherwise of another process; null: none
    Run const *lastTraining() const; ///< the newest that did not fail
    /// The training on show: the one of this window while it runs, otherwise that of the displayed report. Its data are the same whether
    /// they arrive from this window or from a report, which may still grow.
    LiveRun const &shown() const;
    /// Whether shown() is a run of this window.
    bool showsOwn() const;

    void take(std::vector<Run> runs); ///< by the session
signals:
    void changed();
    void lookAgain(); ///< a detached run may have ended

private:
    void judge(); ///< which of them go on, and where
    Session &m_session;
    std::vector<Run> m_all;
    QTimer m_again;
    mutable ReportPtr m_read; ///< the report of m_shown
    mutable std::unique_ptr<LiveRun> m_shown;
};

} // namespace tilewright::views
