#pragma once

#include "engine/project/project.h"

#include <QString>

#include <map>
#include <string>

namespace tilewright::views {

struct HistoryEntry;

/// The project's parts as they were (part name to text), empty when the entry has none.
std::map<std::string, std::string> storedProject(HistoryEntry const &entry);
/// The project of that run. Error: history.no-project, or why it cannot be read.
Result<project::Project> projectOfRun(HistoryEntry const &entry);

/// Why a run failed, was stopped by an error or was interrupted, as a sentence in the language of the window; "" when it ended
/// as asked.
QString reasonOfRun(HistoryEntry const &entry);

} // namespace tilewright::views
