#include "views/session/session.h"

#include "engine/core/json_text.h"
#include "views/diagnostics/console.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/document/document.h"
#include "views/document/unsaved_runs.h"
#include "views/jobs/inbox.h"
#include "views/jobs/job_runner.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/file_kind.h"
#include "views/session/layer_selection.h"
#include "views/session/playhead.h"
#include "views/session/run_list.h"
#include "views/session/run_project.h"
#include "views/session/selection.h"

#include "engine/core/files.h"
#include "engine/core/text.h"
#include "engine/data/data_source.h"
#include "engine/interop/completion.h"
#include "engine/interop/import.h"
#include "engine/store/project_file.h"
#include "engine/store/run_reports.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

QString translated(char const *text) { return QCoreApplication::translate("views", text); }

constexpr qint64 kLeastFollowPause = 2000, kFollowShare = 30; ///< ms between looks at the report of a run; times what one took

QString samePath(QString const &path) { return path.isEmpty() ? path : QDir::cleanPath(QFileInfo(path).absoluteFilePath()); }

} // namespace

Session::Session(QObject *parent)
    : QObject(parent), m_jobs(std::make_unique<JobRunner>()), m_document(std::make_unique<Document>(*m_jobs)),
      m_console(std::make_unique<Console>()), m_selection(std::make_unique<Selection>(m_jobs.get())),
      m_runs(std::make_unique<RunController>(*m_document, *m_jobs, *m_console)), m_runList(std::make_unique<RunList>(*this)),
      m_playhead(std::make_unique<Playhead>(*this)), m_deviceTimer(new QTimer(this))
{
    connect(m_runList.get(), &RunList::lookAgain, this, &Session::reloadRuns);
    connect(m_jobs.get(), &JobRunner::gaveUp, this, &Session::errorRaised);
    connect(m_runs.get(), &RunController::errorRaised, this, &Session::errorRaised);
    connect(m_runs.get(), &RunController::viewWanted, this, &Session::viewRequested);
    connect(m_runs.get(), &RunController::reportFound, this, &Session::openReport);
    connect(m_runs.get(), &RunController::reportMade, this, [this](QString const &path, quint64 revision) {
        openReport(path);
        markReportMade(path, revision);
    });
    connect(m_jobs.get(), &JobRunner::changed, this, &Session::lookForDamage);
    connect(m_runs.get(), &RunController::begun, this, &Session::reloadRuns);
    connect(m_runs.get(), &RunController::recorded, this, [this] {
        keepUnsavedRuns();
        reloadRuns();
    });
    // A report that another process writes is read again while it grows.
    m_followTimer = new QTimer(this);
    m_followTimer->setInterval(1000);
    connect(m_followTimer, &QTimer::timeout, this, &Session::followReport);
    m_deviceTimer->setInterval(500);
    connect(m_deviceTimer, &QTimer::timeout, this, [this] {
        m_jobs->run(this, JobKind::Quiet, QStringLiteral("devices"), [this](JobContext const &) -> JobRunner::Finish {
            auto const registry = device::Registry::open();
            if (!registry.ok()) return {};
            auto view = registry->list();
            if (!view.ok()) return {};
            return [this, found = std::make_shared<device::RegistryView>(std::move(view).value())] {
                m_devices = *found;
                emit devicesChanged();
            };
        });
    });
    connect(m_document.get(), &Document::changed, this, [this] {
        refreshEstimate();
        checkStale();
    });
    // When the edit is whole: a layer that gets another name is selected by that one then.
    auto const layers = std::make_shared<std::set<std::string>>();
    connect(
        m_document.get(), &Document::changed, this, [this, layers] { *layers = deselectGoneLayers(*m_selection, *m_document, *layers); },
        Qt::QueuedConnection);
    connect(m_document.get(), &Document::saved, this, &Session::keepUnsavedRuns);
    connect(m_document.get(), &Document::opened, this, [this] {
        m_madeOf.clear();
        m_staleness.reset();
        m_compiled.reset();
        setBaseline(nullptr); // a pin is of the project before
        closeReport();
        m_selection->forget(); // names of the project before
        m_console->beginProject();
        m_wantsLastRun = m_document->isOpen();
        reloadRuns();
    });
    connect(m_document.get(), &Document::autosaveFailed, this, [this](QString const &why) {
        m_console->add(2, QStringLiteral("project"), translated(QT_TRANSLATE_NOOP("views", "The autosave cannot be written: %1")).arg(why));
    });
}

