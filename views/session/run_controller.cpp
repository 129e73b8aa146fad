#include "views/session/run_controller.h"
#include "views/common/format.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/session/inbox.h"

#include "views/session/console.h"
#include "views/session/document.h"
#include "views/session/job_runner.h"
#include "views/session/predictions.h"
#include "views/session/run_worker.h"
#include "views/session/session.h"

#include "engine/cli/project_store.h"
#include "engine/runtime/run_facts.h"
#include "engine/runtime/run_report.h"
#include "engine/store/project_file.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QLocale>
#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>
#include <utility>

namespace tilewright::views {

namespace {

QString translated(char const *text) { return QCoreApplication::translate("views", text); }

LiveSeries &seriesOf(LiveRun &live, QString const &name, bool perEpoch)
{
    for (auto &series : live.series)
        if (series.name == name && series.perEpoch == perEpoch) return series;
    live.series.push_back({name, perEpoch, {}, {}});
    return live.series.back();
}

int levelOf(config::LogLevel level)
{
    switch (level) {
    case config::LogLevel::Off:
    case config::LogLevel::Err: return 3;
    case config::LogLevel::Warn: return 2;
    case config::LogLevel::Info: return 1;
    case config::LogLevel::Debug:
    case config::LogLevel::Trace: return 0;
    }
    return 1;
}

} // namespace

struct RunController::Impl {
    Session &session;
    LiveRun live;
    std::shared_ptr<RunGate> gate;
    int job = 0;
    QTimer *timer = nullptr;
    QElapsedTimer clock;
    std::vector<std::pair<qint64, std::int64_t>> pace; ///< (ms, step) of the last second
    std::shared_ptr<runtime::TrainingState const> state; ///< of the last run of this project
    std::shared_ptr<project::Project const> running, trained; ///< what runs; what `state` is of
    LiveRun lastRun; ///< the last training, when something else is on show
    std::shared_ptr<PredictionInfo const> predictions;
    TileValues tile;
    bool wantPredictions = false, detaching = false;
    bool predicting = false, predictAgain = false; ///< a job runs; newer weights wait for its end
    QElapsedTimer predictionClock;                 ///< since the last prediction began or ended
    qint64 predictionMs = 300;                     ///< how long the last one took (a guess at first)

    Inbox &inbox = Inbox::ofWindow();

