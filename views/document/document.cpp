#include "views/document/document.h"

#include "views/diagnostics/registry_text.h"
#include "views/jobs/job_runner.h"

#include "engine/compiler/compile.h"
#include "engine/config/validate.h"
#include "engine/core/files.h"
#include "engine/core/json_text.h"
#include "engine/model/resolve.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>
#include <QUndoCommand>
#include <QUuid>

#include <atomic>
#include <utility>
#include <variant>

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
        all.push_back({{"id", run.id}, {"started", run.startedUtc}, {"title", run.title}, {"kind", run.kind}, {"state", run.state}, {"report", run.report}, {"json", run.json}});
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
        auto const text = [&](char const *key) { return one.contains(key) && one[key].is_string() ? one[key].get<std::string>() : std::string(); };
        runs.push_back({static_cast<std::int64_t>(runs.size()) + 1, text("started"), text("title"), text("kind"), text("state"), text("report"), text("json")});
        if (jsonOrDiscarded(runs.back().json).is_discarded()) runs.back().json = "{}";
    }
    return runs;
}

/// Of all documents: no two states of a project have the same.
quint64 newRevision()
{
    static std::atomic<quint64> last{0};
    return ++last;
}

std::filesystem::path toPath(QString const &path) { return std::filesystem::path(path.toStdString()); }

} // namespace

/// One edit. Holds the values before and after; values share their parts, so a long stack costs little.
class Document::EditCommand : public QUndoCommand {
public:
    EditCommand(Document &document, QString const &text, std::shared_ptr<project::Project const> after, QString mergeKey)
        : QUndoCommand(text), m_document(document), m_before(document.m_project), m_after(std::move(after)), m_revisionBefore(document.m_revision), m_mergeKey(std::move(mergeKey))
    {
    }
    void undo() override { m_document.show(m_before, m_revisionBefore); }
    void redo() override { m_document.show(m_after, m_revisionAfter); }
    int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(QUndoCommand const *other) override
    {
        auto const &next = static_cast<EditCommand const &>(*other);
        if (next.m_mergeKey != m_mergeKey) return false;
        m_after = next.m_after;
        m_revisionAfter = next.m_revisionAfter;
        return true;
    }

private:
    Document &m_document;
    std::shared_ptr<project::Project const> m_before, m_after;
    quint64 m_revisionBefore, m_revisionAfter = newRevision();
    QString m_mergeKey;
};

/// Where nodes stand. Other changes of the layout are no undo steps: this one finds its way back through any of them.
class Document::LayoutCommand : public QUndoCommand {
public:
    using Change = std::function<std::string(std::string const &)>;
    LayoutCommand(Document &document, QString const &text, Change there, Change back)
        : QUndoCommand(text), m_document(document), m_there(std::move(there)), m_back(std::move(back))
    {
    }
    void undo() override { change(m_back); }
    void redo() override { change(m_there); }

private:
    void change(Change const &how)
    {
        m_document.setLayout(how(m_document.project().layout));
        emit m_document.layoutChanged();
    }
    Document &m_document;
    Change m_there, m_back;
};

Document::Document(JobRunner &jobs, QObject *parent)
    : QObject(parent), m_jobs(jobs), m_project(std::make_shared<project::Project const>()), m_autosave(new QTimer(this))
{
    m_autosave->setSingleShot(true);
    m_autosave->setInterval(800);
    connect(m_autosave, &QTimer::timeout, this, &Document::autosaved);
    connect(&m_stack, &QUndoStack::cleanChanged, this, &Document::stateChanged);
}

Document::~Document() { m_stack.disconnect(); }

QString Document::title() const
{
    if (!m_path.isEmpty()) return QFileInfo(m_path).completeBaseName();
    if (!m_project->title.empty()) return QString::fromStdString(m_project->title);
    return QCoreApplication::translate("views", "Untitled");
}

std::vector<Diagnostic> const &Document::problems() const
{
    if (!m_problemsKnown) {
        m_problems = projectProblems(*m_project);
        m_problems.insert(m_problems.end(), m_openWarnings.begin(), m_openWarnings.end());
        m_problemsKnown = true;
    }
    return m_problems;
}

bool Document::isModified() const { return m_open && (m_forcedModified || !m_stack.isClean()); }

