#pragma once

#include "engine/core/result.h"

#include <QObject>

#include <optional>
#include <vector>

namespace tilewright::views {

class Session;

/// All current problems, shared by their displays: violated rules of the project, a failing fit, the error and warnings of the last run,
/// and errors and warnings of recent actions. The latter two are cleared when the project changes or another run begins.
class ProblemLog : public QObject {
    Q_OBJECT
public:
    /// The instance of a session, created on first use and destroyed with the session.
    static ProblemLog &of(Session &session);
    /// Errors of actions and runs first. Empty without a project and without errors.
    std::vector<Diagnostic> all() const;
    int count(Severity severity) const;
    /// Errors and warnings of actions that are not cleared yet.
    std::vector<Diagnostic> const &raised() const { return m_raised; }
    void add(Diagnostic const &problem);
    void clearRaised();
signals:
    void changed();

private:
    explicit ProblemLog(Session &session);
    void forget();
    Session &m_session;
    std::vector<Diagnostic> m_raised;
    std::optional<Diagnostic> m_run;
    std::vector<Diagnostic> m_warnings; ///< of the last compile or run
};

} // namespace tilewright::views
