#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/data_reader.h"
#include "engine/runtime/evaluator.h"
#include "engine/runtime/run_report.h"
#include "engine/runtime/session_parts.h"
#include "engine/runtime/train_memory.h"
#include "engine/runtime/weight_keeper.h"

#include "engine/compiler/project_rules.h"
#include "engine/compiler/warning_tap.h"
#include "engine/core/files.h"
#include "engine/core/host_memory.h"
#include "engine/core/text.h"
#include "engine/core/thread_room.h"
#include "engine/model/resolve.h"
#include "engine/project/reproducer.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>

namespace tilewright::runtime {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTellSeconds = 0.5; ///< steps that take long are told of sooner than by their number

/// What to do when training leaves the range of finite numbers.
Message tooFar() { return Message::of("Lower training.optimizer.learning_rate, scale the data, or clip gradients."); }

/// The last, smaller batch of an epoch on the `cpu` target: a program of its own that takes over the state.
struct TailBatch {
    compiler::CompileOutcome compiled;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<Infeed> infeed;
    std::vector<std::uint32_t> order;
    std::int64_t samples = 0;
    config::SyntheticData synthetic;

    static Result<TailBatch> make(project::Project const &project, RunRequest const &request, data::Dataset const &dataset,
                                  ThreadPool &pool, JobContext const &job)
    {
        TailBatch tail;
        TW_ASSIGN(tail.synthetic, config::syntheticData(request.compile.environment.flags));
        tail.samples = dataset.x.count() % project.training.batchSize;
        auto single = project;
        single.training.stepsPerExecution = single.training.gradientAccumulationSteps = 1;
        // Whether this batch ends the loop is judged when it is done: its program knows nothing of the others.
        std::erase_if(single.training.loop, [](model::LoopBlock const &block) { return block.kind == model::LoopBlock::Kind::While; });
        auto compileRequest = request.compile;
        compileRequest.kind = compiler::RunKind::Train;
        compileRequest.batch = tail.samples;
        compileRequest.useCache = compileRequest.forReport = false;
        compileRequest.validationSamples = 0;
        TW_ASSIGN(tail.compiled, compiler::compile(single, compileRequest, job));
        auto const &exe = *tail.compiled.executable;
        TW_ASSIGN(tail.executor, makeFusedExecutor(exe, static_cast<std::uint64_t>(project.training.seed), pool));
        tail.infeed = std::make_unique<Infeed>(dataset.x, dataset.y, static_cast<float>(dataset.scale), exe.infeed, tail.samples, 1, 0,
                                               nullptr, project.training.classWeights);
        return tail;
    }

    Status run(Executor &main, executable::Executable const &mainExe, std::vector<std::uint32_t> const &epochOrder,
               StreamHandlers const &streams)
    {
        auto const &exe = *compiled.executable;
        TW_TRY(loadState(*executor, exe, saveState(main, mainExe)));
        order.assign(epochOrder.end() - samples, epochOrder.end());
        infeed->begin(order, 0, 1);
        auto handlers = streams;
        handlers.toDevice = [this](int r, int index, std::byte *to, std::size_t bytes) { return infeed->next(r, index, to, bytes); };
        TW_TRY(executor->run(withSynthetic(std::move(handlers), synthetic, exe), {}));
        return loadState(main, mainExe, saveState(*executor, exe));
    }
};

/// The training loop's state while it runs.
struct Loop {
    compiler::CompileOutcome const &compiled;
    executable::Executable const &exe;
    MetricMeans epochMeans, stepMeans;
    std::optional<Diagnostic> numeric;
    float loss = 0;         ///< of the last micro-batch, the mean over replicas
    std::int64_t step = 0;  ///< micro-batches finished
    double stepSamples = 1; ///< of the present micro-batch

    explicit Loop(compiler::CompileOutcome const &c) : compiled(c), exe(*c.executable), epochMeans(exe.outfeed), stepMeans(exe.outfeed) {}

