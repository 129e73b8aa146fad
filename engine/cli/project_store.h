#pragma once

#include "engine/core/job_context.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace tilewright::cli {

/// A project with the file it came from: `.tilewright` (SQLite) or its JSON twin, told apart by content.
struct OpenProject {
    std::filesystem::path path;
    bool isTwin = false;
    project::Project project;
    /// Where relative data paths start: the file's folder.
    std::filesystem::path folder() const;
};

/// Errors: those of engine/store/project_file.h (missing, neither form, written by a later version) and of
/// projectFromParts. Warnings go to the sink.
Result<OpenProject> openProject(std::filesystem::path const &path, DiagnosticSink *sink);
/// The same with `--target NAME` in place of system.target when that is not empty.
Result<OpenProject> openProject(std::filesystem::path const &path, std::string const &target, DiagnosticSink *sink);

/// Writes the project back whole, in the form it has.
Status saveProject(OpenProject const &open);
/// A new file: a twin when the name ends in `.json`, else a `.tilewright`. Refuses an existing file unless `force`:
/// Usage "project.exists".
Status createProject(std::filesystem::path const &path, project::Project const &project, bool force);

/// The twin's text: {"format":"tilewright-project","version":1, title, model, …}.
std::string twinText(project::Project const &project);
/// A project from a twin's JSON, or from the plain document of project::field(p, "").
Result<project::Project> projectFromTwin(nlohmann::ordered_json const &document, std::string const &subject, DiagnosticSink *sink);

/// Usage "cli.same-file" when an output would replace the project it is made from.
Status requireOtherFile(std::filesystem::path const &project, std::filesystem::path const &out);

/// Checkpoint `last` of a `.tilewright`; none in a twin.
Result<std::optional<runtime::TrainingState>> lastCheckpoint(OpenProject const &open);

/// How a training ended, as histories say it: done, stopped (somebody ended it, while it compiled or ran), failed.
std::string endOf(Result<runtime::TrainOutcome> const &outcome);

/// The row of a training in the history of a `.tilewright`: "running" from the start ("interrupted" after a kill) until
/// finish() says how it ended. A history that cannot be written is a warning, no more. Twins keep none.
class RunHistory {
public:
    RunHistory(OpenProject const &open, std::string title, std::string report);
    void finish(std::string state, nlohmann::ordered_json const &facts, JobContext const &job);

private:
    OpenProject const &m_open;
    std::int64_t m_id = 0; ///< 0: not written
    std::string m_title, m_report, m_started;
    std::optional<Diagnostic> m_problem;
};

/// data paths are relative to the project's file; a path that only the caller's folder has is taken from there.
std::filesystem::path dataFolder(OpenProject const &open);

} // namespace tilewright::cli