    explicit Impl(Session &s) : session(s) {}
};

RunController::RunController(Session &session, QObject *parent) : QObject(parent), m(std::make_unique<Impl>(session))
{
    m->timer = new QTimer(this);
    m->timer->setInterval(33);
    connect(m->timer, &QTimer::timeout, this, &RunController::drain);
    connect(&session.document(), &Document::opened, this, [this] {
        m->state.reset();
        m->trained.reset();
        m->lastRun = {};
        m->predictions.reset();
        if (!isActive()) m->live = {};
        emit stateChanged();
    });
}

void RunController::drain()
{
    if (!m->gate) return;
    auto news = m->gate->take();
    auto &live = m->live;
    for (auto const &line : news.lines)
        m->session.console().addLog(line.level, QString::fromStdString(line.component), QString::fromStdString(line.text));
    if (!news.points.empty() && live.state == RunState::Compiling) {
        // Its step is done, though the message that it has begun waits in the queue behind: a pause counts from here on.
        live.state = RunState::Running;
        emit stateChanged();
    }
    for (auto const &point : news.points) {
        live.step = point.step;
        appendPoint(seriesOf(live, QStringLiteral("loss"), false), static_cast<double>(point.step), point.loss);
        for (auto const &[name, value] : point.metrics)
            appendPoint(seriesOf(live, QString::fromStdString(name), false), static_cast<double>(point.step), value);
    }
    // Pauses are no work: neither the speed nor what is left of the time counts them. A step that goes on counts.
    qint64 const now = std::max<qint64>(0, m->clock.elapsed() - static_cast<qint64>(m->gate->heldSeconds() * 1000));
    if (live.step > live.firstStep) live.hostSeconds = static_cast<double>(now) / 1000;
    appendSpeed(live);
    if (!news.points.empty()) {
        auto const &measured = news.points.back().deviceSeconds;
        live.emulatedSeconds = measured ? *measured : static_cast<double>(live.step - live.firstStep) * live.compile.emulatedSecondsPerStep;
        live.deviceMeasured = measured.has_value();
        m->pace.emplace_back(now, live.step);
        while (m->pace.size() > 2 && now - m->pace.front().first > 1000) m->pace.erase(m->pace.begin());
        if (m->pace.size() > 1 && m->pace.back().first > m->pace.front().first)
            live.stepsPerSecond = static_cast<double>(m->pace.back().second - m->pace.front().second) * 1000
                / static_cast<double>(m->pace.back().first - m->pace.front().first);
    }
    for (auto const &epoch : news.epochs) {
        LiveEpoch row;
        row.epoch = static_cast<int>(epoch.epoch);
        row.steps = epoch.steps;
        row.loss = epoch.loss;
        row.hostSeconds = epoch.hostSeconds;
        row.emulatedSeconds = epoch.device.seconds;
        row.deviceMeasured = epoch.device.measured.has_value();
        row.complete = epoch.complete;
        appendPoint(seriesOf(live, QStringLiteral("loss"), true), static_cast<double>(epoch.epoch), epoch.loss);
        auto const add = [&](QString const &name, double value) {
            row.metrics.emplace_back(name, value);
            appendPoint(seriesOf(live, name, true), static_cast<double>(epoch.epoch), value);
        };
        for (auto const &[name, value] : epoch.metrics) add(QString::fromStdString(name), value);
        if (epoch.valLoss) add(QStringLiteral("val_loss"), *epoch.valLoss);
        for (auto const &[name, value] : epoch.valMetrics) add(QString::fromStdString(name), value);
        live.epochTable.push_back(std::move(row));
    }
    if (news.tile) {
        m->tile = std::move(*news.tile);
        emit tileValuesChanged();
    }
    if (live.state == RunState::Running && news.held) {
        live.state = RunState::Paused;
        emit stateChanged();
    } else if (live.state == RunState::Paused && !news.held) {
        live.state = RunState::Running;
        emit stateChanged();
    }
    if (!news.points.empty()) emit advanced();
    if (!news.epochs.empty()) emit epochFinished();
}

RunController::~RunController() { m->inbox.forget(this); }

void RunController::release()
{
    if (m->gate) m->gate->open();
}

LiveRun const &RunController::live() const { return m->live; }
LiveRun const &RunController::lastRun() const { return m->live.kind == QLatin1String("train") ? m->live : m->lastRun; }
RunState RunController::state() const { return m->live.state; }
std::shared_ptr<runtime::TrainingState const> RunController::trained() const { return m->state; }
TileValues const &RunController::tileValues() const { return m->tile; }
std::shared_ptr<PredictionInfo const> RunController::predictions() const { return m->predictions; }

namespace {

/// What compile and train have in common: the settings of the environment, and where logs go.
Result<compiler::CompileRequest> compileRequest(std::shared_ptr<RunGate> const &gate, DiagnosticSink *sink)
{
    compiler::CompileRequest request;
    TW_ASSIGN(request.environment, config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, sink));
    request.forReport = true;
    request.log = [gate](config::LogComponent component, config::LogLevel level, std::string const &text) {
        gate->addLine(levelOf(level), std::string(config::toText(component)), text);
    };
    return request;
}

QString freshReport(Session &session)
{
    QDir().mkpath(session.reportFolder());
    QString const stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
    QString path;
    for (int n = 0; n < 1000; ++n) {
        path = session.reportFolder() + QLatin1Char('/') + stamp + (n ? QStringLiteral("-%1").arg(n) : QString()) + QStringLiteral(".twreport");
        if (!QFileInfo::exists(path)) break;
    }
    return path;
}

std::filesystem::path dataFolder(Document const &document)
{
    return document.path().isEmpty() ? std::filesystem::path(".") : std::filesystem::path(QFileInfo(document.path()).absolutePath().toStdString());
}

} // namespace

