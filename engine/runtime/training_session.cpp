// The preparation and the end of a training; its steps are in training_steps.cpp.
#include "engine/runtime/training_session.h"

#include "engine/compiler/project_rules.h"
#include "engine/core/diagnostic_message.h"
#include "engine/core/files.h"
#include "engine/core/host_memory.h"
#include "engine/core/replica_seeds.h"
#include "engine/core/text.h"
#include "engine/core/thread_room.h"
#include "engine/emulator/history.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/train_memory.h"
#include "engine/runtime/train_parts.h"

#include <algorithm>

namespace tilewright::runtime {

namespace {

/// What the compiler did, on the record of the run.
void recordCompile(HostRecord &host, compiler::CompileOutcome const &compiled, std::int64_t begin)
{
    std::int64_t at = begin;
    for (auto const &phase : compiled.phases) {
        std::int64_t const end = at + static_cast<std::int64_t>(phase.seconds * 1e9);
        host.add(HostRecord::Calls, phase.name, at, end);
        at = end;
    }
    host.add(HostRecord::Main, "Compile", begin, host.now());
}

std::vector<std::string> weightNames(executable::Entry const &entry)
{
    std::vector<std::string> names;
    for (auto const id : entry.weights) names.push_back(entry.graph.variable(id).name);
    return names;
}

/// A run without a step, which keeps what the project has.
void tellNothingTrained(std::string const &title, RunRequest const &request, std::int64_t epochs, JobContext const &job)
{
    if (request.resume && request.resume->epoch >= epochs && epochs > 0)
        return job.warn(nothingLeftToTrain(title, request.resume->epoch, epochs));
    job.warn(makeWarning("train.no-steps", title, Message::of("there was no step to run: the weights in the project do not change."),
                         Message::of("Raise training.epochs, or give --epochs.")));
}

} // namespace

TrainingSession::TrainingSession(project::Project const &project, RunRequest const &request, RunObserver const &observer,
                                 JobContext const &outer)
    : m_project(project), m_request(request), m_observer(observer), m_outer(outer),
      m_epochs(request.epochs.value_or(project.training.epochs)), m_tap(outer), m_job(m_tap.job()), m_keeper(request.keep)
{
    auto const machineAsked = target::parseMachine(project.target);
    m_emulated = machineAsked.ok() && machineAsked->isEmulated();
}

TrainingSession::~TrainingSession() = default;

Result<std::unique_ptr<TrainingSession>> TrainingSession::prepare(project::Project const &project, RunRequest const &request,
                                                                  RunObserver const &observer, JobContext const &job)
{
    std::unique_ptr<TrainingSession> training(new TrainingSession(project, request, observer, job));
    TW_ASSIGN(int const shared, checkWorkers(project, request));
    if (shared > 0) training->m_seam.emplace(*request.link, shared, job.stop);
    auto const prepared = training->prepareAlone();
    TW_TRY(training->m_seam ? training->meetWorkers(prepared) : prepared);
    return training;
}

/// All that a worker does without the others.
Status TrainingSession::prepareAlone()
{
    TW_TRY(checkPlaces());
    TW_TRY(readData());
    TW_TRY(compile());
    return m_exe ? prepareRun() : Status();
}

/// A report contains the requested number of epochs; the plan's own checks do not allow a run of none.
project::Project TrainingSession::asRun() const
{
    auto ran = m_project;
    ran.training.epochs = m_epochs;
    return ran;
}

void TrainingSession::log(config::LogComponent component, config::LogLevel level, Message const &text)
{
    m_host.log(component, level, text);
    if (m_request.compile.log) m_request.compile.log(component, level, text);
}

void TrainingSession::logWarnings()
{
    std::vector<compiler::LogLine> lines;
    m_tap.drain(lines, m_host.now());
    for (auto &line : lines) m_host.log(line.component, line.level, std::move(line.text), std::move(line.code));
}

Status TrainingSession::tryHost()
{
    Bytes const least = leastStateBytes(m_project);
    TW_TRY(requireHostMemory(multiplyBytes(least, 2), m_project.model.name, Message::of("training"),
                             Message::of("Make the model smaller, or use a machine with more memory.")));
    return m_keeper.tryPlaces({least, 0}, m_outer);
}

/// Hours of work are not begun for a place that cannot be written, nor for weights that no memory holds (the model's and those to be saved;
/// what else is needed, the compiled program tells).
Status TrainingSession::checkPlaces()
{
    if (trainsOnSyntheticData(m_request) && !m_request.keep.project.empty()) {
        m_keeper.leaveProject();
        m_outer.warn(
            makeWarning("checkpoint.synthetic", m_request.keep.project.string(),
                        Message::of("the weights of this run are not kept in the project because they come from synthetic data. The "
                                    "weights in the project do not change."),
                        Message::of("Train without --use_synthetic_data, or give --checkpoint FILE.npz to keep these weights anyway.")));
    }
    // Whether weights are too large is first a matter of the IPU, where there is one: the compiler tells.
    TW_TRY(m_emulated ? m_keeper.tryPlaces({}, m_outer) : tryHost());
    if (!m_request.report) return {};
    TW_TRY(tryWriting(*m_request.report, 0));
    if (isSameFile(*m_request.report, m_request.keep.file))
        return makeError(ErrorKind::Usage, "checkpoint.place", m_request.keep.file.string(),
                         Message::of("the weights and the report have the same name."), Message::of("Name two files."));
    return {};
}

/// Their files are checked before anything is computed.
Status TrainingSession::beginCallbacks()
{
    if (m_project.training.callbacks.empty()) return {};
    std::vector<std::string> logged;
    for (auto const &spec : entry()->outfeed) {
        logged.push_back(spec.name);
        if (!m_dataset.validationX.empty()) logged.push_back("val_" + spec.name);
    }
    CallbackActions actions;
    actions.folder = m_request.baseDir;
    actions.firstEpoch = m_request.resume ? m_request.resume->epoch : m_project.training.initialEpoch;
    actions.epochs = m_epochs;
    if (!m_dataset.validationX.empty())
        for (std::int64_t epoch = actions.firstEpoch + 1; epoch <= m_epochs && actions.unvalidatedEpoch == 0; ++epoch)
            if (!m_project.training.validatesEpoch(epoch)) actions.unvalidatedEpoch = epoch;
    actions.weights = [this] {
        auto state = m_session->state();
        auto const names = weightNames(*entry());
        std::erase_if(state.tensors, [&](StateTensor const &tensor) { return std::ranges::find(names, tensor.name) == names.end(); });
        return state;
    };
    actions.state = [this] { return stateOfVariables(); };
    actions.addRun = [this](TrainingState &state) { state = withRun(std::move(state)); };
    actions.loadWeights = [this](TrainingState const &state) -> Status {
        if (!m_seam) return m_session->loadState(state);
        auto first = state; // each worker has kept those of its own first replica
        TW_TRY(m_seam->broadcast(first));
        return m_session->loadState(first);
    };
    actions.rate = [this] { return m_session->learningRate(); };
    actions.setRate = [this](double rate, std::string const &by) { return m_session->setLearningRate(rate, by); };
    actions.tell = [this](std::string const &callback, std::string text, bool print) {
        log(config::LogComponent::Runtime, config::LogLevel::Info, callback + ": " + text);
        if (print && m_observer.message) m_observer.message(callback, text);
    };
    auto callbacks = m_project.training.callbacks;
    // One worker writes the files; all others decide alike, from the same figures.
    if (!isFirstWorker())
        std::erase_if(callbacks, [](model::Callback const &callback) {
            auto const *spec = model::findCallbackSpec(callback.className);
            return spec && !spec->file.empty();
        });
    return m_callbacks.begin(callbacks, logged, actionsOnRunThread(std::move(actions)));
}

/// With asynchronous callbacks, what they do with the training waits for the end of an execution: only then are its variables readable.
CallbackActions TrainingSession::actionsOnRunThread(CallbackActions actions)
{
    if (!m_project.training.asynchronousCallbacks) return actions;
    auto const moved = [this]<typename R, typename... A>(std::function<R(A...)> action) -> std::function<R(A...)> {
        return [this, action = std::move(action)](A... arguments) -> R {
            if (!m_beside) return action(std::forward<A>(arguments)...);
            if constexpr (std::is_void_v<R>) {
                m_beside->here([&] { action(std::forward<A>(arguments)...); });
            } else {
                std::optional<R> result;
                m_beside->here([&] { result.emplace(action(std::forward<A>(arguments)...)); });
                return *std::move(result);
            }
        };
    };
    actions.weights = moved(std::move(actions.weights));
    actions.state = moved(std::move(actions.state));
    actions.addRun = moved(std::move(actions.addRun));
    actions.loadWeights = moved(std::move(actions.loadWeights));
    actions.rate = moved(std::move(actions.rate));
    actions.setRate = moved(std::move(actions.setRate));
    actions.tell = moved(std::move(actions.tell));
    return actions;
}

/// On the cpu target the samples that do not fill a batch are one of their own, unless the epoch ends before them.
bool TrainingSession::hasTail() const
{
    std::int64_t const wanted = m_project.training.stepsPerEpoch, samples = m_dataset.x.count();
    return !m_exe->emulated && samples % entry()->batchSize != 0 && (wanted == 0 || wanted > samples / entry()->batchSize);
}

/// No compile comes before a check that needs none.
Status TrainingSession::readData()
{
    m_reader.emplace(
        m_project, m_request, [this](data::Dataset const &data) { return wantedRecords(m_project, m_request, data); }, threadsOf(m_request),
        m_host, m_job);
    TW_TRY(compiler::judge(m_project, {compiler::RunKind::Train, {}, m_request.compile.environment}).status());
    if (m_emulated && !device::holdsDevice(connectionOf(m_project, m_request.compile.environment)))
        return {}; // what never runs needs no data
    TW_ASSIGN(m_dataset, m_reader->open());
    TW_ASSIGN(m_epochSteps, checkData(m_project, m_dataset, m_request.compile.environment, m_job));
    return {};
}

/// Leaves m_exe empty if the training ends here.
Status TrainingSession::compile()
{
    auto compileRequest = m_request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    compileRequest.forReport = m_request.report.has_value() || m_request.compile.forReport;
    TW_TRY(requestEntries(m_project, m_request, compileRequest, m_outer));
    std::int64_t const compileBegin = m_host.now();
    TW_ASSIGN(m_outcome.compiled, compiler::compile(m_project, compileRequest, m_outer));
    auto const &compiled = m_outcome.compiled;
    recordCompile(m_host, compiled, compileBegin);
    if (compiled.stopped) return {};
    m_keeper.setWeights(weightNames(*compiled.entry()));
    if (m_observer.compiled) m_observer.compiled(compiled);
    if (!compiled.outOfMemory) {
        m_exe = compiled.executable;
        return {};
    }
    if (m_request.report) {
        ThreadPool pool(threadsOf(m_request));
        TW_TRY(writeCompileReport(*m_request.report, asRun(), compiled, {&pool, &m_outer}));
    }
    m_outcome.stopped = compiled.outOfMemory;
    return {};
}

/// A training that ends before its first step still leaves a report: of the compile, and of a run without steps.
Status TrainingSession::endEarly(Diagnostic const &why)
{
    m_evaluator.reset();
    m_tail.reset();
    m_session.reset();
    if (!m_request.report || !m_exe->emulated || (why.kind != ErrorKind::Cancelled && why.kind != ErrorKind::DoesNotFit)) return why;
    m_outcome.stopped = why;
    RunReport early;
    auto written = early.begin(*m_request.report, asRun(), m_outcome.compiled, m_dataset, m_epochSteps, m_request.mode, m_host);
    if (written.ok()) written = early.finish(m_outcome);
    if (written.ok()) return {};
    auto warning = written.error();
    warning.severity = Severity::Warning;
    m_job.warn(std::move(warning));
    return why;
}

Status TrainingSession::attach()
{
    if (!m_exe->emulated || !isFirstWorker()) return {}; // worker 0 holds the device for all
    TW_ASSIGN(m_attachment, attachDevice(m_project, m_request, m_outcome.compiled.machine, m_job));
    if (m_observer.attached) m_observer.attached(m_attachment->describe());
    log(config::LogComponent::Device, config::LogLevel::Info, m_attachment->describe());
    return m_attachment->requireExecution();
}

/// All that may refuse the run comes before what takes time, memory or a device.
Status TrainingSession::checkRun()
{
    TW_TRY(beginCallbacks());
    if (m_emulated) TW_TRY(tryHost());
    TW_TRY(m_keeper.tryPlaces(checkpointSize(entry(), m_project.training), m_outer)); // with the optimizer's state, which the program tells
    log(config::LogComponent::Data, config::LogLevel::Info, Message::of("%1 %2 samples", m_dataset.describe, m_dataset.x.count()));
    TW_TRY(requireMemoryFor(m_request, m_outcome.compiled,
                            addBytes(bytesBesideExecutor(entry()), hasTail() ? fusedExecutorBytes(entry()) : 0), Message::of("training")));
    if (m_job.cancelled()) return cancelledError("training");
    return attach();
}

Status TrainingSession::load()
{
    TW_ASSIGN(m_session,
              Session::load(m_outcome.compiled, m_request, deviceSeedOf(m_project.training), *m_pool, m_seam ? &*m_seam : nullptr));
    TW_ASSIGN(auto state, initialState(m_project, entry()));
    TW_ASSIGN(auto const synthetic, config::syntheticData(m_request.compile.environment.flags));
    applySyntheticParameters(synthetic, entry(), state);
    TW_TRY(m_session->loadState(state));
    if (!m_request.resume) { TW_ASSIGN(m_backup, backupOf(m_project.training.callbacks, m_request.baseDir, m_job)); }
    if (auto const *from = resumed()) {
        TW_TRY(m_session->loadState(*from));
        m_firstEpoch = from->epoch;
        m_step = from->step;
        m_session->resumeAt(m_step);
        if (m_backup)
            log(config::LogComponent::Runtime, config::LogLevel::Info,
                Message::of("continues a training that was interrupted, after step %1", m_step));
    }
    m_validates = !m_dataset.validationX.empty();
    if (m_validates) {
        Evaluator::Samples const samples{m_dataset.validationX, m_dataset.validationY, m_dataset.scale};
        auto const own = m_exe->find("validate");
        if (auto const shared = own ? own : m_exe->find("evaluate")) {
            TW_ASSIGN(m_evaluator, Evaluator::share(m_project, samples, *m_session, shared->number()));
        } else if (isFirstWorker()) {
            TW_ASSIGN(m_evaluator, Evaluator::make(m_project, m_request, samples, *m_pool, m_job));
        }
    }
    if (hasTail()) { TW_ASSIGN(m_tail, TailBatch::make(m_project, m_request, m_dataset, *m_pool, m_job)); }
    m_roomToSave.reset(new std::byte[static_cast<std::size_t>(savingBytes(entry()))]); // not touched: an address, no memory yet
    return {};
}

Status TrainingSession::prepareRun()
{
    if (m_exe->emulated && !device::holdsDevice(connectionOf(m_project, m_request.compile.environment))) {
        TW_TRY(attach());
        m_job.warn(makeWarning("device.pre-compile", "ipu_config.device_connection.type",
                               Message::of("the program was compiled into the cache; nothing runs with PRE_COMPILE.")));
        return {};
    }
    if (auto const checked = checkRun(); !checked.ok()) return endEarly(checked.error());
    m_pool.emplace(threadsOf(m_request), threadsBeside(addBytes(bytesToRun(m_request, entry()), bytesBesideExecutor(entry()))));
    warnOfMissingThreads(*m_pool, m_job);
    if (auto const loaded = inHostMemory(Message::of("training"), [this] { return load(); }); !loaded.ok()) return endEarly(loaded.error());
    if (m_job.cancelled()) return endEarly(cancelledError("training"));
    return begin();
}

/// Opens the report and connects the streams.
Status TrainingSession::begin()
{
    m_allSteps = m_epochSteps + (m_tail ? 1 : 0);
    logWarnings();
    if (m_request.report) {
        TW_TRY(m_report.begin(*m_request.report, asRun(), m_outcome.compiled, m_dataset, m_allSteps, m_request.mode, m_host));
        if (m_observer.reportBegun) m_observer.reportBegun(*m_request.report);
    }
    if (m_observer.stepsPerEpoch) m_observer.stepsPerEpoch(m_allSteps);
    m_session->feed({m_dataset.x, m_dataset.y, m_dataset.scale,
                     m_project.config.boolean("optimizations.prefetch_data_streams")
                         ? static_cast<std::size_t>(m_project.training.elementsAhead())
                         : std::size_t{0},
                     m_project.training.classWeights},
                    m_request.report ? &m_host : nullptr);
    m_session->onOutput = [this](int, int index, std::span<std::byte const> bytes) { return takeOutput(index, bytes); };
    m_session->onStep = [this] { endStep(); };
    m_session->onRate = [this](double before, double now, std::string const &by) {
        m_outcome.rates.push_back({m_step, before, now, by});
        log(config::LogComponent::Runtime, config::LogLevel::Info,
            Message::of("learning rate %1 to %2 after step %3 (%4)", Argument::figure(numberText(before)),
                        Argument::figure(numberText(now)), m_step, by));
    };
    m_session->onValue = [this](std::string const &name, double before, double now, std::string const &by) {
        tellValue({m_step, before, now, by, name});
    };
    m_session->onSeed = [this](std::uint64_t before, std::uint64_t now, std::string const &by) {
        m_seedReset = SeedReset{now, m_step};
        if (m_evaluator) m_evaluator->setSeed(now);
        tellValue({m_step, static_cast<double>(runSeed(before)), static_cast<double>(runSeed(now)), by, "device_seed"});
    };
    m_epochMeans.emplace(entry()->outfeed);
    m_stepMeans.emplace(entry()->outfeed);
    m_stepSamples = static_cast<double>(entry()->batchSize);
    if (!resumed() && m_project.training.initialEpoch > 0) { // as if a run had ended there
        m_firstEpoch = m_project.training.initialEpoch;
        m_step = m_firstEpoch * m_allSteps;
        m_session->resumeAt(m_step);
    }
    if ((m_project.training.asynchronousCallbacks && m_callbacks.wantBatches()) || m_observer.stepBeside) m_beside.emplace();
    m_first = m_step;
    m_nextEpoch = m_firstEpoch;
    m_firstInEpoch = m_step - m_firstEpoch * m_allSteps;
    m_planned = m_session->written();
    TW_TRY(resumeRun());
    m_told = Clock::now();
    if (m_observer.standing)
        m_observer.standing([this] {
            tellCounters();
            if (m_attachment) m_attachment->stand();
        });
    if (m_observer.ready) m_observer.ready(*m_session);
    TW_TRY(watchForStop());
    watchLossScale();
    boundSteps();
    m_start = m_stood = Clock::now();
    m_heldAtStart = heldSeconds();
    return {};
}

/// Examines each step of the tiles. A hook that the caller has set still runs, before it.
Status TrainingSession::watchForStop()
{
    if (!m_request.stopAt) return {};
    auto *machine = tileMachineOf(m_session->executor());
    if (!machine)
        return makeError(ErrorKind::Usage, "train.stop-at", "--stop-at", Message::of("only a run in tile mode can stop within a step."),
                         Message::of("Add --mode tile."));
    auto const &program = m_exe->program;
    if (m_request.stopAt->tile && *m_request.stopAt->tile >= program.tiles())
        return makeError(
            ErrorKind::Usage, "train.stop-at", "--stop-at",
            Message::of("there is no tile %1: a replica has the tiles 0 to %2.", *m_request.stopAt->tile, program.tiles() - 1));
    machine->keepHistory(variableRanges(*m_exe), kHistoryBytes);
    auto const watch = std::make_shared<StopWatch const>(*machine, program, *m_request.stopAt);
    m_stepsBeforeUpdate = m_step;
    machine->onStep = [this, watch, machine, other = machine->onStep, began = std::int64_t(0),
                       before = m_step](program::StepId step) mutable {
        if (other) other(step);
        auto const &history = *machine->history();
        if (history.isBehind()) return;
        if (auto const start = history.stepStarts().back(); std::exchange(began, start) != start) m_stepsBeforeUpdate = before;
        before = m_step;
        if (auto const place = watch->after(step)) stopHere(*place);
    };
    return {};
}

/// Keeps the weights as they were before the update under way, and ends the execution.
void TrainingSession::stopHere(StopPlace place)
{
    auto &machine = *tileMachineOf(m_session->executor());
    place.update = m_stepsBeforeUpdate / entry()->microBatchesPerUpdate + 1;
    m_outcome.stopPlace = place;
    log(config::LogComponent::Runtime, config::LogLevel::Info, stopText(place, m_exe->program));
    auto &history = *machine.history();
    if (auto const moved = history.seek(std::max(history.earliest(), history.stepStarts().back())); moved.ok())
        m_stateAtStop = m_session->state();
    machine.interrupt(cancelledError("training"));
}

void TrainingSession::boundSteps()
{
    if (m_request.stopAt && m_request.stopAt->step)
        m_mostSteps = wholeUpdates(std::max<std::int64_t>(0, *m_request.stopAt->step - m_step), entry()->microBatchesPerUpdate);
    if (!m_request.steps) return;
    auto const asked = wholeUpdates(*m_request.steps, entry()->microBatchesPerUpdate);
    m_mostSteps = std::min(m_mostSteps.value_or(asked), asked);
    if (asked == *m_request.steps || *m_mostSteps < asked) return;
    auto note = makeWarning("train.steps", "--steps",
                            Message::of("the run makes %1 steps instead of %2, because a weight update takes %3 steps.", *m_mostSteps,
                                        *m_request.steps, entry()->microBatchesPerUpdate));
    note.severity = Severity::Note;
    m_job.warn(std::move(note));
}

Session &TrainingSession::session()
{
    TW_CHECK(m_session, "a training that ended before its first step");
    return *m_session;
}

/// Finished weights are worth a second try: what saves and reads meanwhile gives memory back.
TrainingState TrainingSession::stateOfVariables()
{
    auto const state = [this] {
        try {
            return m_session->state();
        } catch (std::bad_alloc const &) {
            m_keeper.settle();
            return m_session->state();
        }
    };
    auto now = m_stateAtStop ? *m_stateAtStop : state();
    auto const updateSteps = entry()->microBatchesPerUpdate;
    auto const done = m_stateAtStop ? m_stepsBeforeUpdate : m_step;
    now.step = done / updateSteps * updateSteps; // an update that did not finish begins anew
    now.epoch = m_allSteps > 0 ? done / m_allSteps : 0;
    return now;
}

/// --log_cycle_count: all tiles of an IPU end an execution at the same cycle.
void TrainingSession::logCycleCount()
{
    auto const tile = m_request.compile.environment.flags.integer("log_cycle_count");
    if (tile < 0 || !m_exe->emulated) return;
    if (tile >= m_exe->program.tiles())
        return m_job.warn(
            makeWarning("config.idle-flag", config::placeOf(config::OptionCategory::Flag, "log_cycle_count"),
                        Message::of("there is no tile %1: a replica has the tiles 0 to %2.", tile, m_exe->program.tiles() - 1)));
    log(config::LogComponent::Runtime, config::LogLevel::Info,
        Message::of("cycle count of tile %1: %2 per execution", tile, entry()->patternCycles * entry()->patternRepeats));
}

/// Saves before anything else: a report that says complete is one of weights that are safe.
void TrainingSession::save()
{
    auto &outcome = m_outcome;
    auto const saveStart = Clock::now();
    m_keeper.settle();
    m_reader->stop();
    outcome.steps = (m_stateAtStop ? m_stepsBeforeUpdate : m_step) - m_first;
    outcome.device = m_session->deviceTime(outcome.steps);
    // The update in which a worker was lost may be done in part: the last checkpoint stays.
    if (isCutOff()) return;
    outcome.state = stateNow();
    logCycleCount();
    // A run without a step has nothing to put in the place of what was trained before.
    if (outcome.steps == 0) m_keeper.leaveProject();
    if (outcome.steps > 0 || !outcome.stopped) outcome.kept = m_keeper.finish(outcome.state, m_job);
    if (outcome.kept.notFinite) {
        // A loss is computed in front of the update that spoils the weights.
        if (!outcome.stopped && !m_callbacks.endedAtNotFinite())
            outcome.stopped = makeError(ErrorKind::Numeric, "train.not-finite", "step " + std::to_string(m_step),
                                        Message::of("its update made weights that are infinite or not a number."), {});
        if (outcome.stopped && outcome.stopped->kind == ErrorKind::Numeric) outcome.stopped->remedy = remedyOfNumbers();
    }
    outcome.savingSeconds = secondsSince(saveStart);
    outcome.weightsHash = weightsHash(entry(), outcome.state);
}

void TrainingSession::tellEnd()
{
    auto &outcome = m_outcome;
    if (auto const &at = m_request.stopAt; at && at->step && !outcome.stopPlace && m_step >= *at->step) {
        auto const &position = tileMachineOf(m_session->executor())->position();
        outcome.stopPlace = StopPlace{StopPlace::Cause::Step, position.supersteps, m_step / entry()->microBatchesPerUpdate, position.last};
    }
    if (outcome.loopEnded) {
        outcome.endLoss = m_loss;
        log(config::LogComponent::Runtime, config::LogLevel::Info,
            Message::of("the loop of training.loop ended after step %1: its loss was %2", m_step, Argument::figure(figureText(m_loss, 6))));
    }
    if (m_dataset.x.maker)
        log(config::LogComponent::Data, config::LogLevel::Debug, Message::of("generated %1 samples", m_dataset.x.maker->made()));
    if (outcome.steps == 0 && !outcome.stopped)
        tellNothingTrained(m_project.title.empty() ? m_exe->name : m_project.title, m_request, m_epochs, m_job);
    if (outcome.kept.problem) m_host.log(config::LogComponent::Runtime, config::LogLevel::Err, toMessage(*outcome.kept.problem));
    logWarnings();
}

TrainOutcome TrainingSession::finish()
{
    if (!m_session) {
        m_attachment.reset();
        return std::move(m_outcome);
    }
    m_between += secondsSince(m_stood);
    bool const whole = m_outcome.loopEnded || !m_callbacks.endedBy().empty() || m_nextEpoch >= m_epochs;
    m_callbacks.endTraining(whole && !m_outcome.stopped);
    m_outcome.endedBy = m_callbacks.endedBy();
    if (m_epoch) { // cut within it
        auto const ended = inHostMemory(Message::of("training"), [this]() -> Status {
            if (m_session->isWithinExecution()) TW_TRY(runSteps({}, 0)); // variables are whole between executions only
            endEpoch();
            return {};
        });
        if (!ended.ok()) m_outcome.stopped = ended.error();
    }
    logReductions();
    m_outcome.hostSeconds = std::max(0.0, secondsSince(m_start) - (heldSeconds() - m_heldAtStart));
    m_beside.reset();
    m_evaluator.reset(); // their memory serves to save what was done
    m_tail.reset();
    m_roomToSave.reset();
    if (m_observer.saving) m_observer.saving();
    save();
    tellEnd();
    if (auto const finished = m_report.finish(m_outcome, m_session->executor().measured()); !finished.ok())
        m_outcome.unreported = finished.error();
    m_session.reset();
    m_attachment.reset(); // the device is free again
    return std::move(m_outcome);
}

} // namespace tilewright::runtime
