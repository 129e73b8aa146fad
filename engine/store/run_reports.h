#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tilewright::store {

/// Whether the file is a report by its content: a regular file, no link, with the head of a report.
bool isReportFile(std::filesystem::path const &path);

/// The report that a run's record of this project names (RunRecord::report). A project from an unknown source may name any file. Accepts
/// only reports beside the project, in a folder "…-reports" beside it, or in this user's cache of reports, even if the file does not exist
/// yet. nullopt for all others, which are shown as missing.
std::optional<std::filesystem::path> reportOfRun(std::filesystem::path const &project, std::string const &named);

} // namespace tilewright::store