void RunController::compile()
{
    auto &session = m->session;
    if (isActive() || !session.document().isOpen()) return;
    if (m->live.kind == QLatin1String("train") && !m->live.series.empty()) m->lastRun = std::move(m->live);
    m->live = {};
    m->live.exists = true;
    m->live.kind = QStringLiteral("compile");
    m->live.title = session.document().title();
    m->live.state = RunState::Compiling;
    m->gate = std::make_shared<RunGate>();
    m->timer->start();
    session.console().add(1, m->live.kind, translated(QT_TRANSLATE_NOOP("views", "Compiling …")));
    emit stateChanged();
    QString const path = freshReport(session);
    m->live.reportPath = path;
    auto const project = session.document().snapshot();
    quint64 const revision = session.document().revision();
    m->job = session.jobs().run(this, JobKind::Compile, QStringLiteral("run"),
        [this, gate = m->gate, project, path, revision](JobContext const &given) -> JobRunner::Finish {
            DiagnosticSink warnings;
            JobContext job = given;
            job.warnings = &warnings;
            auto outcome = withinMemory<compiler::CompileOutcome>([&]() -> Result<compiler::CompileOutcome> {
                TW_ASSIGN(auto request, compileRequest(gate, &warnings));
                TW_ASSIGN(auto compiled, compiler::compile(*project, request, job));
                if (compiled.executable->emulated) {
                    ThreadPool pool(hostThreads(request.threads));
                    TW_TRY(runtime::writeCompileReport(path.toStdString(), *project, compiled, {&pool, &job}));
                }
                return compiled;
            });
            auto shared = std::make_shared<Result<compiler::CompileOutcome>>(std::move(outcome));
            auto const notes = warnings.all();
            return [this, shared, notes, path, revision] {
                auto &s = m->session;
                drainLast();
                m->live.warnings = notes;
                for (auto const &note : notes)
                    s.console().add(2, QStringLiteral("compile"), diagnosticLine(note), QString::fromStdString(note.code), QString::fromStdString(note.subject));
                if (shared->ok()) {
                    m->live.compile = compileInfo(**shared);
                    if (m->live.compile.outOfMemory) m->live.error = m->live.compile.outOfMemory;
                } else {
                    m->live.error = shared->error();
                }
                finishRun(shared->ok() && (**shared).executable->emulated ? path : QString(), revision);
            };
        });
}