    Diagnostic notFinite(float value) const
    {
        return lossNotFinite(exe, value, "step " + std::to_string(step + 1),
                             tooFar() + " " + Message::of("The weights of the last finished step are kept."));
    }
};

/// The bound at which the loop of a plan ends.
std::optional<float> lossThatEnds(model::TrainingPlan const &plan)
{
    for (auto const &block : plan.loop)
        if (block.kind == model::LoopBlock::Kind::While) return static_cast<float>(block.lossAbove);
    return {};
}

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

/// The most steps, not above those asked for, that are whole weight updates; one update at least.
std::int64_t wholeUpdates(std::int64_t asked, std::int64_t updateSteps)
{
    updateSteps = std::max<std::int64_t>(1, updateSteps);
    return std::max(updateSteps, asked / updateSteps * updateSteps);
}

/// What a training will read of generated data, first to last: the records of its first epoch or steps, in their
/// order, then those it is validated with.
std::vector<DataReader::Wanted> wantedRecords(project::Project const &project, RunRequest const &request, data::Dataset const &dataset)
{
    if (!dataset.x.maker || request.epochs.value_or(project.training.epochs) < 1) return {};
    auto const machine = compiler::effectiveMachine(project, request.compile.environment);
    auto const model = model::resolve(project.model);
    if (!machine.ok() || !model.ok()) return {}; // the compiler tells
    auto const distribution = compiler::distribute(project, *model, *machine);
    if (!distribution.ok()) return {};
    auto const &plan = project.training;
    auto const count = dataset.x.count();
    std::int64_t const perStep = plan.batchSize * distribution->replicas;
    std::int64_t const epochSteps = machine->isEmulated() ? count / perStep : ceilDiv(count, perStep);
    std::int64_t const epoch = request.resume ? request.resume->epoch : 0;
    std::int64_t const begun = request.resume ? std::clamp<std::int64_t>(request.resume->step - epoch * epochSteps, 0, epochSteps) : 0;
    std::int64_t steps = epochSteps - begun;
    bool const whole = !request.steps || *request.steps >= steps;
    if (!whole) steps = wholeUpdates(*request.steps, plan.gradientAccumulationSteps);
    auto order = data::epochOrder(count, static_cast<std::uint64_t>(plan.seed), epoch, plan.shuffle && project.data.shuffle);
    order.resize(static_cast<std::size_t>(std::min(count, (begun + steps) * perStep)));
    order.erase(order.begin(),
                order.begin()
                    + static_cast<std::ptrdiff_t>(std::min<std::int64_t>(begun * perStep, static_cast<std::int64_t>(order.size()))));
    std::vector<DataReader::Wanted> wanted{{dataset.x, std::move(order)}};
    if (whole && !dataset.validationX.empty()) {
        std::vector<std::uint32_t> all(static_cast<std::size_t>(dataset.validationX.count()));
        std::iota(all.begin(), all.end(), 0u);
        wanted.push_back({dataset.validationX, std::move(all)});
    }
    return wanted;
}

std::vector<std::string> weightNames(executable::Executable const &exe)
{
    std::vector<std::string> names;
    for (auto const id : exe.weights) names.push_back(exe.graph.variable(id).name);
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

/// So many digits behind the point, at most.
std::string digits(double value, int after)
{
    double const scale = std::pow(10.0, after);
    return std::abs(value) < 1e9 ? numberText(std::round(value * scale) / scale) : numberText(value);
}

std::string epochLine(EpochResult const &result)
{
    auto const seconds = [&](double value) { return digits(value, 3) + " s"; };
    std::string line = "epoch " + std::to_string(result.epoch) + ": " + groupedDigits(result.steps) + " steps in "
        + seconds(result.hostSeconds) + " here, " + seconds(result.device.seconds)
        + (result.device.measured ? " on the tiles; loss " : " modelled; loss ") + digits(result.loss, 6);
    for (auto const &[name, value] : result.metrics) line += ", " + name + " " + digits(value, 6);
    return line;
}

} // namespace

bool trainsOnSyntheticData(RunRequest const &request)
{
    auto const synthetic = config::syntheticData(request.compile.environment.flags);
    return synthetic.ok() && (synthetic->infeed || synthetic->parameters);
}

namespace {

Result<TrainOutcome> runTraining(project::Project const &original, RunRequest const &request, RunObserver const &observer,
                                 JobContext const &outer)
{
    project::Project project = original;
    TrainOutcome outcome;
    HostRecord host;
    compiler::WarningTap tap(outer);
    JobContext const &job = tap.job();
    auto const log = [&](config::LogComponent component, config::LogLevel level, std::string const &text) {
        host.log(component, level, text);
        if (request.compile.log) request.compile.log(component, level, text);
    };
    auto const logWarnings = [&] {
        std::vector<compiler::LogLine> lines;
        tap.drain(lines, host.now());
        for (auto &line : lines) host.log(line.component, line.level, std::move(line.text), std::move(line.code));
    };
    auto const epochs = request.epochs.value_or(project.training.epochs);
    // A report says how many were asked for; the plan's own checks do not know a run of none.
    auto const asRun = [&] {
        auto ran = project;
        ran.training.epochs = epochs;
        return ran;
    };
    auto const seed = static_cast<std::uint64_t>(project.training.seed);
    // Hours of work are not begun for a place that cannot be written, nor for weights that no memory holds (the model's
    // and those to be saved; what else is needed, the compiled program tells).
    Bytes const least = leastStateBytes(project);
    WeightKeeper keeper(request.keep);
    TW_ASSIGN(auto const synthetic, config::syntheticData(request.compile.environment.flags));
    if (trainsOnSyntheticData(request) && !request.keep.project.empty()) {
        keeper.leaveProject();
        outer.warn(
            makeWarning("checkpoint.synthetic", request.keep.project.string(),
                        Message::of("the weights of this run are not kept in the project because they come from synthetic data. The "
                                    "weights in the project do not change."),
                        Message::of("Train without --use_synthetic_data, or give --checkpoint FILE.npz to keep these weights anyway.")));
    }
    auto const tryHost = [&]() -> Status {
        TW_TRY(requireHostMemory(multiplyBytes(least, 2), project.model.name, Message::of("training"),
                                 Message::of("Make the model smaller, or use a machine with more memory.")));
        return keeper.tryPlaces({least, 0}, outer);
    };
    // Whether weights are too large is first a matter of the IPU, where there is one: the compiler tells.
    auto const machineAsked = target::parseMachine(project.target);
    bool const emulated = machineAsked.ok() && machineAsked->isEmulated();
    TW_TRY(emulated ? keeper.tryPlaces({}, outer) : tryHost());
    if (request.report) {
        TW_TRY(tryWriting(*request.report, 0));
        if (isSameFile(*request.report, request.keep.file))
            return makeError(ErrorKind::Usage, "checkpoint.place", request.keep.file.string(),
                             Message::of("the weights and the report have the same name."), Message::of("Name two files."));
    }

    DataReader reader(
        project, request.baseDir, [&](data::Dataset const &data) { return wantedRecords(project, request, data); }, threadsOf(request),
        host, job);

    // No compile comes before a check that needs none.
    data::Dataset dataset;
    std::int64_t epochSteps = 0;
    TW_TRY(compiler::judge(project, {compiler::RunKind::Train, {}, request.compile.environment}).status());
    if (!emulated || device::holdsDevice(connectionOf(project))) { // what never runs needs no data
        TW_ASSIGN(dataset, reader.open());
        TW_ASSIGN(epochSteps, checkData(project, dataset, request.compile.environment, job));
    }

    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    compileRequest.forReport = request.report.has_value();
    TW_TRY(countValidation(project, request.baseDir, compileRequest, outer));
    std::int64_t const compileBegin = host.now();
    auto compiled = compiler::compile(project, compileRequest, outer);
    if (!compiled.ok()) return compiled.error();
    outcome.compiled = std::move(compiled).value();
    recordCompile(host, outcome.compiled, compileBegin);
    if (outcome.compiled.stopped) return outcome;
    auto const &exe = *outcome.compiled.executable;
    keeper.setWeights(weightNames(exe));
    if (observer.compiled) observer.compiled(outcome.compiled);
    if (outcome.compiled.outOfMemory) {
        if (request.report) {
            ThreadPool pool(threadsOf(request));
            TW_TRY(writeCompileReport(*request.report, asRun(), outcome.compiled, {&pool, &outer}));
        }
        outcome.stopped = outcome.compiled.outOfMemory;
        return outcome;
    }
    // What ends before the first step still leaves a report: of the compile, and of a run that took no step.
    auto const endEarly = [&](Diagnostic const &why) -> Result<TrainOutcome> {
        if (!request.report || !exe.emulated || (why.kind != ErrorKind::Cancelled && why.kind != ErrorKind::DoesNotFit)) return why;
        outcome.stopped = why;
        RunReport early;
        auto written = early.begin(*request.report, asRun(), outcome.compiled, dataset, epochSteps, request.mode, host);
        if (written.ok()) written = early.finish(outcome);
        if (written.ok()) return std::move(outcome);
        auto warning = written.error();
        warning.severity = Severity::Warning;
        job.warn(std::move(warning));
        return why;
    };

    std::optional<device::Attachment> attachment;
    auto const attach = [&]() -> Status {
        if (!exe.emulated) return {};
        TW_ASSIGN(attachment, attachDevice(project, request, outcome.compiled.machine, job));
        if (observer.attached) observer.attached(attachment->describe());
        log(config::LogComponent::Device, config::LogLevel::Info, attachment->describe());
        return attachment->requireExecution();
    };
    bool const neverRuns = exe.emulated && !device::holdsDevice(connectionOf(project));
    if (neverRuns) {
        TW_TRY(attach());
        job.warn(makeWarning("device.pre-compile", "ipu_config.device_connection.type",
                             Message::of("the program was compiled into the cache; nothing runs with PRE_COMPILE.")));
        return outcome;
    }

    // All that may refuse the run comes before what takes time, memory or a device.
    std::int64_t const updateSteps = exe.microBatchesPerUpdate;
    auto const check = [&]() -> Status {
        if (emulated) TW_TRY(tryHost());
        TW_TRY(keeper.tryPlaces(checkpointSize(exe), outer)); // with the optimizer's state, which the program tells
        log(config::LogComponent::Data, config::LogLevel::Info,
            dataset.describe.text() + " " + groupedDigits(dataset.x.count()) + " samples");
        bool const hasTail = !exe.emulated && dataset.x.count() % exe.batchSize != 0;
        TW_TRY(requireMemoryFor(request, outcome.compiled, addBytes(bytesBesideExecutor(exe), hasTail ? fusedExecutorBytes(exe) : 0),
                                Message::of("training")));
        if (job.cancelled()) return cancelledError("training");
        return attach();
    };
    if (auto const checked = check(); !checked.ok()) return endEarly(checked.error());

    ThreadPool pool(threadsOf(request), threadsBeside(addBytes(bytesToRun(request, exe), bytesBesideExecutor(exe))));
    warnOfMissingThreads(pool, job);
    Loop loop(outcome.compiled);
    std::int64_t firstEpoch = 0;
    std::unique_ptr<Executor> executor;
    std::unique_ptr<Evaluator> evaluator;
    std::optional<TailBatch> tail;
    // Taken now and given back for the last save: a run that began with enough memory does not lose its weights for want of it.
    std::unique_ptr<std::byte[]> roomToSave;
    auto const load = [&]() -> Status {
        TW_ASSIGN(executor, makeExecutor(request, outcome.compiled, seed, pool));
        TW_ASSIGN(auto state, initialState(project, exe));
        applySyntheticParameters(synthetic, exe, state);
        TW_TRY(loadState(*executor, exe, state));
        if (request.resume) {
            TW_TRY(loadState(*executor, exe, *request.resume));
            firstEpoch = request.resume->epoch;
            loop.step = request.resume->step;
            executor->setUpdates(loop.step / std::max<std::int64_t>(1, updateSteps));
        }
        if (!dataset.validationX.empty()) {
            Evaluator::Samples const samples{dataset.validationX, dataset.validationY, dataset.scale};
            if (exe.further.empty()) {
                TW_ASSIGN(evaluator, Evaluator::make(project, request, samples, pool, job));
            } else {
                TW_ASSIGN(evaluator, Evaluator::share(project, request, samples, outcome.compiled, *executor, pool));
            }
        }
        if (!exe.emulated && dataset.x.count() % exe.batchSize != 0) {
            TW_ASSIGN(tail, TailBatch::make(project, request, dataset, pool, job));
        }
        roomToSave.reset(new std::byte[static_cast<std::size_t>(savingBytes(exe))]); // not touched: an address, no memory yet
        return {};
    };
    if (auto const loaded = inHostMemory(Message::of("training"), load); !loaded.ok()) return endEarly(loaded.error());
    if (job.cancelled()) return endEarly(cancelledError("training"));
    logWarnings();
    RunReport report;
    if (request.report) {
        TW_TRY(report.begin(*request.report, asRun(), outcome.compiled, dataset, epochSteps + (tail ? 1 : 0), request.mode, host));
        if (observer.reportBegun) observer.reportBegun(*request.report);
    }
    if (observer.stepsPerEpoch) observer.stepsPerEpoch(epochSteps + (tail ? 1 : 0));

    Infeed infeed(dataset.x, dataset.y, static_cast<float>(dataset.scale), exe.infeed, exe.batchSize, exe.replicas,
                  project.config.boolean("optimizations.prefetch_data_streams") ? 3 : 0, request.report ? &host : nullptr,
                  project.training.classWeights);
    std::int64_t const first = loop.step;
    std::int64_t const firstInEpoch = loop.step - firstEpoch * (epochSteps + (tail ? 1 : 0));
    double const cyclesPerStep = exe.emulated ? exe.cyclesPerStep() : 0.0;
    std::size_t const lastIndex = exe.outfeed.size() - 1;

    auto told = Clock::now();
    auto const tellCounters = [&] { // what other processes see of the device
        if (!attachment) return;
        told = Clock::now();
        device::DeviceCounters counters;
        double const updates = static_cast<double>(loop.step - first) / static_cast<double>(updateSteps);
        counters.steps = loop.step - first;
        counters.total = static_cast<Cycles>(static_cast<double>(loop.step - first) * cyclesPerStep);
        counters.compute = static_cast<Cycles>(updates * static_cast<double>(exe.computeCyclesPerPattern));
        counters.amp = static_cast<Cycles>(updates * static_cast<double>(exe.ampCyclesPerPattern));
        counters.exchange = static_cast<Cycles>(updates * static_cast<double>(exe.exchangeCyclesPerPattern));
        if (auto const measured = executor->measured()) {
            auto const of = [&](program::Phase phase) { return measured->of(phase, exe.program.ipus); };
            counters.total = measured->total;
            counters.compute = of(program::Phase::Compute);
            counters.amp = measured->amp;
            counters.exchange = of(program::Phase::InternalExchange) + of(program::Phase::GlobalExchange);
        }
        attachment->update(counters);
    };
    if (observer.standing) {
        observer.standing([&] {
            tellCounters();
            if (attachment) attachment->stand();
        });
    }
    if (observer.ready) observer.ready(*executor, outcome.compiled);

    StreamHandlers streams;
    streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) {
        if (!request.report) return infeed.next(r, index, to, bytes);
        HostRecord::Span const span(host, HostRecord::Streams, HostRecord::kCopy, index);
        return infeed.next(r, index, to, bytes);
    };
    streams.fromDevice = [&](int r, int index, std::byte const *from, std::size_t) -> Status {
        float const value = *reinterpret_cast<float const *>(from);
        auto const i = static_cast<std::size_t>(index);
        if (i == 0 && !std::isfinite(value)) return loop.notFinite(value);
        loop.epochMeans.add(i, value, loop.stepSamples);
        loop.stepMeans.add(i, value);
        if (i != lastIndex || r != exe.replicas - 1) return {};
        ++loop.step;
        loop.loss = static_cast<float>(loop.stepMeans.loss());
        report.step(loop.step, loop.stepMeans.loss(), loop.stepMeans.metrics());
        if (observer.step && request.every > 0 && loop.step % request.every == 0)
            observer.step(loop.step, loop.stepMeans.loss(), loop.stepMeans.metrics());
        loop.stepMeans.reset();
        return {};
    };

