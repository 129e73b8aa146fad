#pragma once

#include "views/session/session.h"

#include <QObject>

#include <optional>
#include <vector>

class QTimer;

namespace tilewright::views {

/// A compile's result about fit.
struct CompiledFit {
    std::vector<IpuFit> ipus;
    std::optional<Diagnostic> outOfMemory;
    std::vector<Diagnostic> layers = {}; ///< see FitWatch::layerProblems()
};

/// Sources of fit figures, in order of trust.
enum class FitSource { None, Estimate, Trial, Report };

/// The best known fit of the open project: first an estimate, then the figures of a compile in the background, then those of the displayed
/// report while it is current. Covers all IPUs, including replicas. Shared by all its displays. Without a project it describes the
/// displayed report.
class FitWatch : public QObject {
    Q_OBJECT
public:
    /// The instance of a session, created on first use and destroyed with the session.
    static FitWatch &of(Session &session);

    FitSource source() const { return m_source; }
    std::vector<IpuFit> const &ipus() const { return m_ipus; }
    int worst() const; ///< index of the fullest IPU; -1: none
    bool fits() const;
    /// The reason why the current project does not fit, after a compile in the background.
    std::optional<Diagnostic> problem() const;
    /// One error for each layer that takes much of a tile that is too full, the one with the most bytes first. Empty if everything fits. An
    /// edit keeps those of the program before it until a compile in the background has found the new ones.
    std::vector<Diagnostic> const &layerProblems() const { return m_layers; }
    QString why() const { return m_why; } ///< reason for a missing or inexact figure
    bool isSettled() const { return !m_pending; }
signals:
    void changed();

private:
    explicit FitWatch(Session &session);
    void ask();     ///< refreshes, and schedules a compile if the figure is not exact
    void refresh(); ///< uses the best available figure
    void startTrial();
    Session &m_session;
    QTimer *m_delay = nullptr;
    std::vector<IpuFit> m_ipus;
    std::vector<Diagnostic> m_layers;
    CompiledFit m_trial;
    quint64 m_trialRevision = 0; ///< the document's revision of m_trial
    FitSource m_source = FitSource::None;
    QString m_why;
    bool m_pending = false;
};

/// Compiles the project outside the cache and the displayed report. For worker threads. `folder`: base of relative data paths.
Result<CompiledFit> compiledFit(project::Project const &project, std::filesystem::path const &folder, JobContext const &job);
/// The fit in a report; empty without a verdict.
std::vector<IpuFit> reportedFit(ReportSnapshot const &report);

} // namespace tilewright::views
