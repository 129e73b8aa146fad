#pragma once

#include "engine/data/data_counts.h"
#include "engine/project/project.h"

#include <QObject>

#include <optional>
#include <vector>

namespace tilewright::views {

class Session;

/// What the rules that judge a run find in a project (compiler::judge): plan, configuration, machine and, where the samples are counted,
/// the epoch.
std::vector<Diagnostic> ruleProblems(project::Project const &project, std::optional<std::int64_t> samples);

/// The same of a changed project, where `samples` are those of the project before.
std::vector<Diagnostic> ruleProblemsAfter(project::Project const &before, project::Project const &after,
                                          std::optional<std::int64_t> samples);

/// Changes a project that an edit has just made of `before` until the rules find no error that they did not find there: gradient
/// accumulation, steps per execution, batch size, data limit, target. Fails with the error that no change of these ends.
Status completeEdit(project::Project &project, project::Project const &before, std::optional<std::int64_t> samples);

/// Everything that is wrong with the open project as far as it can be found without a compile: what Document::problems() says, and what the
/// rules find once the samples are counted. Counts them in the background, once for every data source.
class RuleWatch : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static RuleWatch &of(Session &session);

    std::vector<Diagnostic> const &problems() const; ///< errors first; empty without a project
    /// The first error for which no compile is worth while: one of the project, not of its data alone. nullptr: none.
    Diagnostic const *firstError() const;
    std::optional<data::DataCounts> const &counts() const { return m_counts; } ///< nothing: not counted, or unreadable
    std::optional<std::int64_t> samples() const;                               ///< of an epoch
    bool isSettled() const { return !m_counting; }
signals:
    void changed();

private:
    explicit RuleWatch(Session &session);
    void count();
    Session &m_session;
    std::optional<data::DataSourceSpec> m_counted; ///< what m_counts are of, or will be
    std::optional<data::DataCounts> m_counts;
    bool m_counting = false;
    mutable std::vector<Diagnostic> m_problems;
    mutable std::optional<quint64> m_revision; ///< that m_problems are of
};

} // namespace tilewright::views