Session::~Session()
{
    // In this order: no job may speak to what is gone.
    m_runs->release();
    m_jobs->finishAll();
    m_report.reset();
    m_baseline.reset();
    removeMovedReports();
    m_playhead.reset();
    m_runList.reset();
    m_runs.reset();
    Inbox::ofWindow().forget(this);
}

void Session::refreshEstimate()
{
    m_jobs->run(this, JobKind::Quiet, QStringLiteral("estimate"),
                [this, project = m_document->snapshot(), revision = m_document->revision()](JobContext const &job) -> JobRunner::Finish {
                    auto estimate = std::make_shared<FitEstimate>(estimateFit(*project, job));
                    estimate->revision = revision;
                    return [this, estimate] {
                        m_estimate = *estimate;
                        emit estimateChanged();
                    };
                });
}

void Session::openReport(QString const &path)
{
    // Two steps: the head is enough for Summary and comes in milliseconds. What is on show may be this very file, read
    // while it was written: then it is read on through the connections there are.
    using Snapshot = std::shared_ptr<ReportSnapshot const>;
    m_reportError = {};
    m_followTimer->stop();
    auto const refuse = [this, path](Diagnostic error) {
        if (error.kind == ErrorKind::Cancelled)
            error = makeError(ErrorKind::Cancelled, "report.cancelled", QFileInfo(path).fileName().toStdString(),
                              Message::of("reading the report was cancelled."), Message::of("Read it again."));
        m_reportError = error;
        if (error.kind != ErrorKind::Cancelled) raiseError(error);
        emit reportReplaced();
    };
    m_jobs->compute<Snapshot>(
        this, JobKind::ReadReport, QStringLiteral("report"), [path](JobContext const &) { return ReportSnapshot::openHead(path); },
        [this, path, refuse](Result<Snapshot> const &head) {
            if (!head.ok()) return refuse(head.error()); // what is on show stays
            auto const before = m_report, baseline = m_baseline;
            bool const again = m_report && m_report->isWhole() && isSameReport(*m_report, **head);
            if (!again) showReport(*head); // else what is on show stays until all of the new is there
            m_jobs->compute<Snapshot>(
                this, JobKind::ReadReport, QStringLiteral("report"),
                [path, before](JobContext const &job) { return ReportSnapshot::open(path, job, before); },
                [this, refuse, before, baseline, again](Result<Snapshot> const &whole) {
                    if (whole.ok()) return showReport(*whole);
                    if (!again && before && before->isWhole()) { // a good one does not go for a damaged one
                        showReport(before);
                        if (!m_pinned) setBaseline(baseline);
                    }
                    refuse(whole.error());
                });
        });
}

void Session::followReport()
{
    if (!m_report || !m_report->isWhole() || m_report->path().isEmpty()) return;
    // Following takes a small part of the time.
    if (m_followed.isValid() && m_followed.elapsed() < m_followPause) return;
    if (!m_report->isLive()) {
        m_followTimer->stop();
        return;
    }
    if (m_following) return;
    m_following = true;
    QElapsedTimer clock;
    clock.start();
    using Snapshot = std::shared_ptr<ReportSnapshot const>;
    m_jobs->compute<Snapshot>(
        this, JobKind::Quiet, QStringLiteral("follow"),
        [report = m_report](JobContext const &job) { return ReportSnapshot::follow(report, job); },
        [this, report = m_report, clock](Result<Snapshot> const &whole) {
            m_following = false;
            // It may be between two commits: the next second tells.
            if (!whole.ok() || m_report != report || m_report == ReportPtr(*whole)) return;
            if (!(*whole)->isLive() && !m_runs->isActive()) reloadRuns(); // the process that wrote it has ended
            growReport(*whole, clock.elapsed());
        });
}

void Session::growReport(ReportPtr report, qint64 took)
{
    QElapsedTimer clock;
    clock.start();
    bool const first = m_report->data().ipuSplits.empty() && !report->data().ipuSplits.empty();
    m_report = std::move(report);
    m_selection->growReport(m_report);
    if (!m_report->isLive()) m_followTimer->stop();
    emit reportGrown(first || !m_report->isLive() ? Growth::Figures : Growth::Rows);
    checkStale();
    // Behind what the views do now.
    QMetaObject::invokeMethod(
        this,
        [this, clock, took] {
            m_followPause = std::max(kLeastFollowPause, kFollowShare * (took + clock.elapsed()));
            m_followed.start();
        },
        Qt::QueuedConnection);
}

namespace {

bool fits(ReportSnapshot const &report)
{
    for (auto const &verdict : report.data().verdicts)
        if (verdict.scope == "all" && !verdict.fits) return false;
    return true;
}

} // namespace

