#pragma once

#include "engine/core/job_context.h"
#include "engine/project/project.h"

#include <QList>
#include <QObject>
#include <QPair>
#include <QString>

#include <filesystem>
#include <optional>
#include <vector>

namespace tilewright::views {

class Session;

/// A change of fields that a compile has tried, and what it said.
struct TriedFix {
    QList<QPair<QString, QString>> fields; ///< path, value: set together
    bool fits = false;
    double share = 0;            ///< of the fullest tile, with gaps
    double samplesPerSecond = 0; ///< modelled
    QString title() const;       ///< translated: "16 tiles: fits, 71 %"
};

/// The fields bent to what the rules of compiling and training take, and compiled. Empty: no rule takes them, or they
/// change nothing. `dataFolder`: what data paths are relative to; the data decide what divides them. For worker threads.
Result<std::optional<TriedFix>> tryFields(project::Project const &project, QList<QPair<QString, QString>> const &fields,
                                          std::filesystem::path const &dataFolder, JobContext const &job);

/// What would make the open project fit, searched in the background: each fix was compiled. One search for everybody who
/// shows it. A change of the project ends it and drops what it found.
class FixTrials : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static FixTrials &of(Session &session);
    /// Begins the search for the project as it is; nothing happens while one for it goes on or is done.
    void search();
    bool isSearching() const { return m_searching; }
    bool isDone() const; ///< for the project as it is
    std::vector<TriedFix> const &fixes() const { return m_fixes; }
signals:
    void changed();

private:
    explicit FixTrials(Session &session);
    void drop();
    Session &m_session;
    std::vector<TriedFix> m_fixes;
    quint64 m_revision = 0;
    bool m_searching = false, m_done = false;
};

} // namespace tilewright::views
