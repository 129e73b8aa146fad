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

/// Whether a report of one tells of the other: all is equal but title, notes, where the canvas has its nodes, and for how many
/// epochs it was trained.
bool compilesAlike(project::Project const &a, project::Project const &b);

} // namespace tilewright::views