namespace {

int accesses = 0; ///< of files, on the window's thread

Result<ReadProject> readSaved(QString const &path, char const *remedy)
{
    auto const saved = store::readAutosave(toPath(path));
    if (!saved) return makeError(ErrorKind::Invalid, "project.no-autosave", path.toStdString(), "there is nothing to recover.", remedy);
    ReadProject read;
    TW_ASSIGN(read.project, project::projectFromParts(saved->parts, nullptr));
    read.modified = true;
    read.unsavedRuns = runsFromJson(saved->parts);
    return read;
}

Result<ReadProject> readRecovery(QString const &path)
{
    TW_ASSIGN(auto read, readSaved(path, "Open the project itself."));
    read.path = QFileInfo(path).absoluteFilePath();
    return read;
}

/// Of a project that was never saved: there is nothing else to open.
Result<ReadProject> readOrphan(QString const &autosave)
{
    TW_ASSIGN(auto read, readSaved(autosave, ""));
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
    read.warnings = warnings.all();
    return read;
}

void Document::open(std::function<Result<ReadProject>()> read, Done done)
{
    m_jobs.compute<ReadProject>(
        this, JobKind::OpenProject, {},
        [read = std::move(read)](JobContext const &job) -> Result<ReadProject> {
            auto found = read();
            if (job.cancelled()) return cancelledError("project.open");
            return found;
        },
        [this, done = std::move(done), asked = ++m_asked](Result<ReadProject> found) {
            // A person has gone on to another one.
            if (m_asked != asked) return done(cancelledError("project.open"));
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
    m_recoverable = read.recoverable;
    if (read.warnings.empty()) return;
    m_openWarnings = std::move(read.warnings);
    m_problemsKnown = false;
    emit changed();
}

void Document::openFile(QString const &path, Done done)
{
    open([path] { return readFile(path); }, std::move(done));
}
void Document::recover(QString const &path, Done done)
{
    open([path] { return readRecovery(path); }, std::move(done));
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
    return showRead(readRecovery(path));
}
Status Document::recoverOrphan(QString const &autosave)
{
    ++accesses;
    return showRead(readOrphan(autosave));
}
int Document::accessesAtOnce() { return accesses; }

Status Document::openTemplate(QString const &name)
{
    TW_ASSIGN(auto project, project::fromTemplate(name.toStdString()));
    project.title = registryText(project.title).toStdString(); // the project is this person's
    openProject(std::move(project), {}, true);
    return {};
}

void Document::openProject(project::Project project, QString const &path, bool modified, std::vector<store::RunRecord> unsavedRuns)
{
    m_autosave->stop();
    if (!m_orphan.isEmpty()) discardRecovery({});
    m_stack.clear();
    m_path = path;
    m_orphan.clear();
    m_unsavedRuns = std::move(unsavedRuns);
    ++m_opening;
    ++m_asked;
    m_open = true;
    m_forcedModified = modified;
    m_project = std::make_shared<project::Project const>(std::move(project));
    m_revision = newRevision();
    m_openWarnings.clear();
    m_recoverable = false;
    m_problemsKnown = false;
    emit opened();
    emit changed();
    emit stateChanged();
    if (modified) scheduleAutosave();
}

QString Document::reportFolder() const
{
    if (m_open && !m_path.isEmpty()) {
        QFileInfo const file(m_path);
        return file.absolutePath() + QLatin1Char('/') + file.completeBaseName() + QStringLiteral("-reports");
    }
    if (auto const folder = cacheFolder("reports"); folder.ok()) return QString::fromStdString(folder->string());
    return QDir::tempPath() + QStringLiteral("/tilewright-reports");
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

void Document::close()
{
    discardRecovery(m_path);
    m_stack.clear();
    m_open = m_forcedModified = false;
    m_path.clear();
    m_orphan.clear();
    m_unsavedRuns.clear();
    ++m_opening;
    ++m_asked;
    m_project = std::make_shared<project::Project const>();
    m_problems.clear();
    m_openWarnings.clear();
    m_problemsKnown = true;
    m_revision = newRevision();
    emit opened();
    emit changed();
    emit stateChanged();
}

Status Document::save(QString const &path)
{
    ++accesses;
    TW_TRY(store::writeProject(toPath(path), documentOf(*m_project)));
    wrote(path, m_project);
    return {};
}

void Document::save(QString const &path, Done done)
{
    m_savings.push_back({path, m_project, m_opening, std::move(done)});
    if (m_savings.size() == 1) saveNext();
}

void Document::saveNext()
{
    if (m_savings.empty()) return;
    m_autosave->stop();
    m_jobs.compute<std::monostate>(
        this, JobKind::SaveProject, {},
        [path = m_savings.front().path, what = m_savings.front().what](JobContext const &) -> Result<std::monostate> {
            TW_TRY(store::writeProject(toPath(path), documentOf(*what)));
            return std::monostate();
        },
        [this](Result<std::monostate> const &written) {
            auto const saving = m_savings.front(); // stays there meanwhile: who saves because of this one waits its turn
            if (written.ok() && m_opening == saving.opening) wrote(saving.path, saving.what);
            else if (isModified()) scheduleAutosave();
            m_savings.erase(m_savings.begin());
            saveNext();
            saving.done(written.ok() ? Status() : Status(written.error()));
        });
}

/// The file holds `what`; the project may be another one already.
void Document::wrote(QString const &path, std::shared_ptr<project::Project const> const &what)
{
    QString const orphan = m_orphan;
    m_autosave->stop();
    m_path = QFileInfo(path).absoluteFilePath();
    m_orphan.clear();
    if (!orphan.isEmpty()) store::removeAutosave(toPath(orphan));
    store::removeAutosave(toPath(m_path));
    m_recoverable = false;
    m_forcedModified = what != m_project;
    if (m_forcedModified) scheduleAutosave();
    else m_stack.setClean();
    emit stateChanged();
    emit saved();
}

Status Document::edit(QString const &text, std::function<Status(project::Project &)> const &change, QString const &mergeKey)
{
    auto next = std::make_shared<project::Project>(*m_project);
    TW_TRY(change(*next));
    if (*next == *m_project) return {};
    m_stack.push(new EditCommand(*this, text, std::move(next), mergeKey));
    return {};
}

Status Document::setField(QString const &path, QString const &text)
{
    return edit(QCoreApplication::translate("views", "Set %1").arg(path), [&](project::Project &project) -> Status {
        TW_ASSIGN(project, project::withField(project, path.toStdString(), text.toStdString(), nullptr));
        return {};
    }, path);
}

Status Document::setFields(QString const &title, std::vector<std::pair<QString, QString>> const &fields)
{
    return edit(title, [&](project::Project &project) -> Status {
        for (auto const &[path, text] : fields) {
            TW_ASSIGN(project, project::withField(project, path.toStdString(), text.toStdString(), nullptr));
        }
        return {};
    });
}

QString Document::field(QString const &path) const
{
    auto const value = project::field(*m_project, path.toStdString());
    return value.ok() ? QString::fromStdString(*value) : QString();
}

void Document::setLayout(std::string layout)
{
    if (layout == m_project->layout) return;
    auto next = std::make_shared<project::Project>(*m_project);
    next->layout = std::move(layout);
    replace(std::move(next));
}

void Document::editLayout(QString const &text, std::function<std::string(std::string const &)> there, std::function<std::string(std::string const &)> back)
{
    if (there(m_project->layout) != m_project->layout) m_stack.push(new LayoutCommand(*this, text, std::move(there), std::move(back)));
}

void Document::setNotes(project::Notes notes)
{
    if (notes == m_project->notes) return;
    auto next = std::make_shared<project::Project>(*m_project);
    next->notes = std::move(notes);
    replace(std::move(next));
}

/// Another value that compiles to the same.
void Document::replace(std::shared_ptr<project::Project const> project)
{
    m_project = std::move(project);
    if (!m_forcedModified) {
        m_forcedModified = true; // places, groups and notes are worth a question on closing too
        emit stateChanged();
    }
    scheduleAutosave();
}

void Document::addUnsavedRun(store::RunRecord record)
{
    record.id = m_unsavedRuns.empty() ? 1 : m_unsavedRuns.back().id + 1;
    m_unsavedRuns.push_back(std::move(record));
    scheduleAutosave();
}

std::vector<store::RunRecord> Document::takeUnsavedRuns() { return std::exchange(m_unsavedRuns, {}); }

void Document::show(std::shared_ptr<project::Project const> project, quint64 revision)
{
    // The canvas layout and the notes are no part of undo: the present ones stay.
    if (project->layout != m_project->layout || project->notes != m_project->notes) {
        auto kept = std::make_shared<project::Project>(*project);
        kept->layout = m_project->layout;
        kept->notes = m_project->notes;
        project = std::move(kept);
    }
    m_project = std::move(project);
    m_revision = revision;
    m_openWarnings.clear();
    m_problemsKnown = false;
    scheduleAutosave();
    emit changed();
    emit stateChanged();
}

// --- autosave -----------------------------------------------------------------------------------------

QString Document::autosaveFile() const { return m_path.isEmpty() ? m_orphan : m_path; }

void Document::scheduleAutosave()
{
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
    m_orphan = orphanFolder() + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces).left(8) + QStringLiteral(".tilewright");
    return true;
}

void Document::autosaved()
{
    if (!m_open || !isModified() || !hasAutosaveFile()) return;
    auto const file = autosaveFile();
    m_jobs.run(this, JobKind::Quiet, QStringLiteral("autosave"), [this, file, parts = autosaveDocument()](JobContext const &) -> JobRunner::Finish {
        auto const status = store::writeAutosave(toPath(file), parts);
        if (!status.ok()) return [this, why = QString::fromStdString(toText(status.error()))] { emit autosaveFailed(why); };
        return [this, file] {
            // Saved or closed while this was being written: what was written is old.
            if (!m_open || !isModified() || autosaveFile() != file) store::removeAutosave(toPath(file));
        };
    });
}

void Document::writeAutosaveNow()
{
    m_autosave->stop();
    if (m_open && isModified() && hasAutosaveFile()) (void)store::writeAutosave(toPath(autosaveFile()), autosaveDocument()).ok();
}

store::ProjectDocument Document::autosaveDocument() const
{
    auto document = documentOf(*m_project);
    if (!m_unsavedRuns.empty()) document.parts[kUnsavedRuns] = runsJson(m_unsavedRuns);
    return document;
}

bool Document::hasRecovery(QString const &path)
{
    auto const autosave = store::autosavePath(toPath(path));
    std::error_code none;
    return std::filesystem::exists(autosave, none) && store::readAutosave(toPath(path)).has_value();
}

void Document::discardRecovery(QString const &path)
{
    m_jobs.cancelSlot(this, QStringLiteral("autosave"));
    m_recoverable = false;
    QString const file = path.isEmpty() ? m_orphan : path;
    if (!file.isEmpty()) store::removeAutosave(toPath(file));
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

std::vector<Diagnostic> projectProblems(project::Project const &project)
{
    auto problems = model::modelProblems(project.model);
    bool const modelIsSound = std::none_of(problems.begin(), problems.end(), [](Diagnostic const &d) { return d.severity == Severity::Error; });
    if (modelIsSound) {
        if (auto const resolved = model::resolve(project.model); resolved.ok()) {
            if (auto const status = model::checkTrainingPlan(project.training, *resolved); !status.ok()) problems.push_back(status.error());
        }
    }
    auto const machine = project::machineOf(project);
    if (!machine.ok()) {
        problems.push_back(machine.error());
    } else {
        config::SystemFacts facts;
        facts.usesModel = machine->kind == target::MachineKind::IpuModel;
        // As many as a compile makes: the machine may hold more than the plan asks for.
        auto const resolved = model::resolve(project.model);
        auto const spread = resolved.ok() ? compiler::distribute(project, *resolved, *machine) : Result<compiler::Distribution>(resolved.error());
        facts.replicas = spread.ok() ? spread->replicas : static_cast<int>(project.training.replicas);
        facts.ipus = project::systemIpus(project);
        for (auto const &found : config::crossChecks(project.config, facts)) problems.push_back(found);
    }
    for (auto const &ignored : project.config.ignoredSettings()) problems.push_back(ignored);
    std::stable_sort(problems.begin(), problems.end(), [](auto const &a, auto const &b) { return a.severity > b.severity; });
    return problems;
}

} // namespace tilewright::views
