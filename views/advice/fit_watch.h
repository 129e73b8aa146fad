#pragma once

#include "views/session/session.h"

#include <QObject>

#include <optional>
#include <vector>

class QTimer;

namespace tilewright::views {

/// What a compile says of fit.
struct CompiledFit {
    std::vector<IpuFit> ipus;
    std::optional<Diagnostic> outOfMemory;
};

/// Where figures of fit come from, in order of trust.
enum class FitSource { None, Estimate, Trial, Report };

/// The fit of the open project as well as it is known: at once an estimate, then the figures of a compile in the
/// background, and those of the report on show while it is of the project as it is. All IPUs, those of replicas too. One
/// for everybody who says them. Without a project it tells of the report on show.
class FitWatch : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static FitWatch &of(Session &session);

    FitSource source() const { return m_source; }
    std::vector<IpuFit> const &ipus() const { return m_ipus; }
    int worst() const; ///< index of the fullest; -1: none
    bool fits() const;
    /// Why the project as it is does not fit, once a compile in the background has said so.
    std::optional<Diagnostic> problem() const;
    QString why() const { return m_why; } ///< when there is nothing to show, or no exact figure
    bool isSettled() const { return !m_pending; }
signals:
    void changed();

private:
    explicit FitWatch(Session &session);
    void ask();     ///< refresh, and a compile soon where that is not exact
    void refresh(); ///< the best of what is there
    void startTrial();
    Session &m_session;
    QTimer *m_delay = nullptr;
    std::vector<IpuFit> m_ipus;
    CompiledFit m_trial;
    quint64 m_trialRevision = 0; ///< of the document that m_trial was compiled of
    FitSource m_source = FitSource::None;
    QString m_why;
    bool m_pending = false;
};

/// Of one compile of it, apart from the cache and from what is on show. For worker threads.
/// `folder`: that of the project, to which its data's places are relative.
Result<CompiledFit> compiledFit(project::Project const &project, std::filesystem::path const &folder, JobContext const &job);
/// Of a report; empty when it holds no verdict.
std::vector<IpuFit> reportedFit(ReportSnapshot const &report);

} // namespace tilewright::views
