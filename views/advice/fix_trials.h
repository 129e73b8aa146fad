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

class ReportSnapshot;
class Session;

/// A change of fields with the result of its compile.
struct TriedFix {
    QList<QPair<QString, QString>> fields; ///< path, value: set together
    bool fits = false;
    double share = 0;            ///< of the worst tile, with gaps
    double samplesPerSecond = 0; ///< modelled
    QString title() const;       ///< translated: "16 tiles: fits, 71 %"
};

/// The changes that were tried when the report of a project that does not fit was written; each fits. Empty: none is stored.
std::vector<TriedFix> storedFixes(ReportSnapshot const &report);

/// The nearest change that satisfies the rules of compiling and training, compiled. nullopt: no valid change, or no difference.
/// `dataFolder`: base of relative data paths; the data determine valid divisors. For worker threads.
Result<std::optional<TriedFix>> tryFields(project::Project const &project, QList<QPair<QString, QString>> const &fields,
                                          std::filesystem::path const &dataFolder, JobContext const &job);

/// Searches in the background for changes that make the open project fit; each was compiled. Shared by all its displays. A change of the
/// project stops the search and clears the results.
class FixTrials : public QObject {
    Q_OBJECT
public:
    /// The instance of a session, created on first use and destroyed with the session.
    static FixTrials &of(Session &session);
    /// Starts the search for the current project unless it is running or done.
    void search();
    bool isSearching() const { return m_searching; }
    bool isDone() const; ///< for the current project
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
