#pragma once

#include "engine/core/result.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::runtime {
struct PredictOutcome;
}

namespace tilewright::views {

class Session;
enum class JobKind;
enum class RunCommand;

/// Work on the open project that ends with a result and is no training: the commands of the same names.
enum class ProjectTask { Evaluate, Predict, Verify, Tune };
JobKind jobKindOf(ProjectTask task);
RunCommand commandOf(ProjectTask task);

/// One line of a result.
struct TaskRow {
    QStringList cells;
    std::vector<std::pair<QString, QString>> fields = {}; ///< a change of the project that this line is about; empty: none
};

struct TaskResult {
    ProjectTask task = ProjectTask::Evaluate;
    QString headline; ///< what came out, in a sentence
    QStringList columns;
    std::vector<TaskRow> rows;
    std::vector<Diagnostic> warnings;
    std::shared_ptr<runtime::PredictOutcome const> predictions; ///< of Predict: all of them
    std::optional<Diagnostic> error;                            ///< why there is no result
    quint64 revision = 0;                                       ///< of the document that it is of
};

/// Runs one task at a time on a worker thread and keeps its result until the next one begins or another project is opened.
class ProjectTasks : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static ProjectTasks &of(Session &session);

    void start(ProjectTask task);
    void cancel();
    bool isActive() const { return m_active.has_value(); }
    std::optional<ProjectTask> active() const { return m_active; }
    std::optional<TaskResult> const &result() const { return m_result; }
signals:
    void changed(); ///< began or ended

private:
    explicit ProjectTasks(Session &session);
    void report(TaskResult const &result);
    Session &m_session;
    std::optional<ProjectTask> m_active;
    std::optional<TaskResult> m_result;
};

} // namespace tilewright::views
