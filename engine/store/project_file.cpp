#include "engine/store/project_file.h"

#include "engine/core/ascii.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/store/project_database.h"
#include "engine/store/replace_database.h"
#include "engine/store/schema.h"
#include "engine/store/schema_check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include <fcntl.h>
#include <unistd.h>

namespace tilewright::store {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<char const *, 7> kOrder{"model", "ipu_config", "system", "training", "data", "layout", "notes"};
constexpr char kFormat[] = "tilewright-project";
constexpr int kTwinVersion = 1;

Diagnostic jsonError(std::string subject, Message message, Message remedy = {})
{
    return makeError(ErrorKind::Invalid, "project.json", std::move(subject), std::move(message), std::move(remedy));
}

Status fillDocuments(Database &db, ProjectDocument const &document)
{
    TW_TRY(db.execute("DELETE FROM document"));
    TW_ASSIGN(auto insert, db.prepare("INSERT INTO document(name, json) VALUES(?, ?)"));
    for (auto const &[name, json] : document.parts) {
        insert.bindText(1, name);
        insert.bindText(2, json);
        TW_TRY(insert.run());
    }
    return {};
}

Status checkDocuments(ProjectDocument const &document)
{
    for (auto const &[name, json] : document.parts) TW_TRY(parseOrderedJson(json, name, "project.json"));
    return {};
}

/// A new project file that replaces whatever has that name, whole or not at all.
Status writeFresh(std::filesystem::path const &path, ProjectDocument const &document)
{
    TW_ASSIGN(auto db, Database::inMemory(path.filename().string()));
    TW_TRY(db.execute("PRAGMA application_id = " + std::to_string(kProjectApplicationId)
                      + "; PRAGMA user_version = " + std::to_string(kProjectVersion)));
    auto const filled = inTransaction(db, [&]() -> Status {
        for (auto const &sql : projectSchema()) TW_TRY(db.execute(sql));
        return fillDocuments(db, document);
    });
    TW_TRY(filled);
    return replaceDatabase(path, db, Sync::Yes);
}

} // namespace

namespace {
/// As long as a training may take to put its weights into the project.
constexpr int kBusyMs = 10'000;
} // namespace

// ---- the database ------------------------------------------------------------------------------------

Status checkProjectKind(Database const &db)
{
    TW_ASSIGN(auto const application, db.integer("PRAGMA application_id"));
    if (application == kReportApplicationId)
        return makeError(ErrorKind::Invalid, "store.wrong-kind", db.subject(), Message::of("this is a report, not a project"),
                         Message::of("Name a .tilewright file."));
    if (application != kProjectApplicationId)
        return makeError(ErrorKind::Invalid, "store.wrong-kind", db.subject(), Message::of("this file is not a Tilewright project"),
                         Message::of("Name a .tilewright file or its JSON twin."));
    TW_ASSIGN(auto const version, db.integer("PRAGMA user_version"));
    if (version / 100 > kProjectVersion / 100)
        return makeError(ErrorKind::Invalid, "store.newer-version", db.subject(),
                         Message::of("the project has format %1.%2, this program reads formats up to %3.x", version / 100, version % 100,
                                     kProjectVersion / 100),
                         Message::of("Open it with a newer version."));
    return checkProjectSchema(db);
}

Result<Database> openProjectForReading(std::filesystem::path const &path)
{
    auto db = Database::openForReading(path);
    if (!db.ok()) {
        // A project that is not there is a wrong name, not missing data.
        auto error = db.error();
        if (error.code == "store.missing" || error.code == "store.cannot-open") error.kind = ErrorKind::Invalid;
        return error;
    }
    db->setBusyTimeout(kBusyMs);
    db->forbidViews();
    TW_TRY(checkProjectKind(*db));
    return db;
}
Result<Database> openProjectForWriting(std::filesystem::path const &path)
{
    TW_ASSIGN(auto db, Database::open(path, Database::Mode::ReadWrite));
    db.setBusyTimeout(kBusyMs);
    db.forbidViews();
    TW_TRY(checkProjectKind(db));
    TW_TRY(db.execute("PRAGMA synchronous = FULL"));
    return db;
}