void Session::showReport(ReportPtr report)
{
    m_reportError = {};
    bool const same = m_report && report && isSameReport(*m_report, *report);
    if (!same) m_damaged.clear();
    // A pinned baseline stays. Without a pin the report before this one is what the new one is compared with; one of a model
    // that did not fit is no measure for one that does.
    bool const replaces = !same && !m_pinned && m_report && m_report->isWhole() && report;
    if (replaces) m_baseline = fits(*m_report) ? m_report : ReportPtr();
    // The same file, read once more because its run has ended.
    if (same && showsSameCompile(m_report, report) && !m_report->damage()) {
        growReport(std::move(report), 0);
        if (m_report->isLive()) m_followTimer->start();
        removeMovedReports();
        return;
    }
    m_report = std::move(report);
    if (same) m_selection->updateReport(m_report);
    else m_selection->setReport(m_report);
    if (m_report && m_report->isWhole() && m_report->isLive()) m_followTimer->start();
    m_followed.invalidate();
    removeMovedReports();
    emit reportReplaced();
    checkStale();
    if (!same) emit baselineChanged();
}

/// Packed data are read when a view asks for them: only then a damaged part is found. Views say so from then on.
void Session::lookForDamage()
{
    if (!m_report || m_damaged == m_report->path() || !m_report->damage()) return;
    m_damaged = m_report->path();
    raiseError(*m_report->damage());
    emit reportReplaced();
}

/// The same file, or the one it was moved to.
bool Session::isSameReport(ReportSnapshot const &one, ReportSnapshot const &other) const
{
    if (one.uuid() != other.uuid()) return false;
    auto const moved = m_movedReports.find(one.path());
    return one.path() == other.path() || (moved != m_movedReports.end() && moved->second == other.path());
}

void Session::setBaseline(ReportPtr baseline, Pin pin)
{
    m_pinned = pin == Pin::Pinned && baseline;
    m_baseline = std::move(baseline);
    removeMovedReports();
    emit baselineChanged();
}

void Session::readBaseline(QString const &path, std::function<Pin()> pin)
{
    m_jobs->compute<std::shared_ptr<ReportSnapshot const>>(
        this, JobKind::ReadBaseline, QStringLiteral("baseline"), [path](JobContext const &job) { return ReportSnapshot::open(path, job); },
        [this, pin = std::move(pin)](Result<std::shared_ptr<ReportSnapshot const>> result) {
            if (result.ok()) setBaseline(*result, pin());
            else raiseError(result.error());
        });
}

void Session::pinBaseline(QString const &path)
{
    readBaseline(path, [] { return Pin::Pinned; });
}

void Session::closeReport()
{
    m_jobs->cancelSlot(this, QStringLiteral("report"));
    m_report.reset();
    m_reportError = {};
    m_selection->setReport(nullptr);
    emit reportReplaced();
    checkStale();
    if (!m_pinned) setBaseline(nullptr);
}

bool Session::reportIsStale() const
{
    if (!m_report || !m_document->isOpen()) return false;
    auto const revision = m_document->revision();
    QString const path = samePath(m_report->path());
    if (auto const made = m_madeOf.constFind(path); made != m_madeOf.constEnd())
        return made->project ? !compilesAlike(*made->project, m_document->project()) : made->revision != revision;
    if (m_staleness && m_staleness->path == path && m_staleness->revision == revision) return m_staleness->stale;
    // Made before this session: its run kept the project as it was. Of a report from elsewhere nothing is known.
    bool stale = false;
    if (!m_compiled || m_compiled->first != path) {
        m_compiled.emplace(path, nullptr);
        for (auto const &run : *m_runList) {
            if (path.isEmpty() || samePath(run.report) != path) continue;
            if (auto project = projectOfRun(run); project.ok())
                m_compiled->second = std::make_shared<project::Project const>(std::move(*project));
            break;
        }
    }
    if (m_compiled->second) stale = !compilesAlike(*m_compiled->second, m_document->project());
    m_staleness = {path, revision, stale};
    return stale;
}

void Session::markReportMade(QString const &path, quint64 revision)
{
    m_madeOf.insert(samePath(path), {revision, revision == 0 ? m_runs->program() : nullptr});
    checkStale();
}

/// Once for all edits of a moment; views judge the report by themselves when they are refreshed.
void Session::checkStale()
{
    if (std::exchange(m_checksStale, true)) return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_checksStale = false;
            bool const stale = reportIsStale();
            if (std::exchange(m_wasStale, stale) != stale) emit reportStaleChanged();
        },
        Qt::QueuedConnection);
}

