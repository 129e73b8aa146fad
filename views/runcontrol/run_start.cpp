#include "views/runcontrol/run_internal.h"
#include "views/runcontrol/run_rate.h"

#include "engine/workspace/project_store.h"
#include "engine/runtime/run_facts.h"
#include "engine/runtime/run_report.h"
#include "engine/store/project_file.h"
#include "views/common/words.h"
#include "views/diagnostics/console.h"
#include "views/diagnostics/diagnostic_text.h"

#include <nlohmann/json.hpp>

#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QTimer>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tilewright::views {

namespace {

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

/// What compile and train have in common: the settings of the environment, and where logs go.
Result<compiler::CompileRequest> compileRequest(std::shared_ptr<RunGate> const &gate, DiagnosticSink *sink)
{
    compiler::CompileRequest request;
    TW_ASSIGN(request.environment, config::readEnvironment([](char const *name) -> char const * { return std::getenv(name); }, sink));
    request.forReport = true;
    request.log = [gate](config::LogComponent component, config::LogLevel level, Message const &text) {
        gate->addLine(levelOf(level), std::string(config::toText(component)), messageText(text).toStdString());
    };
    return request;
}

} // namespace

void RunController::compile()
{
    auto const &document = m->document;
    if (isActive() || !document.isOpen()) return;
    if (m->live.kind == QLatin1String("train") && !m->live.series.empty()) m->lastRun = std::move(m->live);
    m->live = {};
    m->live.exists = true;
    m->live.kind = QStringLiteral("compile");
    m->live.title = document.title();
    m->live.state = RunState::Compiling;
    m->gate = std::make_shared<RunGate>();
    m->timer->start();
    m->console.add(1, m->live.kind, Words::tr("Compiling …"));
    emit stateChanged();
    QString const path = document.freshReport();
    m->live.reportPath = path;
    auto const program = beginProgram();
    auto const &project = program.project;
    quint64 const revision = program.revision;
    m->job = m->jobs.run(
        this, JobKind::Compile, QStringLiteral("run"),
        [this, gate = m->gate, project, path, revision, folder = document.folder()](JobContext const &given) -> JobRunner::Finish {
            DiagnosticSink warnings;
            JobContext job = given;
            job.warnings = &warnings;
            auto outcome = guardedJob([&]() -> Result<compiler::CompileOutcome> {
                TW_ASSIGN(auto request, compileRequest(gate, &warnings));
                TW_TRY(runtime::requestEntries(*project, folder, request, job));
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
                drainLast();
                m->live.warnings = notes;
                for (auto const &note : notes)
                    m->console.add(2, QStringLiteral("compile"), diagnosticLine(note), QString::fromStdString(note.code),
                                   QString::fromStdString(note.subject));
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

namespace {

/// The entry of a run that goes on: after a crash it still names the report and the project.
store::RunRecord runningRecord(project::Project const &project, std::string const &started, std::string const &title, QString const &report)
{
    return {.startedUtc = started,
            .title = title,
            .kind = "train",
            .state = "running",
            .report = report.toStdString(),
            .json = runtime::startFacts(project).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)};
}

/// A training that begins anew takes the place of what another one made: who sees that in time can go back to it, unless that much is
/// not held in memory beside the run.
constexpr std::int64_t kMostReplaced = std::int64_t{256} << 20;

} // namespace

void RunController::train(RunMode mode, TrainFrom from)
{
    auto const &document = m->document;
    if (isActive() || m->goingBack || !document.isOpen() || (from == TrainFrom::Last && !canContinue())) return;
    auto const epochs = document.project().training.epochs;
    if (from == TrainFrom::Last && epochs > 0 && m->held->epoch >= epochs) {
        emit noticed(runtime::nothingLeftToTrain(document.title().toStdString(), m->held->epoch, epochs));
        return;
    }
    m->replaced.reset();
    m->live = {};
    auto &live = m->live;
    live.exists = true;
    live.kind = QStringLiteral("train");
    live.mode = mode;
    live.title = document.title();
    live.state = RunState::Compiling;
    auto const program = beginProgram();
    auto const &project = program.project;
    quint64 const revision = program.revision;
    m->running = live.project = project;
    live.revision = revision;
    m->lastRun = {};
    live.epochs = project->training.epochs;
    m->tile = {};
    m->pace.clear();
    m->predictionClock.start(); // the first look comes when there is something learnt
    m->detaching = m->pauseAsked = false;
    m->gate = std::make_shared<RunGate>();
    auto &rates = RunRate::of(*this);
    rates.begin();
    disconnect(&rates, &RunRate::asked, this, nullptr);
    connect(&rates, &RunRate::asked, this, [gate = m->gate](double wanted) { gate->askRate(wanted); });
    m->clock.start();
    m->timer->start();
    if (from == TrainFrom::Last) {
        live.firstStep = live.step = m->held->step;
        m->console.add(1, live.kind,
                       Words::tr("Training continues after epoch %1 (step %2).")
                           .arg(QLocale().toString(m->held->epoch), QLocale().toString(m->held->step)));
    } else {
        m->console.add(1, live.kind, mode == RunMode::Tile ? Words::tr("Training on tiles has begun.") : Words::tr("Training has begun."));
    }
    emit stateChanged();

    auto const machine = project::machineOf(*project);
    bool const emulated = machine.ok() && machine->isEmulated();
    QString const path = emulated ? document.freshReport() : QString();
    live.reportPath = path;
    QString const file = document.path();
    bool const savedAsIs = document.keepsRuns();
    quint64 const opening = document.opening();
    auto const folder = document.folder();
    bool const inFile = m->heldInFile;
    auto const inMemory = inFile ? nullptr : m->state; // of a project whose file holds none
    auto const title = project->title.empty() ? project->model.name : project->title;
    auto const started = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    if (!savedAsIs) {
        m->document.setRunningRun(runningRecord(*project, started, title, path));
        emit begun();
    }
    m->job = m->jobs.run(
        this, JobKind::Train, QStringLiteral("run"),
        [this, inbox = &m->inbox, gate = m->gate, project, path, revision, mode, folder, file, savedAsIs, opening, from, inFile, inMemory,
         title, started](JobContext const &given) -> JobRunner::Finish {
            DiagnosticSink warnings;
            JobContext job = given;
            job.warnings = &warnings;
            workspace::OpenProject open{file.toStdString(), false, *project};
            std::optional<workspace::RecordedRun> recorded;
            if (savedAsIs) {
                recorded.emplace(open, title, path.toStdString());
                inbox->post(this, [this] { emit begun(); });
            }
            auto outcome = guardedJob([&]() -> Result<runtime::TrainOutcome> {
                runtime::RunRequest request;
                TW_ASSIGN(request.compile, compileRequest(gate, &warnings));
                request.mode = mode == RunMode::Tile ? runtime::Mode::Tile : runtime::Mode::Fused;
                request.baseDir = folder;
                request.every = 1;
                if (!path.isEmpty()) request.report = path.toStdString();
                if (savedAsIs && !open.isTwin) {
                    // Somebody's read-only example trains all the same: the window holds the weights.
                    if (auto const tried = store::tryProject(open.path, 0); tried.ok()) request.keep.project = open.path;
                    else
                        warnings.add(makeWarning("checkpoint.project", open.path.string(), tried.error().message,
                                                 Message::of("Save the project elsewhere to keep the weights.")));
                }
                if (from == TrainFrom::Last) {
                    if (inFile) {
                        TW_ASSIGN(request.resume, runtime::lastCheckpoint(open.path));
                    } else if (inMemory) {
                        request.resume = *inMemory;
                    }
                    if (!request.resume)
                        return makeError(ErrorKind::Invalid, "checkpoint.none", open.path.string(),
                                         Message::of("the project holds no trained weights."), Message::of("Train it first."));
                    inbox->post(this, [this, step = request.resume->step] {
                        m->live.firstStep = step;
                        m->live.step = std::max(m->live.step, step);
                    });
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
                    inbox->post(this, [this, path, revision] { emit reportMade(path, revision); });
                };
                observer.heldSeconds = [gate] { return gate->heldSeconds(); };
                observer.standing = [gate](std::function<void()> tell) { gate->setBeforeStanding(std::move(tell)); };
                auto const tellRate = [this, inbox](std::optional<double> rate, std::int64_t step) {
                    inbox->post(this, [this, rate, step] {
                        if (!RunRate::of(*this).take(rate, step)) return;
                        m->console.add(1, m->live.kind,
                                       Words::tr("The learning rate is %1 after step %2.")
                                           .arg(QLocale().toString(*rate, 'g', 6), QLocale().toString(static_cast<qlonglong>(step))));
                    });
                };
                observer.between = [gate, tellRate](runtime::Session &session) {
                    if (auto const rate = gate->applyRate(session)) tellRate(rate, session.steps());
                };
                observer.ready = [&, this, gate, inbox](runtime::Session &session) {
                    gate->hook(session);
                    tellRate(gate->applyRate(session), session.steps());
                    bool const keeps = inFile ? !request.keep.project.empty() : !savedAsIs;
                    if (request.resume || project->training.epochs < 1 || !keeps || runtime::trainsOnSyntheticData(request)) return;
                    auto replaced = inMemory;
                    std::optional<runtime::HeldWeights> held;
                    if (inFile) held = runtime::lastHeldWeights(open.path);
                    else if (inMemory && !inMemory->tensors.empty()) held = runtime::heldWeightsOf(*inMemory);
                    if (!held) return;
                    if (inFile && held->bytes <= kMostReplaced)
                        if (auto last = runtime::lastCheckpoint(open.path); last.ok() && *last)
                            replaced = std::make_shared<runtime::TrainingState const>(std::move(**last));
                    inbox->post(this,
                                [this, replaced,
                                 told = runtime::replacesWeights(
                                     title, held->epoch, held->step,
                                     Message::of("To continue from the weights in the project, use Continue training instead of Run."))] {
                                    m->replaced = replaced;
                                    m->console.add(2, QStringLiteral("train"), diagnosticLine(told), QString::fromStdString(told.code));
                                    emit noticed(told);
                                });
                };
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
            std::vector<Diagnostic> unkept, unsaved;
            if (outcome.ok()) {
                if (auto const &problem = outcome->kept.problem) unkept.push_back(*problem);
                unsaved = unkept;
                if (outcome->unreported) unsaved.push_back(*outcome->unreported);
            }
            auto const facts = runtime::endFacts(outcome, *project);
            auto const end = workspace::endOf(outcome);
            if (recorded) recorded->finish(end, facts, job);
            store::RunRecord record{
                .startedUtc = started, .title = title, .kind = "train", .state = end, .report = path.toStdString(), .json = facts.dump()};
            auto shared = std::make_shared<Result<runtime::TrainOutcome>>(std::move(outcome));
            auto const notes = warnings.all();
            return [this, shared, notes, unkept, unsaved, path, revision, savedAsIs, opening, record] {
                // A project without a file keeps its runs until it has one; it may have got one meanwhile.
                drainLast();
                bool const sameProject = m->document.isOpen() && m->document.opening() == opening;
                if (!savedAsIs && sameProject) {
                    m->document.setRunningRun({});
                    m->document.addUnsavedRun(record);
                }
                m->live.warnings = notes;
                for (auto const &note : notes)
                    m->console.add(2, QStringLiteral("train"), diagnosticLine(note), QString::fromStdString(note.code),
                                   QString::fromStdString(note.subject));
                for (auto const &problem : unsaved) raise(problem);
                m->live.unkept = unkept;
                if (!unkept.empty()) m->detaching = false; // there is no checkpoint for it to go on from
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

} // namespace tilewright::views
