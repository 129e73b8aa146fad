#pragma once

#include "engine/project/project.h"

#include <QString>

#include <map>
#include <string>

namespace tilewright::views {

struct Run;

/// The project's parts at the time of the run (part name to text); empty if the entry has none.
std::map<std::string, std::string> storedProject(Run const &entry);
/// The project of that run. Error: runs.no-project, or the reason why it cannot be read.
Result<project::Project> projectOfRun(Run const &entry);

/// Whether the file is a report by its content, which may be opened and deleted as one.
bool isReportFile(QString const &path);

/// Why a run failed, was stopped by an error or was interrupted, as a sentence in the language of the window; "" when it ended
/// as asked.
QString reasonOfRun(Run const &entry);

} // namespace tilewright::views