void RunController::train(RunMode mode)
{
    auto &session = m->session;
    if (isActive() || !session.document().isOpen()) return;
    auto const &document = session.document();
    m->live = {};
    auto &live = m->live;
    live.exists = true;
    live.kind = QStringLiteral("train");
    live.mode = mode;
    live.title = document.title();
    live.state = RunState::Compiling;
    auto const project = document.snapshot();
    m->running = live.project = project;
    live.revision = document.revision();
    m->lastRun = {};
    live.epochs = project->training.epochs;
    m->tile = {};
    m->pace.clear();
    m->predictionClock.start(); // the first look comes when there is something learnt
    m->detaching = false;
    m->gate = std::make_shared<RunGate>();
    m->clock.start();
    m->timer->start();
    session.console().add(1, live.kind, translated(mode == RunMode::Tile ? QT_TRANSLATE_NOOP("views", "Training on tiles has begun.") : QT_TRANSLATE_NOOP("views", "Training has begun.")));
    emit stateChanged();

    auto const machine = project::machineOf(*project);
    bool const emulated = machine.ok() && machine->isEmulated();
    QString const path = emulated ? freshReport(session) : QString();
    live.reportPath = path;
    quint64 const revision = document.revision();
    QString const file = document.path();
    bool const savedAsIs = document.keepsHistory();
    quint64 const opening = document.opening();
    auto const folder = dataFolder(document);
    m->job = session.jobs().run(this, JobKind::Train, QStringLiteral("run"),
        [this, inbox = &m->inbox, gate = m->gate, project, path, revision, mode, folder, file, savedAsIs, opening](JobContext const &given) -> JobRunner::Finish {
            DiagnosticSink warnings;
            JobContext job = given;
            job.warnings = &warnings;
            cli::OpenProject open{file.toStdString(), false, *project};
            auto const started = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
            std::optional<cli::RunHistory> history;
            if (savedAsIs) history.emplace(open, project->title.empty() ? project->model.name : project->title, path.toStdString());
            auto outcome = withinMemory<runtime::TrainOutcome>([&]() -> Result<runtime::TrainOutcome> {
                runtime::RunRequest request;
                TW_ASSIGN(request.compile, compileRequest(gate, &warnings));
                request.mode = mode == RunMode::Tile ? runtime::Mode::Tile : runtime::Mode::Fused;
                request.baseDir = folder;
                request.every = 1;
                if (!path.isEmpty()) request.report = path.toStdString();
                if (savedAsIs && !open.isTwin) {
                    // Somebody's read-only example trains all the same: the window holds the weights.
                    if (auto const tried = store::tryProject(open.path, 0); tried.ok()) request.keep.project = open.path;
                    else warnings.add(makeWarning("checkpoint.project", open.path.string(), tried.error().message, "Save the project elsewhere to keep the weights."));
                }
                runtime::RunObserver observer;
                observer.compiled = [this, inbox, revision](compiler::CompileOutcome const &compiled) {
                    inbox->post(this, [this, info = compileInfo(compiled), revision] {
                        (void)revision;
                        std::int64_t const perEpoch = m->live.compile.stepsPerEpoch;
                        m->live.compile = info;
                        m->live.compile.stepsPerEpoch = perEpoch;
                        emit this->compiled();
                    });
                };
                observer.attached = [this, inbox](std::string const &text) {
                    inbox->post(this, [this, line = QString::fromStdString(text)] {
                        m->live.attached = line; // the device's own log line brings it to the console
                    });
                };
                observer.stepsPerEpoch = [this, inbox](std::int64_t steps) {
                    inbox->post(this, [this, steps] {
                        m->live.stepsPerEpoch = m->live.compile.stepsPerEpoch = steps;
                        m->clock.restart();
                        if (m->live.state == RunState::Compiling) m->live.state = RunState::Running;
                        emit stateChanged();
                    });
                };
                observer.reportBegun = [this, inbox, path, revision](std::filesystem::path const &) {
                    inbox->post(this, [this, path, revision] {
                        m->session.openReport(path);
                        m->session.markReportMade(path, revision);
                    });
                };
                observer.heldSeconds = [gate] { return gate->heldSeconds(); };
                observer.standing = [gate](std::function<void()> tell) { gate->setBeforeStanding(std::move(tell)); };
                observer.ready = [gate](runtime::Executor &executor, compiler::CompileOutcome const &compiled) { gate->hook(executor, compiled); };
                observer.step = [gate](std::int64_t step, double loss, auto const &metrics) {
                    gate->addStep(step, loss, metrics);
                    gate->passStep();
                };
                observer.epoch = [gate](runtime::EpochResult const &epoch) { gate->addEpoch(epoch); };
                observer.epochState = [this, inbox](runtime::EpochResult const &, runtime::TrainingState const &state) {
                    inbox->post(this, [this, kept = std::make_shared<runtime::TrainingState const>(state)] { takeState(kept); });
                };
                return runtime::train(*project, request, observer, job);
            });
            std::vector<Diagnostic> unsaved;
            if (outcome.ok())
                for (auto const &problem : {outcome->kept.problem, outcome->unreported})
                    if (problem) unsaved.push_back(*problem);
            nlohmann::ordered_json facts = nlohmann::ordered_json::object();
            if (outcome.ok()) facts = runtime::runFacts(*outcome, *project);
            auto const end = cli::endOf(outcome);
            if (history) history->finish(end, facts, job);
            store::RunRecord record{.startedUtc = started, .title = project->title.empty() ? project->model.name : project->title, .kind = "train", .state = end,
                                    .report = path.toStdString(), .json = facts.dump()};
            auto shared = std::make_shared<Result<runtime::TrainOutcome>>(std::move(outcome));
            auto const notes = warnings.all();
            return [this, shared, notes, unsaved, path, revision, savedAsIs, opening, record] {
                auto &s = m->session;
                // A project without a file keeps its runs until it has one; it may have got one meanwhile.
                drainLast();
                bool const sameProject = s.document().isOpen() && s.document().opening() == opening;
                if (!savedAsIs && sameProject) s.document().addUnsavedRun(record);
                m->live.warnings = notes;
                for (auto const &note : notes)
                    s.console().add(2, QStringLiteral("train"), diagnosticLine(note), QString::fromStdString(note.code), QString::fromStdString(note.subject));
                for (auto const &problem : unsaved) s.raiseError(problem);
                m->live.ended = QString::fromStdString(record.state);
                bool reported = false;
                if (shared->ok()) {
                    auto const &result = **shared;
                    std::int64_t const perEpoch = m->live.compile.stepsPerEpoch;
                    m->live.compile = compileInfo(result.compiled);
                    m->live.compile.stepsPerEpoch = perEpoch;
                    if (result.hostSeconds > 0) m->live.hostSeconds = result.hostSeconds;
                    m->live.emulatedSeconds = result.device.seconds;
                    m->live.deviceMeasured = result.device.measured.has_value();
                    if (result.stopped && result.stopped->kind != ErrorKind::Cancelled) m->live.error = result.stopped;
                    if (!result.state.tensors.empty()) takeState(std::make_shared<runtime::TrainingState const>(result.state));
                    reported = result.compiled.executable->emulated && QFileInfo::exists(path);
                } else {
                    m->live.error = shared->error();
                }
                finishRun(reported ? path : QString(), revision);
            };
        });
}

