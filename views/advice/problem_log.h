#pragma once

#include "engine/core/result.h"

#include <QObject>

#include <optional>
#include <vector>

namespace tilewright::views {

class Session;

/// All that is wrong now, said once for everybody who shows it: what the project's rules object to, that it does not fit, why the last run
/// ended early and what it warned of, and what an action just now could not do or warned of. The latter two go when the project changes or
/// another run begins.
class ProblemLog : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static ProblemLog &of(Session &session);
    /// Errors of actions and runs first. Empty without a project and without an error.
    std::vector<Diagnostic> all() const;
    int count(Severity severity) const;
    /// Errors and warnings of actions that still stand.
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