namespace {

using WeightsPtr = std::shared_ptr<runtime::TrainingState const>;

/// A model of another program stands in a project of its own.
Result<ReadProject> readModel(QString const &path, WeightsPtr &weights)
{
    DiagnosticSink warnings;
    JobContext job;
    job.warnings = &warnings;
    TW_ASSIGN(auto imported, interop::importModel(path.toStdString(), job));
    TW_TRY(interop::complete(imported, {}, job));
    TW_ASSIGN(auto state, interop::importedState(imported, path.toStdString(), job));
    if (state) weights = std::make_shared<runtime::TrainingState const>(std::move(*state));
    ReadProject made;
    made.project = std::move(imported.project);
    made.project.title = QFileInfo(path).completeBaseName().toStdString();
    made.modified = true;
    made.warnings = warnings.all();
    return made;
}

/// A project or its twin, or a model of another program.
Result<ReadProject> readProjectOrModel(QString const &path, FileKind kind, WeightsPtr &weights)
{
    if (kind == FileKind::Model) return readModel(path, weights);
    auto read = Document::readFile(path);
    if (read.ok() || kind != FileKind::Json) return read;
    auto model = readModel(path, weights);
    if (model.ok()) return model;
    return read.error().code == "project.json" || model.error().code != "import.kind" ? model.error() : read.error();
}

} // namespace

void Session::openFile(QString const &path, FileKind kind, std::function<void()> done)
{
    auto const weights = std::make_shared<WeightsPtr>();
    m_document->open([path, kind, weights] { return readProjectOrModel(path, kind, *weights); },
                     [this, weights, done = std::move(done)](Status const &status) {
                         if (status.ok() && *weights) m_runs->holdImported(*weights);
                         if (!status.ok() && status.error().kind != ErrorKind::Cancelled) raiseError(status.error());
                         done();
                     },
                     m_mayReplace);
}

void Session::openPath(QString const &path, std::function<void()> done)
{
    m_jobs->compute<FileFacts>(
        this, JobKind::OpenProject, {}, [path](JobContext const &) -> Result<FileFacts> { return fileFacts(path); },
        [this, path, done = std::move(done)](Result<FileFacts> const &facts) {
            auto const kind = facts.ok() ? facts->kind : FileKind::Other;
            if (kind == FileKind::Project || kind == FileKind::Json || kind == FileKind::Model) return openFile(path, kind, done);
            if (kind == FileKind::Report) {
                openReport(path);
            } else if (kind == FileKind::Data && m_document->isOpen()) {
                emit dataFound(path, facts->dataFormat);
            } else if (kind == FileKind::Data) {
                raiseError(makeError(ErrorKind::Usage, "open.data", path.toStdString(),
                                     Message::of("this file holds data, and no project is open."),
                                     Message::of("Open or create a project first, then open the data again.")));
            } else {
                raiseError(facts.ok() ? *facts->why : facts.error());
            }
            done();
        });
}

Status Session::useAsData(QString const &path, QString const &format)
{
    // Files whose name does not tell their format need it said.
    std::filesystem::path const file = path.toStdString();
    bool const told = std::ranges::any_of(
        data::dataFormats(), [&](auto const &one) { return !one.generated && one.recognises(file) && QLatin1String(one.name) == format; });
    TW_TRY(m_document->setFields(
        QCoreApplication::translate("views", "Use %1 as data").arg(QFileInfo(path).fileName()),
        {{QStringLiteral("data.path"), path}, {QStringLiteral("data.format"), told ? QStringLiteral("auto") : format}}));
    emit viewRequested(QStringLiteral("data"));
    return {};
}

namespace {

/// `project`: the file that holds the record, or any name in the folder of a session's reports.
Run runEntry(store::RunRecord const &record, QString const &project)
{
    Run entry;
    entry.id = record.id;
    entry.started = QString::fromStdString(record.startedUtc);
    entry.title = QString::fromStdString(record.title);
    entry.kind = QString::fromStdString(record.kind);
    entry.state = QString::fromStdString(record.state);
    // What a project names elsewhere, or what is no report, is shown as missing: it is not opened and not deleted.
    if (auto const report = store::reportOfRun(project.toStdString(), record.report))
        entry.report = QString::fromStdString(report->string());
    entry.json = QString::fromStdString(record.json);
    return entry;
}

} // namespace