namespace {

/// What a person wants to know of a run or compile that is over without an error.
QString endText(LiveRun const &live)
{
    if (live.error) return {};
    if (live.kind == QLatin1String("compile"))
        return translated(live.compile.done ? QT_TRANSLATE_NOOP("views", "Compiled: the model fits.") : QT_TRANSLATE_NOOP("views", "The compile was stopped."));
    if (live.kind != QLatin1String("train")) return {};
    if (live.epochTable.empty()) return translated(QT_TRANSLATE_NOOP("views", "Training was stopped before its first step."));
    bool const stopped = live.ended == QLatin1String("stopped");
    QString const loss = QLocale().toString(live.epochTable.back().loss, 'g', 4);
    if (stopped) return translated(QT_TRANSLATE_NOOP("views", "Training stopped at step %1: loss %2.")).arg(QLocale().toString(live.step), loss);
    return QCoreApplication::translate("views", "Training finished after %Ln step(s): loss %1.", nullptr, pluralOf(live.step)).arg(loss);
}

} // namespace

/// What came last. Before what the run says of itself: its own clock ends with its last step, the window's only now.
void RunController::drainLast()
{
    if (!m->gate) return;
    m->gate->open();
    drain();
}

void RunController::finishRun(QString const &report, quint64 revision)
{
    auto &live = m->live;
    auto &session = m->session;
    m->timer->stop();
    live.state = RunState::Idle;
    if (live.error && live.error->kind == ErrorKind::Cancelled) live.error.reset();
    if (live.error) {
        session.console().add(3, live.kind, diagnosticLine(*live.error), QString::fromStdString(live.error->code), QString::fromStdString(live.error->subject));
        emit session.errorRaised(*live.error);
    }
    if (QString const text = endText(live); !text.isEmpty()) session.console().add(1, live.kind, text);
    if (!report.isEmpty()) {
        session.openReport(report);
        session.markReportMade(report, revision);
    }
    session.keepUnsavedRuns();
    session.reloadHistory();
    emit compiled();
    emit stateChanged();
    emit finished();
    if (live.compile.outOfMemory) emit session.viewRequested(QStringLiteral("memory"));
    if (m->detaching) startDetached();
    else if (m->wantPredictions && live.kind == QLatin1String("train")) requestPredictions();
}

void RunController::takeState(std::shared_ptr<runtime::TrainingState const> state)
{
    m->state = std::move(state);
    m->trained = m->running;
    if (m->wantPredictions) requestPredictions();
}

void RunController::pause()
{
    if (state() == RunState::Running && m->gate) m->gate->pause();
}

void RunController::resume()
{
    if (m->gate) m->gate->resume();
}

void RunController::step()
{
    if (isPaused() && m->gate) m->gate->allowStep();
}

void RunController::superstep()
{
    if (!m->gate || m->live.mode != RunMode::Tile || !isActive()) return;
    if (state() == RunState::Running) m->gate->pause();
    m->gate->allowSuperstep();
}

void RunController::stopAfterStep()
{
    if (!isActive()) return;
    m->session.jobs().cancel(m->job);
    if (m->gate) m->gate->open();
    if (m->live.state != RunState::Stopping) {
        m->live.state = RunState::Stopping;
        emit stateChanged();
    }
}

void RunController::watchTile(int tile)
{
    if (m->gate) m->gate->watch(tile);
}

