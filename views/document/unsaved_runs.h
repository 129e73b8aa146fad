#pragma once

#include "engine/core/job_context.h"
#include "engine/project/notes.h"
#include "engine/runtime/session.h"
#include "engine/store/project_file.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace tilewright::views {

/// What became of runs that were made before their project had a file.
struct KeptRuns {
    std::map<std::int64_t, std::int64_t> ids; ///< their number before, their number in the file
    std::map<QString, QString> reports;       ///< copied from, to
    std::vector<store::RunRecord> notKept;    ///< no entry could be written
    std::vector<Diagnostic> problems;
};

/// Writes entries and checkpoint `last` into the project file and copies reports to `folder`. The old reports stay: they
/// may be on show.
KeptRuns keepRuns(QString const &project, QString const &folder, std::vector<store::RunRecord> const &runs,
                  std::shared_ptr<runtime::TrainingState const> const &trained);

/// Gives a project that was just saved under another name the past of the first: entries and reports; its checkpoints, which may
/// be large, copyCheckpoints() brings. The past of a project that had that name before is gone, as its content is. A run that goes
/// on stays with the first.
KeptRuns carryHistory(QString const &from, QString const &to, QString const &folder);

/// Copies the checkpoints that `to` does not have; what it has is of a run since. Cancelled, or on an error, it leaves whole ones
/// there and everything in `from`. For worker threads.
std::vector<Diagnostic> copyCheckpoints(QString const &from, QString const &to, JobContext const &job);

/// Notes of runs by the numbers that the runs have now.
project::Notes renumbered(project::Notes const &notes, std::map<std::int64_t, std::int64_t> const &ids);

} // namespace tilewright::views