// ---- the SQLite file ---------------------------------------------------------------------------------

Result<ProjectDocument> readProjectFile(std::filesystem::path const &path)
{
    TW_ASSIGN(auto const db, openProjectForReading(path));
    TW_ASSIGN(auto statement, db.prepare("SELECT name, json FROM document ORDER BY name"));
    ProjectDocument document;
    for (;;) {
        TW_ASSIGN(bool const more, statement.step());
        if (!more) break;
        document.parts.emplace(statement.text(0), statement.text(1));
    }
    for (auto const &[name, json] : document.parts)
        if (auto const parsed = parseOrderedJson(json, name, "project.json"); !parsed.ok())
            return parsed.error().code == "json.limit"
                ? parsed.error()
                : makeError(ErrorKind::Invalid, "store.corrupt", path.filename().string(), Message::of("its part '%1' is damaged", name),
                            Message::of("Use a copy or the autosave."));
    return document;
}

Status writeProjectFile(std::filesystem::path const &path, ProjectDocument const &document)
{
    TW_TRY(checkDocuments(document));
    std::error_code ignored;
    Status status;
    bool fresh = !std::filesystem::exists(path, ignored);
    if (!fresh) {
        auto db = openProjectForWriting(path);
        if (db.ok()) {
            status = inTransaction(*db, [&] { return fillDocuments(*db, document); });
            // Damaged inside: the documents in hand are worth more than what is there.
            fresh = !status.ok() && status.error().code == "store.corrupt";
        } else if (db.error().code == "store.wrong-kind" || db.error().code == "store.corrupt"
                   || db.error().code == "store.not-a-database") {
            fresh = true;
        } else {
            return db.error();
        }
    }
    if (fresh) status = writeFresh(path, document);
    return status;
}

Status createProjectFile(std::filesystem::path const &path, ProjectDocument const &document)
{
    TW_TRY(checkDocuments(document));
    TW_TRY(writeFresh(path, document));
    removeAutosave(path);
    return {};
}

// ---- the twin ----------------------------------------------------------------------------------------

Result<std::string> projectToJson(ProjectDocument const &document)
{
    Json twin;
    twin["format"] = kFormat;
    twin["version"] = kTwinVersion;
    auto const add = [&](std::string const &name, std::string const &json) -> Status {
        TW_ASSIGN(twin[name], parseOrderedJson(json, name, "project.json"));
        return {};
    };
    for (auto const *name : kOrder)
        if (auto const it = document.parts.find(name); it != document.parts.end()) TW_TRY(add(it->first, it->second));
    for (auto const &[name, json] : document.parts)
        if (!twin.contains(name)) TW_TRY(add(name, json));
    return twin.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ProjectDocument> projectFromJson(std::string const &text, std::string const &subject)
{
    TW_ASSIGN(auto const twin, parseOrderedJson(text, subject, "project.json"));
    if (!twin.is_object() || !twin.contains("format") || twin["format"] != kFormat)
        return makeError(ErrorKind::Invalid, "store.wrong-kind", subject, Message::of("this JSON is not a Tilewright project"),
                         Message::of("A project begins with \"format\": \"tilewright-project\"."));
    if (!twin.contains("version") || !twin["version"].is_number_integer())
        return jsonError(subject, Message::of("the field \"version\" is missing or not a whole number"),
                         Message::of("Write \"version\": 1."));
    if (!twin["version"].is_number_unsigned() || twin["version"].get<std::uint64_t>() < 1)
        return jsonError(subject, Message::of("the field \"version\" is not a version"), Message::of("Write \"version\": 1."));
    if (twin["version"].get<std::uint64_t>() > kTwinVersion)
        return makeError(
            ErrorKind::Invalid, "store.newer-version", subject,
            Message::of("the project has version %1, this program reads versions up to %2", twin["version"].dump(), kTwinVersion),
            Message::of("Open it with a newer version."));
    ProjectDocument document;
    for (auto const &[name, value] : twin.items())
        if (name != "format" && name != "version") document.parts[name] = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return document;
}

Result<ProjectDocument> readProjectJson(std::filesystem::path const &path)
{
    TW_ASSIGN(auto const text, readJsonText(path));
    return projectFromJson(text, path.filename().string());
}

Status writeProjectJson(std::filesystem::path const &path, ProjectDocument const &document)
{
    TW_ASSIGN(auto const text, projectToJson(document));
    return writeOutputFile(path, std::string_view(text));
}

Result<ProjectDocument> readProject(std::filesystem::path const &path)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        return makeError(ErrorKind::Invalid, "store.missing", path.string(), Message::of("there is no such project"),
                         Message::of("Check the name, or make one with 'tilewright new'."));
    if (std::filesystem::is_directory(path, ignored) || std::filesystem::is_fifo(path, ignored)) return readProjectFile(path); // says so
    // The first byte that is no blank tells the twin from the database; the name need not.
    int const fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char head[64] = {};
    ssize_t const length = fd < 0 ? 0 : ::read(fd, head, sizeof head);
    if (fd >= 0) ::close(fd);
    auto const *begin = head, *end = head + std::max<ssize_t>(length, 0);
    if (end - begin >= 3 && std::string_view(begin, 3) == "\xEF\xBB\xBF") begin += 3;
    auto const *first = std::find_if(begin, end, [](char c) { return !isAsciiBlank(c); });
    return first != end && *first == '{' ? readProjectJson(path) : readProjectFile(path);
}