    streams = withSynthetic(std::move(streams), synthetic, exe);
    loop.stepSamples = static_cast<double>(exe.batchSize);

    auto const held = [&] { return observer.heldSeconds ? observer.heldSeconds() : 0.0; };
    std::int64_t const allSteps = epochSteps + (tail ? 1 : 0);
    // Finished weights are worth a second try: what saves and reads meanwhile gives memory back.
    auto const stateInMemory = [&] {
        try {
            return saveState(*executor, exe);
        } catch (std::bad_alloc const &) {
            keeper.settle();
            return saveState(*executor, exe);
        }
    };
    auto const stateNow = [&] {
        auto now = stateInMemory();
        now.step = loop.step / updateSteps * updateSteps; // an update that did not finish begins anew
        now.epoch = allSteps > 0 ? loop.step / allSteps : 0;
        return now;
    };
    std::optional<std::int64_t> mostSteps;
    if (request.steps) {
        mostSteps = wholeUpdates(*request.steps, updateSteps);
        if (*mostSteps != *request.steps) {
            auto note = makeWarning("train.steps", "--steps",
                                    Message::of("the run makes %1 steps instead of %2, because a weight update takes %3 steps.", *mostSteps,
                                                *request.steps, updateSteps));
            note.severity = Severity::Note;
            job.warn(std::move(note));
        }
    }
    auto const start = Clock::now();
    double const heldAtStart = held();
    auto const runEpochs = [&]() -> Status {
        for (std::int64_t epoch = firstEpoch; epoch < epochs && !outcome.stopped && !outcome.loopEnded; ++epoch) {
            auto const order = data::epochOrder(dataset.x.count(), seed, epoch, project.training.shuffle && project.data.shuffle);
            std::int64_t const from = epoch == firstEpoch ? std::max<std::int64_t>(0, firstInEpoch) : 0;
            std::int64_t const stepsLeft = mostSteps ? *mostSteps - (loop.step - first) : 0;
            if (mostSteps && stepsLeft < updateSteps) break;
            std::int64_t steps = epochSteps - from;
            if (steps <= 0 && !tail) break;
            steps = ceilDiv(steps, updateSteps) * updateSteps; // whole weight updates
            if (mostSteps) steps = std::min(steps, stepsLeft / updateSteps * updateSteps);
            infeed.begin(order, from, steps);
            loop.epochMeans.reset();
            std::optional<HostRecord::Span> epochSpan;
            epochSpan.emplace(host, HostRecord::Main, "Epoch", epoch + 1);
            auto const epochStart = Clock::now();
            double const heldBefore = held();
            std::int64_t const stepAtStart = loop.step;
            Cycles const measuredBefore = measuredSoFar(*executor);
            while (loop.step - stepAtStart < steps) {
                // Ctrl-C is heeded between executions: a step that has begun is finished.
                if (job.cancelled()) {
                    outcome.stopped = cancelledError("training");
                    break;
                }
                std::int64_t const left = steps - (loop.step - stepAtStart);
                JobContext inner;
                std::optional<HostRecord::Span> span;
                if (request.report) span.emplace(host, HostRecord::Calls, HostRecord::kExecute, loop.step);
                auto const ran = inHostMemory(Message::of("training"), [&] {
                    return left >= exe.stepsPerExecution ? executor->run(streams, inner) : executor->runUpdate(streams, inner);
                });
                span.reset();
                if (!ran.ok()) {
                    outcome.stopped = ran.error();
                    break;
                }
                if (loop.step % 64 < exe.stepsPerExecution || secondsSince(told) > kTellSeconds) tellCounters();
                if (loopHasEnded(*executor, exe)) {
                    outcome.loopEnded = true;
                    break;
                }
                if (keeper.isDue(false)) keeper.save(stateNow(), job);
                auto const done = static_cast<double>(request.steps ? loop.step - first : loop.step); // of the run, not of an epoch
                job.report("Train", std::min(1.0, done / static_cast<double>(mostSteps ? *mostSteps : epochs * allSteps)));
            }
            bool const whole = from + (loop.step - stepAtStart) >= epochSteps;
            if (tail && whole && !outcome.stopped && !outcome.loopEnded && !(mostSteps && loop.step - first >= *mostSteps)) {
                loop.stepSamples = static_cast<double>(tail->samples);
                auto const ran = tail->run(*executor, exe, order, streams);
                loop.stepSamples = static_cast<double>(exe.batchSize);
                if (!ran.ok()) outcome.stopped = ran.error();
                else if (auto const bound = lossThatEnds(project.training)) outcome.loopEnded = !(loop.loss > *bound);
            }
            EpochResult result;
            result.epoch = epoch + 1;
            result.steps = loop.step - stepAtStart;
            result.loss = loop.epochMeans.loss();
            result.metrics = loop.epochMeans.metrics();
            result.hostSeconds = std::max(0.0, secondsSince(epochStart) - (held() - heldBefore));
            result.device = deviceTime(outcome.compiled, *executor, result.steps, measuredBefore);
            result.complete = from + result.steps >= epochSteps;
            epochSpan.reset();
            if (evaluator && (result.complete || outcome.loopEnded) && !outcome.stopped) {
                // A validation that fails or is cancelled ends the run; what was trained is kept all the same.
                HostRecord::Span const span(host, HostRecord::Main, "Validation", result.epoch);
                auto const val = evaluator->run(saveState(*executor, exe), job);
                if (val.ok()) {
                    result.valLoss = val->loss;
                    result.valDevice = val->device;
                    // What trained in front of it has to be loaded again only where an earlier validation took its place.
                    result.valLoadingSeconds = evaluator->loadingSeconds() + (outcome.epochs.empty() ? 0 : evaluator->loadingSeconds(exe));
                    for (auto const &[name, value] : val->metrics) result.valMetrics.emplace_back("val_" + name, value);
                } else {
                    outcome.stopped = val.error();
                }
            }
            if (result.steps > 0) {
                logWarnings();
                host.log(config::LogComponent::Runtime, config::LogLevel::Info, epochLine(result));
                report.epoch(result);
                outcome.epochs.push_back(result);
                if (observer.epoch) observer.epoch(result);
                if (observer.epochState) {
                    auto snapshot = saveState(*executor, exe);
                    snapshot.step = loop.step;
                    snapshot.epoch = result.epoch;
                    observer.epochState(result, snapshot);
                }
            }
            if (!outcome.stopped && keeper.isDue(true)) keeper.save(stateNow(), job);
            if (mostSteps && loop.step - first >= *mostSteps) break;
        }
        return {};
    };
    if (auto const ran = inHostMemory(Message::of("training"), runEpochs); !ran.ok()) { outcome.stopped = ran.error(); }
    outcome.hostSeconds = std::max(0.0, secondsSince(start) - (held() - heldAtStart));
    evaluator.reset(); // their memory serves to save what was done
    tail.reset();
    roomToSave.reset();
    if (observer.saving) observer.saving();
    auto const saveStart = Clock::now();
    keeper.settle();
    reader.stop();
    outcome.steps = loop.step - first;
    outcome.device = deviceTime(outcome.compiled, *executor, outcome.steps);
    outcome.state = stateNow();
    // Before anything that is not needed for it: what is finished is safe first.
    // A report that says complete is one of weights that are safe.
    // A run without a step has nothing to put in the place of what was trained before.
    if (outcome.steps == 0) keeper.leaveProject();
    if (outcome.steps > 0 || !outcome.stopped) outcome.kept = keeper.finish(outcome.state, job);
    if (outcome.kept.notFinite) {
        // A loss is computed in front of the update that spoils the weights.
        if (!outcome.stopped)
            outcome.stopped = makeError(ErrorKind::Numeric, "train.not-finite", "step " + std::to_string(loop.step),
                                        Message::of("its update made weights that are infinite or not a number."), {});
        if (outcome.stopped->kind == ErrorKind::Numeric) outcome.stopped->remedy = tooFar();
    }
    outcome.savingSeconds = secondsSince(saveStart);
    outcome.weightsHash = weightsHash(exe, outcome.state);
    if (outcome.loopEnded) {
        outcome.endLoss = loop.loss;
        log(config::LogComponent::Runtime, config::LogLevel::Info,
            "the loop of training.loop ended after step " + groupedDigits(loop.step) + ": its loss was " + digits(loop.loss, 6));
    }
    if (dataset.x.maker)
        log(config::LogComponent::Data, config::LogLevel::Debug, "generated " + groupedDigits(dataset.x.maker->made()) + " samples");
    if (outcome.steps == 0 && !outcome.stopped) tellNothingTrained(project.title.empty() ? exe.name : project.title, request, epochs, job);
    if (outcome.kept.problem) host.log(config::LogComponent::Runtime, config::LogLevel::Err, toText(*outcome.kept.problem));
    logWarnings();
    if (auto const finished = report.finish(outcome, executor->measured()); !finished.ok()) outcome.unreported = finished.error();
    return outcome;
}

} // namespace

Result<TrainOutcome> train(project::Project const &project, RunRequest const &request, RunObserver const &observer, JobContext const &job)
{
    auto outcome = project::guardedWork("train", project, [&] { return runTraining(project, request, observer, job); });
    if (outcome.ok() && outcome->stopped) outcome->stopped = project::withReproducer(project, *outcome->stopped);
    return outcome;
}

} // namespace tilewright::runtime
