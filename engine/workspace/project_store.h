#pragma once

#include "engine/core/job_context.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace tilewright::workspace {

/// A project with its file: `.tilewright` (SQLite) or its JSON twin, recognised by content.
struct OpenProject {
    std::filesystem::path path;
    bool isTwin = false;
    project::Project project;
    /// Base of relative data paths: the file's folder.
    std::filesystem::path folder() const;
};

/// Errors: those of engine/store/project_file.h (missing, neither form, written by a later version) and of projectFromParts. Warnings go to
/// the sink.
Result<OpenProject> openProject(std::filesystem::path const &path, DiagnosticSink *sink);
/// The same, with a non-empty `--target NAME` replacing system.target.
Result<OpenProject> openProject(std::filesystem::path const &path, std::string const &target, DiagnosticSink *sink);

/// Writes the whole project back in its form.
Status saveProject(OpenProject const &open);
/// Creates a file: a twin if the name ends in `.json`, else a `.tilewright`. Refuses to replace an existing file without `force`: Usage
/// "project.exists".
Status createProject(std::filesystem::path const &path, project::Project const &project, bool force);

/// The twin's text: {"format":"tilewright-project","version":1, title, model, …}.
std::string twinText(project::Project const &project);
/// A project from a twin's JSON, or from the plain document of project::field(p, "").
Result<project::Project> projectFromTwin(nlohmann::ordered_json const &document, std::string const &subject, DiagnosticSink *sink);

/// Usage "cli.same-file" if an output would replace its own project.
Status requireOtherFile(std::filesystem::path const &project, std::filesystem::path const &out);

/// Checkpoint `last` of a `.tilewright`; nullopt for a twin.
Result<std::optional<runtime::TrainingState>> lastCheckpoint(OpenProject const &open);

/// End of a training for its row: done, stopped (by the user, during compile or run), failed.
std::string endOf(Result<runtime::TrainOutcome> const &outcome);

/// The row of a training in the list of runs of a `.tilewright`: "running" from the start ("interrupted" after a kill) until finish() sets
/// its end. A list that cannot be written is only a warning. Twins have none.
class RecordedRun {
public:
    RecordedRun(OpenProject const &open, std::string title, std::string report);
    void finish(std::string state, nlohmann::ordered_json const &facts, JobContext const &job);

private:
    OpenProject const &m_open;
    std::int64_t m_id = 0; ///< 0: not written
    std::string m_title, m_report, m_started;
    std::optional<Diagnostic> m_problem;
};

/// Base of data paths: the folder of the project's file. A path that exists only below the caller's folder is taken from there.
std::filesystem::path dataFolder(OpenProject const &open);

} // namespace tilewright::workspace
