#include "views/session/checkpoint_copies.h"

#include "views/document/unsaved_runs.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

namespace tilewright::views {

CheckpointCopies &CheckpointCopies::of(Session &session)
{
    auto *copies = session.findChild<CheckpointCopies *>(QString(), Qt::FindDirectChildrenOnly);
    return copies ? *copies : *new CheckpointCopies(session);
}

CheckpointCopies::CheckpointCopies(Session &session) : QObject(&session), m_session(session) {}

void CheckpointCopies::copy(QString const &from, QString const &to)
{
    m_queue.emplace_back(from, to);
    if (m_queue.size() == 1) next();
}

void CheckpointCopies::next()
{
    m_session.jobs().run(this, JobKind::KeepRuns, {},
                         [this, from = m_queue.front().first, to = m_queue.front().second](JobContext const &job) -> JobRunner::Finish {
                             auto const problems = std::make_shared<std::vector<Diagnostic>>(copyCheckpoints(from, to, job));
                             return [this, problems] {
                                 for (auto const &problem : *problems) m_session.raiseError(problem);
                                 m_queue.erase(m_queue.begin());
                                 m_session.runs().lookForWeights();
                                 if (!m_queue.empty()) next();
                             };
                         });
}

} // namespace tilewright::views