void Session::keepUnsavedRuns()
{
    if (!m_document->keepsRuns() || (m_document->unsavedRuns().empty() && !m_runs->hasUnsavedImport())) return;
    m_runs->setImportSaved();
    m_jobs->run(this, JobKind::KeepRuns, {},
                [this, path = m_document->path(), folder = m_document->reportFolder(), runs = m_document->takeUnsavedRuns(),
                 trained = m_runs->trained(), opening = m_document->opening()](JobContext const &) -> JobRunner::Finish {
                    // Begun is done: who closes the window right after saving loses nothing.
                    auto const kept = std::make_shared<KeptRuns>(keepRuns(path, folder, runs, trained));
                    return [this, kept, opening] {
                        for (auto const &problem : kept->problems) raiseError(problem);
                        for (auto const &[from, to] : kept->reports) {
                            m_movedReports[from] = to;
                            if (auto const made = m_madeOf.constFind(samePath(from)); made != m_madeOf.constEnd())
                                m_madeOf.insert(samePath(to), MadeOf(*made));
                        }
                        for (auto const &[from, to] : kept->reports) {
                            if (m_report && m_report->path() == from) openReport(to);
                            if (m_baseline && m_baseline->path() == from)
                                readBaseline(to, [this] { return m_pinned ? Pin::Pinned : Pin::Automatic; });
                        }
                        removeMovedReports();
                        if (m_document->opening() != opening) return;
                        for (auto const &run : kept->notKept) m_document->addUnsavedRun(run);
                        // Notes go with their run where a file that was there already counted otherwise.
                        m_document->setNotes(renumbered(m_document->project().notes, kept->ids));
                        reloadRuns();
                    };
                });
}

/// The cache's copies go once the project's own are on show in their place.
void Session::removeMovedReports()
{
    std::erase_if(m_movedReports, [this](auto const &moved) {
        auto const &from = moved.first;
        if ((m_report && m_report->path() == from) || (m_baseline && m_baseline->path() == from)) return false;
        return QFile::remove(from) || !QFile::exists(from);
    });
}

void Session::reloadRuns()
{
    m_runs->lookForWeights();
    QString const path = m_document->path();
    if (!m_document->keepsRuns()) {
        std::vector<Run> runs;
        for (auto const &record : m_document->unsavedRuns())
            runs.push_back(runEntry(record, m_document->reportFolder() + QStringLiteral("/unsaved")));
        return takeRuns(std::move(runs));
    }
    m_jobs->run(this, JobKind::Quiet, QStringLiteral("runs"), [this, path](JobContext const &) -> JobRunner::Finish {
        auto const records = store::listRunRecords(path.toStdString());
        auto runs = std::make_shared<std::vector<Run>>();
        if (records.ok())
            for (auto const &record : *records) runs->push_back(runEntry(record, path));
        return [this, runs] { takeRuns(std::move(*runs)); };
    });
}

/// Adds the run that goes on and is in no file yet.
void Session::takeRuns(std::vector<Run> runs)
{
    if (auto const &running = m_document->runningRun()) {
        auto entry = runEntry(*running, m_document->reportFolder());
        for (auto const &one : runs) entry.id = std::max(entry.id, one.id + 1);
        runs.push_back(std::move(entry));
    }
    m_staleness.reset();
    m_compiled.reset();
    m_runList->take(std::move(runs));
    checkStale();
    if (std::exchange(m_wantsLastRun, false)) showLastRun();
}

void Session::discardUnsavedRuns()
{
    for (auto const &run : m_document->takeUnsavedRuns()) {
        QString const report = QString::fromStdString(run.report);
        // Only what this program put into its cache.
        if (!report.isEmpty() && QFileInfo(report).absolutePath() == QFileInfo(m_document->reportFolder()).absoluteFilePath())
            QFile::remove(report);
    }
    reloadRuns();
}

/// Of a project that was opened again: what its last run came to, also one that was stopped or interrupted. A run that failed,
/// mostly before its first step, hides no earlier one.
void Session::showLastRun()
{
    if (m_report || m_runs->isActive()) return;
    Run const *last = nullptr;
    for (auto const &entry : *m_runList)
        if (entry.state != QLatin1String("failed") && (!last || entry.id > last->id) && QFileInfo(entry.report).isFile()) last = &entry;
    if (last) openReport(last->report);
}

void Session::watchDevices(bool on)
{
    m_watchers = std::max(0, m_watchers + (on ? 1 : -1));
    if (m_watchers > 0 && !m_deviceTimer->isActive()) m_deviceTimer->start();
    if (m_watchers == 0) m_deviceTimer->stop();
}

void Session::raiseError(Diagnostic const &error)
{
    m_console->add(3, QStringLiteral("tilewright"), diagnosticLine(error), QString::fromStdString(error.code),
                   QString::fromStdString(error.subject));
    emit errorRaised(error);
}

} // namespace tilewright::views
