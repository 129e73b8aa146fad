#include "engine/cli/project_store.h"

#include "engine/cli/command.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/store/project_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>

namespace tilewright::cli {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

constexpr char kLast[] = "last";

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

std::string utcNow()
{
    auto const now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm parts{};
    gmtime_r(&now, &parts);
    char buffer[32];
    std::strftime(buffer, sizeof buffer, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return buffer;
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
    if (!target.empty()) {
        TW_ASSIGN(open.project, project::withField(open.project, "system.target", target, sink));
    }
    return open;
}

Status saveProject(OpenProject const &open)
{
    return open.isTwin ? store::writeProjectJson(open.path, documentOf(open.project))
                       : store::writeProjectFile(open.path, documentOf(open.project));
}

Status createProject(fs::path const &path, project::Project const &project, bool force)
{
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
        if (!force || fs::is_directory(path, ignored))
            return usageError("project.exists", path.string(), "the file exists already.", "Choose another name, or give --force.");
        // A new project has no past: checkpoints and runs of the replaced one go with it.
        if (path.extension() != ".json") {
            fs::path const fresh = path.string() + ".new";
            TW_TRY(store::writeProjectFile(fresh, documentOf(project)));
            std::error_code problem;
            fs::rename(fresh, path, problem);
            if (problem)
                return makeError(ErrorKind::Invalid, "file.write", path.string(), "it cannot be replaced: " + problem.message() + ".",
                                 "Check the folder's permissions.");
            return {};
        }
    }
    return store::writeProject(path, documentOf(project));
}

Result<std::optional<runtime::TrainingState>> lastCheckpoint(OpenProject const &open)
{
    std::optional<runtime::TrainingState> none;
    if (open.isTwin) return none;
    TW_ASSIGN(auto const all, store::listCheckpoints(open.path));
    if (std::ranges::find(all, kLast, &store::CheckpointInfo::name) == all.end()) return none;
    TW_ASSIGN(auto checkpoint, store::loadCheckpoint(open.path, kLast));
    runtime::TrainingState state;
    state.epoch = checkpoint.info.epoch;
    state.step = checkpoint.info.step;
    for (auto const &stored : checkpoint.tensors) {
        auto const type = parseDType(stored.dtype);
        auto const bytes = type ? elementCount(stored.shape) * sizeOf(*type) : -1;
        if (bytes != static_cast<std::int64_t>(stored.bytes.size()))
            return makeError(ErrorKind::Invalid, "checkpoint.damaged", open.path.string() + " checkpoint " + kLast,
                             "the tensor '" + stored.name + "' has the wrong size.", "Train again, or use another copy of the project.");
        runtime::StateTensor tensor{stored.name, *type, stored.shape, {}};
        tensor.bytes.resize(stored.bytes.size());
        if (bytes > 0) std::memcpy(tensor.bytes.data(), stored.bytes.data(), stored.bytes.size());
        state.tensors.push_back(std::move(tensor));
    }
    return std::optional(std::move(state));
}

Status writeLastCheckpoint(OpenProject const &open, runtime::TrainingState const &state)
{
    store::CheckpointInfo info;
    info.name = kLast;
    info.epoch = state.epoch;
    info.step = state.step;
    info.savedUtc = utcNow();
    std::vector<store::NamedTensor> tensors;
    for (auto const &tensor : state.tensors)
        tensors.push_back({tensor.name, std::string(toText(tensor.dtype)), tensor.shape,
                           std::string(reinterpret_cast<char const *>(tensor.bytes.data()), tensor.bytes.size())});
    return store::saveCheckpoint(open.path, info, tensors);
}

std::string endOf(Result<runtime::TrainOutcome> const &outcome)
{
    auto const *why = !outcome.ok() ? &outcome.error() : outcome->stopped ? &*outcome->stopped : nullptr;
    return !why ? "done" : why->kind == ErrorKind::Cancelled ? "stopped" : "failed";
}

RunHistory::RunHistory(OpenProject const &open, std::string title, std::string report)
    : m_open(open), m_title(std::move(title)), m_started(utcNow())
{
    if (open.isTwin) return;
    std::error_code ignored;
    if (!report.empty()) {
        auto const relative = fs::relative(report, open.folder(), ignored);
        m_report = relative.empty() ? report : relative.string();
    }
    auto const id = store::addRunRecord(open.path, {.startedUtc = m_started, .title = m_title, .kind = "train", .state = "running", .report = m_report});
    if (id.ok()) m_id = *id;
    else m_problem = id.error();
}

void RunHistory::finish(std::string state, Json const &facts, JobContext const &job)
{
    if (m_id > 0) {
        auto const status = store::updateRunRecord(m_open.path, {.id = m_id, .startedUtc = m_started, .title = m_title, .kind = "train",
                                                                 .state = std::move(state), .report = m_report,
                                                                 .json = facts.is_object() ? facts.dump() : "{}"});
        if (!status.ok()) m_problem = status.error();
    }
    if (!m_problem) return;
    m_problem->severity = Severity::Warning;
    job.warn(*m_problem);
}

fs::path dataFolder(OpenProject const &open)
{
    fs::path const path = open.project.data.path;
    std::error_code ignored;
    if (!path.empty() && path.is_relative() && !fs::exists(open.folder() / path, ignored) && fs::exists(path, ignored)) return ".";
    return open.folder();
}

} // namespace tilewright::cli
