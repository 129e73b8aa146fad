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

/// Result of keeping runs that were made before their project had a file.
struct KeptRuns {
    std::map<std::int64_t, std::int64_t> ids; ///< old number to number in the file
    std::map<QString, QString> reports;       ///< source to copy
    std::vector<store::RunRecord> notKept;    ///< entries that could not be written
    std::vector<Diagnostic> problems;
};

/// Writes entries and checkpoint `last` into the project file and copies reports to `folder`. The old reports stay, because they may be
/// displayed.
KeptRuns keepRuns(QString const &project, QString const &folder, std::vector<store::RunRecord> const &runs,
                  std::shared_ptr<runtime::TrainingState const> const &trained);

/// Copies the history of `from` to a project that was just saved under another name: entries and reports. copyCheckpoints() copies its
/// checkpoints, which may be large. The previous history at that name is removed, like its content. An active run stays with the first
/// project.
KeptRuns carryRuns(QString const &from, QString const &to, QString const &folder);

/// Copies the checkpoints missing in `to`; existing ones belong to later runs. If cancelled or on an error, `to` holds whole checkpoints
/// only and `from` is unchanged. For worker threads.
std::vector<Diagnostic> copyCheckpoints(QString const &from, QString const &to, JobContext const &job);

/// Notes of runs under the new run numbers.
project::Notes renumbered(project::Notes const &notes, std::map<std::int64_t, std::int64_t> const &ids);

} // namespace tilewright::views
