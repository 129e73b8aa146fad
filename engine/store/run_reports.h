#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tilewright::store {

/// Whether the file is a report by its content: a regular file, no link, with the head of a report.
bool isReportFile(std::filesystem::path const &path);

/// The report that a run's record of this project names (RunRecord::report). A project may come from elsewhere and name any file, so only
/// a report beside the project, in a folder "…-reports" beside it or in this user's cache of reports counts; nullopt for all others, which
/// are shown as missing. A report that is not there (yet) counts by its place.
std::optional<std::filesystem::path> reportOfRun(std::filesystem::path const &project, std::string const &named);

} // namespace tilewright::store
