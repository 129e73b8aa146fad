#include "views/document/document.h"

#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/report/run_tables.h"
#include "views/document/autosaving.h"
#include "views/jobs/job_runner.h"

#include <nlohmann/json.hpp>

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTimer>
#include <QUuid>
#include <QTemporaryDir>

#include <utility>

// The document's files: opened and saved by jobs, the autosave, what a crash left.
namespace tilewright::views {

namespace {

store::ProjectDocument documentOf(project::Project const &project) { return {project::projectParts(project)}; }

/// Folder of autosaves of projects that were never saved.
QString orphanFolder()
{
    QString base = qEnvironmentVariable("XDG_STATE_HOME");
    if (base.isEmpty()) base = QDir::homePath() + QStringLiteral("/.local/state");
    return base + QStringLiteral("/tilewright/unsaved");
}

constexpr char kUnsavedRuns[] = "unsaved_runs"; ///< part of autosaves only

std::string runsJson(std::vector<store::RunRecord> const &runs)
{
    auto all = nlohmann::json::array();
    for (auto const &run : runs)
        all.push_back({{"id", run.id},
                       {"started", run.startedUtc},
                       {"title", run.title},
                       {"kind", run.kind},
                       {"state", run.state},
                       {"report", run.report},
                       {"json", run.json}});
    return nlohmann::json{{"runs", all}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// What cannot be read is left out: a run that is lost is no reason to lose the project.
std::vector<store::RunRecord> runsFromJson(std::map<std::string, std::string> const &parts)
{
    std::vector<store::RunRecord> runs;
    auto const part = parts.find(kUnsavedRuns);
    if (part == parts.end()) return runs;
    auto const all = jsonOrDiscarded(part->second);
    if (!all.is_object() || !all.contains("runs") || !all["runs"].is_array()) return runs;
    for (auto const &one : all["runs"]) {
        if (!one.is_object()) continue;
        auto const text = [&](char const *key) {
            return one.contains(key) && one[key].is_string() ? one[key].get<std::string>() : std::string();
        };
        runs.push_back({static_cast<std::int64_t>(runs.size()) + 1, text("started"), text("title"), text("kind"), text("state"),
                        text("report"), text("json")});
        if (runs.back().state == "running") runs.back().state = report::kInterrupted; // its process wrote this, and is gone
        if (jsonOrDiscarded(runs.back().json).is_discarded()) runs.back().json = "{}";
    }
    return runs;
}

std::filesystem::path toPath(QString const &path) { return std::filesystem::path(path.toStdString()); }

int accesses = 0; ///< of files, on the window's thread

enum class Own { Skipped, Counts }; ///< whether the autosave is what a crash left, or that of the window

/// The newest of what a crash left of a project.
Result<ReadProject> readSaved(QString const &path, Own autosave, Message remedy)
{
    auto files = store::recoveries(toPath(path));
    if (autosave == Own::Skipped) std::erase(files, store::autosavePath(toPath(path)));
    auto const saved = files.empty() ? Result<store::ProjectDocument>(Diagnostic{}) : store::readProjectFile(files.front());
    if (!saved.ok())
        return makeError(ErrorKind::Invalid, "project.no-autosave", path.toStdString(), Message::of("there is nothing to recover."),
                         std::move(remedy));
    ReadProject read;
    TW_ASSIGN(read.project, project::projectFromParts(saved->parts, nullptr));
    read.recovered = QString::fromStdString(files.front().string());
    read.modified = true;
    read.unsavedRuns = runsFromJson(saved->parts);
    return read;
}

Result<ReadProject> readRecovery(QString const &path, Own autosave)
{
    TW_ASSIGN(auto read, readSaved(path, autosave, Message::of("Open the project itself.")));
    read.path = QFileInfo(path).absoluteFilePath();
    if (auto const file = store::readProject(toPath(path)); file.ok()) read.onDisk = file->parts;
    return read;
}

/// Of a project that was never saved: there is nothing else to open.
Result<ReadProject> readOrphan(QString const &autosave)
{
    TW_ASSIGN(auto read, readSaved(autosave, Own::Counts, {}));
    read.autosave = autosave;
    return read;
}

} // namespace

Result<ReadProject> Document::readFile(QString const &path)
{
    TW_ASSIGN(auto const document, store::readProject(toPath(path)));
    DiagnosticSink warnings;
    ReadProject read;
    TW_ASSIGN(read.project, project::projectFromParts(document.parts, &warnings));
    read.path = QFileInfo(path).absoluteFilePath();
    read.recoverable = hasRecovery(path);
    read.onDisk = document.parts;
    read.warnings = warnings.all();
    return read;
}

void Document::open(std::function<Result<ReadProject>()> read, Done done, std::function<bool()> mayReplace)
{
    m_jobs.compute<ReadProject>(
        this, JobKind::OpenProject, {},
        [read = std::move(read)](JobContext const &job) -> Result<ReadProject> {
            auto found = read();
            if (job.cancelled()) return cancelledError("project.open");
            return found;
        },
        [this, done = std::move(done), mayReplace = std::move(mayReplace), asked = ++m_asked](Result<ReadProject> found) {
            auto const isWanted = [&] { return m_asked == asked; }; // false: another project was asked for since
            if (!isWanted() || (found.ok() && mayReplace && !mayReplace()) || !isWanted()) return done(cancelledError("project.open"));
            done(showRead(std::move(found)));
        });
}

Status Document::showRead(Result<ReadProject> read)
{
    if (!read.ok()) return read.error();
    show(std::move(*read));
    return {};
}

void Document::show(ReadProject read)
{
    openProject(std::move(read.project), read.path, read.modified, std::move(read.unsavedRuns));
    m_orphan = read.autosave;
    m_recoverable = m_foundAutosave = read.recoverable;
    m_recovered = read.recovered;
    m_onDisk = std::move(read.onDisk);
    if (read.warnings.empty()) return;
    m_openWarnings = std::move(read.warnings);
    m_problemsKnown = false;
    emit changed();
}

/// Whether the autosave there is of what this window works on.
bool Document::ownAutosave(QString const &path) const { return m_open && !m_foundAutosave && QFileInfo(path).absoluteFilePath() == m_path; }

void Document::openFile(QString const &path, Done done)
{
    open([path] { return readFile(path); }, std::move(done));
}
void Document::recover(QString const &path, Done done)
{
    open([path, own = ownAutosave(path) ? Own::Skipped : Own::Counts] { return readRecovery(path, own); }, std::move(done));
}
void Document::recoverOrphan(QString const &autosave, Done done)
{
    open([autosave] { return readOrphan(autosave); }, std::move(done));
}
Status Document::openFile(QString const &path)
{
    ++accesses;
    return showRead(readFile(path));
}
Status Document::recover(QString const &path)
{
    ++accesses;
    return showRead(readRecovery(path, ownAutosave(path) ? Own::Skipped : Own::Counts));
}
Status Document::recoverOrphan(QString const &autosave)
{
    ++accesses;
    return showRead(readOrphan(autosave));
}
int Document::accessesAtOnce() { return accesses; }

namespace {

/// What the file holds now.
Result<std::map<std::string, std::string>> written(QString const &path, project::Project const &project)
{
    TW_TRY(store::writeProject(toPath(path), documentOf(project)));
    TW_ASSIGN(auto document, store::readProject(toPath(path)));
    return std::move(document.parts);
}

/// Another program, or another window, has saved something there since.
Status requireKnown(QString const &path, std::map<std::string, std::string> const &known)
{
    auto const document = store::readProject(toPath(path));
    if (!document.ok() || document->parts == known) return {}; // damaged or gone: what is in hand is worth more
    return makeError(ErrorKind::Data, Document::kChangedElsewhere, path.toStdString(),
                     Message::of("the project was changed by another program since it was opened here."),
                     Message::of("Save it under another name, or overwrite what the other program saved."));
}

} // namespace

Status Document::save(QString const &path)
{
    ++accesses;
    keepFound();
    TW_ASSIGN(auto onDisk, written(path, *m_project));
    wrote(path, m_project, std::move(onDisk));
    return {};
}

void Document::save(QString const &path, Done done, Overwrite overwrite)
{
    m_savings.push_back({path, m_project, m_opening, overwrite, std::move(done)});
    if (m_savings.size() == 1) saveNext();
}

void Document::saveNext()
{
    if (m_savings.empty()) return;
    m_autosave->stop();
    keepFound();
    using Parts = std::map<std::string, std::string>;
    auto const &next = m_savings.front();
    bool const knows = next.opening == m_opening && !m_onDisk.empty() && QFileInfo(next.path).absoluteFilePath() == m_path;
    m_jobs.compute<Parts>(
        this, JobKind::SaveProject, {},
        [path = next.path, what = next.what,
         known = knows && next.overwrite == Overwrite::Known ? m_onDisk : Parts()](JobContext const &) -> Result<Parts> {
            if (!known.empty()) TW_TRY(requireKnown(path, known));
            return views::written(path, *what);
        },
        [this](Result<Parts> written) {
            auto const saving = m_savings.front(); // stays there meanwhile: who saves because of this one waits its turn
            if (written.ok() && m_opening == saving.opening) wrote(saving.path, saving.what, *written);
            else if (isModified()) scheduleAutosave();
            m_savings.erase(m_savings.begin());
            saveNext();
            saving.done(written.ok() ? Status() : Status(written.error()));
        });
}

/// The file holds `what`; the project may be another one already.
void Document::wrote(QString const &path, std::shared_ptr<project::Project const> const &what, std::map<std::string, std::string> onDisk)
{
    m_onDisk = std::move(onDisk);
    // What was recovered is in the file now.
    dropRecovered();
    QString const orphan = m_orphan;
    m_autosave->stop();
    m_path = QFileInfo(path).absoluteFilePath();
    m_orphan.clear();
    if (!orphan.isEmpty()) removeAutosave(orphan);
    removeAutosave(m_path);
    m_forcedModified = what != m_project;
    if (m_forcedModified) scheduleAutosave();
    else m_stack.setClean();
    emit stateChanged();
    emit saved();
}

QString Document::reportFolder() const
{
    if (m_open && !m_path.isEmpty()) {
        QFileInfo const file(m_path);
        return file.absolutePath() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral("-reports");
    }
    if (auto const folder = cacheFolder("reports"); folder.ok()) return QString::fromStdString(folder->string());
    static QTemporaryDir const own; // a name that all users know would belong to whoever makes it first
    return own.path();
}

QString Document::freshReport() const
{
    QString const folder = reportFolder();
    QDir().mkpath(folder);
    QString const stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    QString path;
    for (int n = 0; n < 1000; ++n) {
        path = folder + QLatin1Char('/') + stamp + (n ? QStringLiteral("-%1").arg(n) : QString()) + QStringLiteral(".twreport");
        if (!QFileInfo::exists(path)) break;
    }
    return path;
}

std::filesystem::path Document::folder() const
{
    return (m_path.isEmpty() ? QDir::currentPath() : QFileInfo(m_path).absolutePath()).toStdString();
}

// --- autosave -----------------------------------------------------------------------------------------

QString Document::autosaveFile() const { return m_path.isEmpty() ? m_orphan : m_path; }

/// Changes, or runs of a project that has no file for them.
bool Document::hasUnsavedWork() const { return m_open && (isModified() || (m_path.isEmpty() && (!m_unsavedRuns.empty() || m_runningRun))); }

void Document::scheduleAutosave()
{
    m_discarded = false;
    if (m_open) m_autosave->start();
}

/// Gives a project that was never saved a place for its autosaves; false when there is none to be had.
bool Document::hasAutosaveFile()
{
    if (!autosaveFile().isEmpty()) return true;
    if (!QDir().mkpath(orphanFolder())) {
        emit autosaveFailed(orphanFolder());
        return false;
    }
    m_orphan =
        orphanFolder() + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces).left(8) + QStringLiteral(".tilewright");
    return true;
}

void Document::autosaved()
{
    if (!hasUnsavedWork() || !hasAutosaveFile()) return;
    auto const file = autosaveFile();
    keepFound();
    quint64 const number = ++m_autosaving->newest;
    m_jobs.run(this, JobKind::Quiet, QStringLiteral("autosave"),
               [this, file, number, autosaving = m_autosaving, parts = autosaveDocument()](JobContext const &) -> JobRunner::Finish {
                   std::lock_guard const lock(autosaving->mutex);
                   if (autosaving->newest != number) return {};
                   auto const status = store::writeAutosave(toPath(file), parts);
                   if (!status.ok()) return [this, why = QString::fromStdString(toText(status.error()))] { emit autosaveFailed(why); };
                   return [this, file] {
                       if (m_open && autosaveFile() == file) {
                           if (toPath(m_recovered) == store::autosavePath(toPath(file))) m_recovered.clear();
                           dropRecovered();
                       }
                       // Saved or closed while this was being written: what was written is old.
                       if (!hasUnsavedWork() || autosaveFile() != file) removeAutosave(file);
                   };
               });
}

void Document::writeAutosaveNow()
{
    m_autosave->stop();
    if (!hasUnsavedWork() || !hasAutosaveFile()) return;
    keepFound();
    ++m_autosaving->newest;
    std::lock_guard const lock(m_autosaving->mutex);
    (void)store::writeAutosave(toPath(autosaveFile()), autosaveDocument()).ok();
}

/// One that is being written is waited for, and removed too.
void Document::removeAutosave(QString const &file)
{
    ++m_autosaving->newest;
    std::lock_guard const lock(m_autosaving->mutex);
    store::removeAutosave(toPath(file));
}

store::ProjectDocument Document::autosaveDocument() const
{
    auto document = documentOf(*m_project);
    auto runs = m_unsavedRuns;
    if (m_runningRun) runs.push_back(*m_runningRun);
    if (!runs.empty()) document.parts[kUnsavedRuns] = runsJson(runs);
    return document;
}

bool Document::hasRecovery(QString const &path) { return !store::recoveries(toPath(path)).empty(); }

/// Once something else holds what was recovered, or nobody wants it.
void Document::dropRecovered()
{
    std::error_code ignored;
    if (QString const file = std::exchange(m_recovered, {}); !file.isEmpty()) std::filesystem::remove(toPath(file), ignored);
}

/// Before an autosave or a saving takes its place: what a crash left, and nobody has looked at yet.
void Document::keepFound()
{
    if (std::exchange(m_foundAutosave, false)) store::setAutosaveAside(toPath(m_path));
}

void Document::discardRecovery(QString const &path)
{
    m_jobs.cancelSlot(this, QStringLiteral("autosave"));
    m_autosave->stop();
    m_discarded = true;
    keepFound();
    dropRecovered();
    QString const file = path.isEmpty() ? m_orphan : path;
    if (!file.isEmpty()) removeAutosave(file);
}

namespace {

/// "" of one that says none.
QString textOf(nlohmann::json const &json, char const *key)
{
    return json.is_object() && json.contains(key) && json[key].is_string() ? QString::fromStdString(json[key].get<std::string>())
                                                                           : QString();
}

} // namespace

Document::Orphan Document::orphan(QString const &autosave)
{
    auto const file = store::autosavePath(toPath(autosave));
    Orphan orphan;
    orphan.changed = QFileInfo(QString::fromStdString(file.string())).lastModified();
    auto const saved = store::readProjectFile(file);
    if (!saved.ok()) return orphan;
    auto const part = [&](char const *name) {
        auto const it = saved->parts.find(name);
        return it == saved->parts.end() ? nlohmann::json() : jsonOrDiscarded(it->second);
    };
    orphan.title = textOf(part("about"), "title");
    if (auto const model = part("model"); orphan.title.isEmpty() && model.is_object() && model.contains("config"))
        orphan.title = textOf(model["config"], "name");
    orphan.runs = static_cast<int>(runsFromJson(saved->parts).size());
    return orphan;
}

QDateTime Document::recoveryTime(QString const &path)
{
    auto const files = store::recoveries(toPath(path));
    return files.empty() ? QDateTime() : QFileInfo(QString::fromStdString(files.front().string())).lastModified();
}

QStringList Document::orphanedAutosaves()
{
    QStringList list;
    QDir const folder(orphanFolder());
    for (auto const &entry : folder.entryInfoList({QStringLiteral(".*.autosave")}, QDir::Files | QDir::Hidden, QDir::Time)) {
        QString const name = entry.fileName();
        list << folder.filePath(name.mid(1, name.size() - 1 - static_cast<qsizetype>(qstrlen(".autosave"))));
    }
    return list;
}

} // namespace tilewright::views
