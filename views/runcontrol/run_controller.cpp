#include "views/runcontrol/run_internal.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/diagnostics/console.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/runcontrol/detached_run.h"
#include "views/runcontrol/predictions.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>
#include <QProcess>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

LiveSeries &seriesOf(LiveRun &live, QString const &name, bool perEpoch)
{
    for (auto &series : live.series)
        if (series.name == name && series.perEpoch == perEpoch) return series;
    live.series.push_back({name, perEpoch, {}, {}, {}, {}});
    return live.series.back();
}

} // namespace

RunController::RunController(Document &document, JobRunner &jobs, Console &console, QObject *parent)
    : QObject(parent), m(std::make_unique<Impl>(document, jobs, console))
{
    m->timer = new QTimer(this);
    m->timer->setInterval(33);
    connect(m->timer, &QTimer::timeout, this, &RunController::drain);
    connect(&document, &Document::opened, this, [this] {
        m->state.reset();
        m->trained.reset();
        m->imported = false;
        m->lastRun = {};
        m->predictions.reset();
        m->replaced.reset();
        m->program.reset();
        m->goingBack = m->applies = false;
        setHeld({}, false);
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
        m->console.addLog(line.level, QString::fromStdString(line.component), QString::fromStdString(line.text));
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
        if (epoch.learningRate) add(QStringLiteral("learning_rate"), *epoch.learningRate);
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
        if (std::exchange(m->pauseAsked, false))
            m->console.add(1, live.kind, Words::tr("Paused after step %1.").arg(QLocale().toString(static_cast<qlonglong>(live.step))));
        emit stateChanged();
    } else if (live.state == RunState::Paused && !news.held) {
        live.state = RunState::Running;
        emit stateChanged();
    }
    if (!news.points.empty()) emit advanced();
    if (!news.epochs.empty()) emit epochFinished();
}

AppliedConfiguration &RunController::configuration() { return m->configuration; }
AppliedConfiguration const &RunController::configuration() const { return m->configuration; }

Status RunController::applyConfiguration()
{
    if (!m->document.isOpen()) return {};
    TW_TRY(m->configuration.check());
    m->applies = isActive();
    if (isActive()) stopAfterStep();
    else m->configuration.apply();
    return {};
}

AppliedConfiguration::Program RunController::beginProgram()
{
    auto program = m->configuration.begin();
    m->program = program.project;
    if (program.pending) {
        m->console.add(2, QStringLiteral("config"), diagnosticLine(*program.pending), QString::fromStdString(program.pending->code),
                       QString::fromStdString(program.pending->subject));
        emit noticed(*program.pending);
    }
    return program;
}

std::shared_ptr<project::Project const> RunController::program() const { return m->program; }

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

/// What a person wants to know of a run or compile that is over without an error.
QString endText(LiveRun const &live)
{
    if (live.error) return {};
    if (live.kind == QLatin1String("compile"))
        return live.compile.done ? Words::tr("Compiled: the model fits.") : Words::tr("The compile was stopped.");
    if (live.kind != QLatin1String("train")) return {};
    bool const stopped = live.ended == QLatin1String("stopped");
    if (live.epochTable.empty())
        return stopped ? Words::tr("Training was stopped before its first step.") : QString(); // a warning says why
    QString const loss = QLocale().toString(live.epochTable.back().loss, 'g', 4);
    if (stopped) return Words::tr("Training stopped at step %1: loss %2.").arg(QLocale().toString(live.step), loss);
    return Words::tr("Training finished after %Ln step(s): loss %1.", nullptr, pluralOf(live.step)).arg(loss);
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
    m->timer->stop();
    live.state = RunState::Idle;
    if (live.error && live.error->kind == ErrorKind::Cancelled) live.error.reset();
    if (live.error) {
        m->console.add(3, live.kind, diagnosticLine(*live.error), QString::fromStdString(live.error->code),
                       QString::fromStdString(live.error->subject));
        emit errorRaised(*live.error);
    }
    if (QString const text = endText(live); !text.isEmpty()) m->console.add(1, live.kind, text);
    if (!report.isEmpty()) emit reportMade(report, revision);
    emit recorded();
    emit compiled();
    emit stateChanged();
    emit finished();
    if (live.compile.outOfMemory) emit viewWanted(QStringLiteral("memory"));
    if (std::exchange(m->applies, false)) m->configuration.apply();
    if (m->goingBack) goBack();
    else if (m->detaching) startDetached();
    else if (m->wantPredictions && live.kind == QLatin1String("train")) requestPredictions();
}

void RunController::raise(Diagnostic const &error)
{
    m->console.add(3, QStringLiteral("tilewright"), diagnosticLine(error), QString::fromStdString(error.code),
                   QString::fromStdString(error.subject));
    emit errorRaised(error);
}

void RunController::takeState(std::shared_ptr<runtime::TrainingState const> state)
{
    m->state = std::move(state);
    m->trained = m->running;
    if (m->wantPredictions) requestPredictions();
}

void RunController::holdImported(std::shared_ptr<runtime::TrainingState const> weights)
{
    m->state = std::move(weights);
    m->trained = m->document.snapshot();
    m->imported = true;
    lookForWeights();
    if (m->wantPredictions) requestPredictions();
}

bool RunController::hasUnsavedImport() const { return m->imported; }

void RunController::setImportSaved() { m->imported = false; }

bool RunController::canContinue() const
{
    if (!m->held || !m->document.isOpen()) return false;
    auto &[revision, takes] = m->takes;
    if (!takes || revision != m->document.revision()) {
        revision = m->document.revision();
        takes = runtime::takesWeights(m->document.project().model, *m->held);
    }
    return *takes;
}

void RunController::setHeld(std::optional<runtime::HeldWeights> held, bool inFile)
{
    m->held = std::move(held);
    m->heldInFile = inFile;
    m->takes.second.reset();
    emit weightsChanged();
}

void RunController::lookForWeights()
{
    auto const ofState = [this] {
        return m->state && !m->state->tensors.empty() ? std::optional(runtime::heldWeightsOf(*m->state)) : std::nullopt;
    };
    if (!m->document.isOpen()) return setHeld({}, false);
    if (!m->document.keepsRuns()) return setHeld(ofState(), false);
    m->jobs.run(this, JobKind::Quiet, QStringLiteral("weights"),
                [this, path = m->document.path(), ofState](JobContext const &) -> JobRunner::Finish {
                    return [this, held = runtime::lastHeldWeights(path.toStdString()), path, ofState] {
                        if (m->document.path() == path) setHeld(held ? held : ofState(), held.has_value());
                    };
                });
}

bool RunController::knowsReplaced() const { return m->replaced != nullptr; }

void RunController::continueReplaced()
{
    if (!m->replaced || m->goingBack) return;
    m->goingBack = true;
    if (isActive()) stopAfterStep();
    else goBack();
}

void RunController::goBack()
{
    auto const weights = std::exchange(m->replaced, nullptr);
    RunMode const mode = lastRun().mode;
    m->jobs.cancelSlot(this, QStringLiteral("weights")); // it reads what is gone in a moment
    auto const goOn = [this, weights, mode](bool inFile) {
        m->goingBack = false;
        if (!inFile) m->state = weights;
        setHeld(runtime::heldWeightsOf(*weights), inFile);
        if (canContinue()) train(mode, TrainFrom::Last);
        else
            raise(makeError(ErrorKind::Invalid, "checkpoint.shape", "",
                            Message::of("the checkpoint belongs to a different model than the project has now."),
                            Message::of("Use a checkpoint of this model, or train from the start.")));
    };
    if (!m->document.keepsRuns()) {
        // Behind the end of the run that told us.
        QMetaObject::invokeMethod(
            this, [goOn] { goOn(false); }, Qt::QueuedConnection);
        return;
    }
    // Into the file first: the run that has ended has put its own there, and nobody knows how far the next one comes.
    m->jobs.run(this, JobKind::KeepRuns, {}, [this, weights, goOn, path = m->document.path()](JobContext const &) -> JobRunner::Finish {
        auto const status = runtime::writeLastCheckpoint(path.toStdString(), *weights);
        return [this, status, goOn, path] {
            if (m->document.path() != path) return;
            if (!status.ok()) raise(status.error());
            goOn(status.ok());
        };
    });
}

void RunController::pause()
{
    if (state() != RunState::Running || !m->gate) return;
    m->pauseAsked = true;
    m->gate->pause();
}

void RunController::resume()
{
    m->pauseAsked = false;
    if (isPaused()) m->console.add(1, m->live.kind, Words::tr("The run goes on."));
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

void RunController::backStep()
{
    if (isPaused() && m->gate && m->live.mode == RunMode::Tile) m->gate->backStep();
}

void RunController::backSuperstep()
{
    if (isPaused() && m->gate && m->live.mode == RunMode::Tile) m->gate->backSuperstep();
}

void RunController::stopAfterStep()
{
    if (!isActive()) return;
    m->jobs.cancel(m->job);
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
    auto const &document = m->document;
    if (!isActive() || m->live.kind != QLatin1String("train")) return Words::tr("No training is running.");
    if (document.path().isEmpty() || document.isModified() || document.path().endsWith(QLatin1String(".json")))
        return Words::tr("Save the project as a .tilewright file first: the run continues from its checkpoint there.");
    if (m->running && !compilesAlike(*m->running, document.project()))
        return Words::tr("The project was changed after the run began: its checkpoint would be of another model. Undo the changes and "
                         "save, or stop the run; its weights are then kept in a file of their own.");
    m->detaching = true;
    stopAfterStep();
    return {};
}

void RunController::startDetached()
{
    m->detaching = false;
    auto const &document = m->document;
    QString const program = QCoreApplication::applicationDirPath() + QStringLiteral("/tilewright");
    QString const report = document.freshReport();
    QStringList arguments{QStringLiteral("train"),    document.path(), QStringLiteral("--resume"), QStringLiteral("last"),
                          QStringLiteral("--report"), report,          QStringLiteral("--quiet")};
    if (m->live.mode == RunMode::Tile) arguments << QStringLiteral("--mode") << QStringLiteral("tile");
    qint64 process = 0;
    if (!QProcess::startDetached(program, arguments, QFileInfo(document.path()).absolutePath(), &process)) {
        raise(makeError(ErrorKind::Usage, "run.detach", program.toStdString(), Message::of("the command line program cannot be started."),
                        Message::of("Install tilewright beside tilewright-gui; the checkpoint 'last' is in the project.")));
        return;
    }
    m->console.add(1, QStringLiteral("train"),
                   Words::tr("The run continues in a separate process and writes its report to %1.").arg(report));
    constexpr int kLookMs = 300;
    auto *run = new DetachedRun(process, report, kLookMs, this);
    connect(run, &DetachedRun::reportFound, this, [this, run, opening = document.opening()](QString const &found) {
        run->deleteLater();
        if (m->document.opening() != opening) return; // another project is on show
        emit reportFound(found);
        emit begun();
    });
    connect(run, &DetachedRun::endedWithoutReport, this, [this, run, program, opening = document.opening()] {
        run->deleteLater();
        if (m->document.opening() != opening) return;
        raise(makeError(ErrorKind::Data, "run.detached-ended", program.toStdString(),
                        Message::of("the run that went on in a process of its own ended before its report began."),
                        Message::of("Runs says why it ended; the checkpoint 'last' is in the project.")));
        emit begun();
    });
}

void RunController::requestPredictions()
{
    m->wantPredictions = true;
    // Weights of an earlier session are in the project's file.
    bool const fromFile = !m->state && m->heldInFile && canContinue();
    if ((!m->state && !fromFile) || !m->document.isOpen()) return;
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
    auto const project = fromFile ? m->document.snapshot() : m->trained;
    m->jobs.run(this, JobKind::Predict, {},
                [this, finished, project, state = m->state, folder = m->document.folder(), opening = m->document.opening(),
                 file = m->document.path().toStdString()](JobContext const &job) -> JobRunner::Finish {
                    auto result = guardedJob([&]() -> Result<PredictionInfo> {
                        if (state) return predictTestData(*project, *state, folder, job);
                        TW_ASSIGN(auto const last, runtime::lastCheckpoint(file));
                        if (!last)
                            return makeError(ErrorKind::Invalid, "checkpoint.none", file,
                                             Message::of("the project holds no trained weights."), Message::of("Train it first."));
                        return predictTestData(*project, *last, folder, job);
                    });
                    if (!result.ok()) {
                        return [this, finished, error = result.error()] {
                            if (error.kind != ErrorKind::Cancelled) m->console.add(2, QStringLiteral("predict"), diagnosticLine(error));
                            finished();
                        };
                    }
                    return [this, finished, opening, info = std::make_shared<PredictionInfo const>(std::move(result).value())] {
                        if (m->document.opening() != opening) return finished(); // of the project before
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
    case RunState::Idle: return Words::tr("Ready");
    case RunState::Compiling: return Words::tr("Compiling");
    case RunState::Running: return Words::tr("Running");
    case RunState::Paused: return Words::tr("Paused");
    case RunState::Stopping: return Words::tr("Stopping after this step");
    }
    return {};
}

} // namespace tilewright::views