Status writeProject(std::filesystem::path const &path, ProjectDocument const &document)
{
    return path.extension() == ".json" ? writeProjectJson(path, document) : writeProjectFile(path, document);
}

// ---- autosave ----------------------------------------------------------------------------------------

std::filesystem::path autosavePath(std::filesystem::path const &project)
{
    return project.parent_path() / ("." + project.filename().string() + ".autosave");
}

Status writeAutosave(std::filesystem::path const &project, ProjectDocument const &document)
{
    TW_TRY(checkDocuments(document));
    return writeFresh(autosavePath(project), document);
}

std::optional<ProjectDocument> readAutosave(std::filesystem::path const &project)
{
    auto document = readProjectFile(autosavePath(project));
    if (!document.ok()) return std::nullopt;
    return std::move(document).value();
}

void removeAutosave(std::filesystem::path const &project)
{
    std::error_code ignored;
    std::filesystem::remove(autosavePath(project), ignored);
}

namespace {

/// The first is 1.
std::filesystem::path asidePath(std::filesystem::path const &project, int number)
{
    return project.parent_path() / ("." + project.filename().string() + ".recovery" + (number > 1 ? "-" + std::to_string(number) : ""));
}

constexpr int kMostAside = 100;

} // namespace

bool setAutosaveAside(std::filesystem::path const &project)
{
    for (int number = 1; number <= kMostAside; ++number) {
        // A link takes no name that is there, whoever else is about to take it.
        std::error_code problem;
        std::filesystem::create_hard_link(autosavePath(project), asidePath(project, number), problem);
        if (problem == std::errc::file_exists) continue;
        if (problem) { // a file system without links
            if (std::filesystem::exists(asidePath(project, number))) continue;
            std::error_code moved;
            std::filesystem::rename(autosavePath(project), asidePath(project, number), moved);
            return !moved;
        }
        removeAutosave(project);
        return true;
    }
    return false;
}

std::vector<std::filesystem::path> recoveries(std::filesystem::path const &project)
{
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> found;
    auto const note = [&](std::filesystem::path const &file) {
        std::error_code problem;
        auto const time = std::filesystem::last_write_time(file, problem);
        if (problem || !readProjectFile(file).ok()) return;
        found.emplace_back(time, file);
    };
    note(autosavePath(project));
    for (int number = 1; number <= kMostAside; ++number) note(asidePath(project, number));
    std::ranges::stable_sort(found, [](auto const &a, auto const &b) { return a.first > b.first; });
    std::vector<std::filesystem::path> files;
    for (auto const &[time, file] : found) files.push_back(file);
    return files;
}

} // namespace tilewright::store
