#include "engine/workspace/project_store.h"

#include "engine/core/clock.h"
#include "engine/core/destination.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/run_facts.h"
#include "engine/store/project_file.h"

#include <nlohmann/json.hpp>

#include <fstream>

namespace tilewright::workspace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

store::ProjectDocument documentOf(project::Project const &project) { return {project::projectParts(project)}; }

/// What project::field(p, "") prints: the parts by name and the title, without a format.
std::map<std::string, std::string> plainParts(Json const &document)
{
    std::map<std::string, std::string> parts;
    for (auto const &[name, value] : document.items())
        if (name == "title") parts["about"] = Json{{"title", value}}.dump();
        else parts[name] = value.dump();
    return parts;
}

bool isPlain(Json const &document) { return document.is_object() && document.contains("model") && !document.contains("format"); }

/// The first byte that is no blank.
char firstSign(std::string const &text)
{
    auto const at = text.find_first_not_of(" \t\r\n", text.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    return at == std::string::npos ? '\0' : text[at];
}

std::string headOf(fs::path const &path)
{
    std::string head(64, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    return head;
}

} // namespace

fs::path OpenProject::folder() const
{
    auto const parent = path.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

std::string twinText(project::Project const &project)
{
    auto text = store::projectToJson(documentOf(project));
    TW_CHECK(text.ok(), "a project that does not print");
    return std::move(text).value();
}

Result<project::Project> projectFromTwin(Json const &document, std::string const &subject, DiagnosticSink *sink)
{
    if (isPlain(document)) return project::projectFromParts(plainParts(document), sink);
    TW_ASSIGN(auto const stored, store::projectFromJson(document.dump(), subject));
    return project::projectFromParts(stored.parts, sink);
}

Result<OpenProject> openProject(fs::path const &path, DiagnosticSink *sink)
{
    OpenProject open;
    open.path = path;
    std::error_code ignored;
    // A database begins with its own name; a twin with a brace, whatever the file is called.
    if (fs::is_regular_file(path, ignored) && firstSign(headOf(path)) == '{') {
        open.isTwin = true;
        TW_ASSIGN(auto const text, readJsonText(path));
        if (auto const document = orderedJsonOrDiscarded(text); isPlain(document)) {
            TW_ASSIGN(open.project, project::projectFromParts(plainParts(document), sink));
            return open;
        }
    }
    TW_ASSIGN(auto const document, store::readProject(path));
    TW_ASSIGN(open.project, project::projectFromParts(document.parts, sink));
    return open;
}

Result<OpenProject> openProject(fs::path const &path, std::string const &target, DiagnosticSink *sink)
{
    TW_ASSIGN(auto open, openProject(path, sink));
    if (!target.empty()) { TW_ASSIGN(open.project, project::withField(open.project, "system.target", target, sink)); }
    return open;
}

Status saveProject(OpenProject const &open)
{
    auto const file = behindLinks(open.path); // a project that was opened by a link is saved where it lies
    return open.isTwin ? store::writeProjectJson(file, documentOf(open.project)) : store::writeProjectFile(file, documentOf(open.project));
}

Status createProject(fs::path const &path, project::Project const &project, bool force)
{
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
        if (fs::is_directory(path, ignored))
            return makeError(ErrorKind::Usage, "project.exists", path.string(), Message::of("this is a folder."),
                             Message::of("Name the file to write, such as %1.", (path / "project.tilewright").lexically_normal().string()));
        if (!force)
            return makeError(ErrorKind::Usage, "project.exists", path.string(), Message::of("the file exists already."),
                             Message::of("Choose another name, or give --force."));
        // A new project has no past: checkpoints and runs of the replaced one go with it.
        if (path.extension() != ".json") return store::createProjectFile(path, documentOf(project));
    }
    return store::writeProject(path, documentOf(project));
}

Status requireOtherFile(fs::path const &project, fs::path const &out)
{
    if (!isSameFile(project, out)) return {};
    return makeError(ErrorKind::Usage, "cli.same-file", out.string(), Message::of("this is the project itself, which would be replaced."),
                     Message::of("Name another file."));
}

Result<std::optional<runtime::TrainingState>> lastCheckpoint(OpenProject const &open)
{
    if (open.isTwin) return std::optional<runtime::TrainingState>();
    return runtime::lastCheckpoint(open.path);
}

std::string endOf(Result<runtime::TrainOutcome> const &outcome)
{
    auto const *why = !outcome.ok() ? &outcome.error() : outcome->stopped ? &*outcome->stopped : nullptr;
    if (!why && outcome->kept.lost()) return "failed";
    return !why ? "done" : why->kind == ErrorKind::Cancelled ? "stopped" : "failed";
}

RecordedRun::RecordedRun(OpenProject const &open, std::string title, std::string report)
    : m_open(open), m_title(std::move(title)), m_started(utcNow())
{
    if (open.isTwin) return;
    std::error_code ignored;
    if (!report.empty()) {
        auto const relative = fs::relative(report, open.folder(), ignored);
        m_report = relative.empty() ? report : relative.string();
    }
    auto const facts = runtime::startFacts(open.project);
    auto const id = store::addRunRecord(open.path,
                                        {.startedUtc = m_started,
                                         .title = m_title,
                                         .kind = "train",
                                         .state = "running",
                                         .report = m_report,
                                         .json = facts.dump(-1, ' ', false, Json::error_handler_t::replace)});
    if (id.ok()) m_id = *id;
    else m_problem = id.error();
}

void RecordedRun::finish(std::string state, Json const &facts, JobContext const &job)
{
    if (m_id > 0) {
        auto const status = store::updateRunRecord(m_open.path,
                                                   {.id = m_id,
                                                    .startedUtc = m_started,
                                                    .title = m_title,
                                                    .kind = "train",
                                                    .state = std::move(state),
                                                    .report = m_report,
                                                    .json = facts.is_object() ? facts.dump() : "{}"});
        if (!status.ok()) m_problem = status.error();
    }
    if (!m_problem) return;
    m_problem->severity = Severity::Warning;
    m_problem->message = Message::of("the run is not in the project's list of runs: %1", m_problem->message);
    job.warn(*m_problem);
}

fs::path dataFolder(OpenProject const &open)
{
    auto const &data = open.project.data;
    fs::path const path = data.path.empty() ? data.validationPath : data.path;
    std::error_code ignored;
    if (!path.empty() && path.is_relative() && !fs::exists(open.folder() / path, ignored) && fs::exists(path, ignored)) return ".";
    return open.folder();
}

} // namespace tilewright::workspace