QString RunController::detach()
{
    auto const &document = m->session.document();
    if (!isActive() || m->live.kind != QLatin1String("train")) return translated(QT_TRANSLATE_NOOP("views", "No training is running."));
    if (document.path().isEmpty() || document.isModified() || document.path().endsWith(QLatin1String(".json")))
        return translated(QT_TRANSLATE_NOOP("views", "Save the project as a .tilewright file first: the run goes on from its checkpoint there."));
    m->detaching = true;
    stopAfterStep();
    return {};
}

void RunController::startDetached()
{
    m->detaching = false;
    auto &session = m->session;
    QString const program = QCoreApplication::applicationDirPath() + QStringLiteral("/tilewright");
    QString const report = freshReport(session);
    QStringList arguments{QStringLiteral("train"), session.document().path(), QStringLiteral("--resume"), QStringLiteral("last"), QStringLiteral("--report"),
                          report, QStringLiteral("--quiet")};
    if (m->live.mode == RunMode::Tile) arguments << QStringLiteral("--mode") << QStringLiteral("tile");
    if (!QProcess::startDetached(program, arguments, QFileInfo(session.document().path()).absolutePath())) {
        session.raiseError(makeError(ErrorKind::Usage, "run.detach", program.toStdString(), "the command line program cannot be started.",
                                     "Install tilewright beside tilewright-gui; the checkpoint 'last' is in the project."));
        return;
    }
    session.console().add(1, QStringLiteral("train"), translated(QT_TRANSLATE_NOOP("views", "The run goes on in a process of its own; its report grows at %1.")).arg(report));
    // The report begins once the program has compiled.
    auto *look = new QTimer(this);
    look->setInterval(300);
    connect(look, &QTimer::timeout, this, [this, look, report, tries = 0]() mutable {
        if (QFileInfo::exists(report)) m->session.openReport(report);
        if (QFileInfo::exists(report) || ++tries > 100) look->deleteLater();
    });
    look->start();
}

void RunController::evaluate()
{
    requestPredictions();
}

void RunController::requestPredictions()
{
    m->wantPredictions = true;
    if (!m->state || !m->session.document().isOpen()) return;
    if (m->predicting) {
        m->predictAgain = true;
        return;
    }
    // While a run goes on, looking at it takes at most a tenth of a core.
    if (isActive() && !isPaused() && m->predictionClock.isValid() && m->predictionClock.elapsed() < 10 * m->predictionMs) return;
    m->predicting = true;
    m->predictionClock.start();
    auto const finished = [this] {
        m->predicting = false;
        m->predictionMs = m->predictionClock.restart();
        if (std::exchange(m->predictAgain, false)) requestPredictions();
    };
    // Weights belong to the project as it was trained, whatever has been edited since.
    auto const project = m->trained;
    m->session.jobs().run(this, JobKind::Predict, {},
        [this, finished, project, state = m->state, folder = dataFolder(m->session.document())](JobContext const &job) -> JobRunner::Finish {
            auto result = withinMemory<PredictionInfo>([&] { return predictTestData(*project, *state, folder, job); });
            if (!result.ok()) {
                return [this, finished, error = result.error()] {
                    if (error.kind != ErrorKind::Cancelled) m->session.console().add(2, QStringLiteral("predict"), diagnosticLine(error));
                    finished();
                };
            }
            return [this, finished, info = std::make_shared<PredictionInfo const>(std::move(result).value())] {
                m->predictions = info;
                emit predictionsChanged();
                finished();
            };
        });
}

double LiveRun::progress() const
{
    auto const steps = static_cast<double>(stepsPerEpoch * epochs);
    return steps > 0 ? std::clamp(static_cast<double>(step) / steps, 0.0, 1.0) : 0;
}

QString toText(RunState state)
{
    switch (state) {
    case RunState::Idle: return translated(QT_TRANSLATE_NOOP("views", "Ready"));
    case RunState::Compiling: return translated(QT_TRANSLATE_NOOP("views", "Compiling"));
    case RunState::Running: return translated(QT_TRANSLATE_NOOP("views", "Running"));
    case RunState::Paused: return translated(QT_TRANSLATE_NOOP("views", "Paused"));
    case RunState::Stopping: return translated(QT_TRANSLATE_NOOP("views", "Stopping after this step"));
    }
    return {};
}

} // namespace tilewright::views
