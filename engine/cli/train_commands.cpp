#include "engine/cli/command.h"
#include "engine/cli/compile_document.h"
#include "engine/cli/output.h"
#include "engine/cli/replaceable.h"
#include "engine/cli/training_printer.h"
#include "engine/workspace/project_store.h"
#include "engine/core/numbers.h"
#include "engine/core/safe_text.h"
#include "engine/core/text.h"
#include "engine/data/npy.h"
#include "engine/distributed/mpi_loader.h"
#include "engine/distributed/train_workers.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/run_facts.h"
#include "engine/runtime/session.h"
#include "engine/store/report_writer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tilewright::cli {

using namespace workspace;

using Json = nlohmann::ordered_json;

namespace {

Result<runtime::RunRequest> runRequest(Context &context, OpenProject const &open)
{
    runtime::RunRequest request;
    TW_ASSIGN(request.compile, compileRequest(context));
    request.mode = context.arguments.text("--mode") == "tile" ? runtime::Mode::Tile : runtime::Mode::Fused;
    request.threads = context.threads;
    request.baseDir = dataFolder(open);
    request.device = static_cast<int>(std::min<std::int64_t>(context.arguments.integer("--device", 0), 1 << 16));
    return request;
}

/// An .npz file, or `last` of the project.
Result<runtime::TrainingState> namedCheckpoint(std::string const &name, OpenProject const &open, JobContext const &job)
{
    if (name == "last" && !open.isTwin && !std::filesystem::exists(name)) {
        TW_ASSIGN(auto state, lastCheckpoint(open));
        if (state) return std::move(*state);
        return makeError(ErrorKind::Invalid, "checkpoint.none", open.path.string(), Message::of("the project holds no checkpoint `last`."),
                         Message::of("Train it first, or name a file."));
    }
    return runtime::readCheckpoint(name, job);
}

std::string titleOf(OpenProject const &open) { return open.project.title.empty() ? open.project.model.name : open.project.title; }

/// A training that begins anew says so before it takes the place of what another one made.
void tellReplaced(Context &context, OpenProject const &open)
{
    auto const last = runtime::lastCheckpointInfo(open.path);
    if (!last) return;
    auto &out = context.output;
    context.job.warn(
        runtime::replacesWeights(open.path.string(), last->epoch, last->step, Message::of("--resume last goes on from those instead.")));
    out.showWarnings();
    if (out.json())
        out.event("replaces", {{"checkpoint", "last"}, {"epoch", last->epoch}, {"step", last->step}, {"saved_utc", last->savedUtc}});
}

/// What the command line asks of a training.
Result<runtime::RunRequest> trainRequest(Context &context, OpenProject const &open)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto request, runRequest(context, open));
    request.epochs = args.integer("--epochs");
    request.steps = args.integer("--steps");
    if (args.has("--stop-at")) { TW_ASSIGN(request.stopAt, runtime::parseStopAt(args.text("--stop-at"))); }
    if (request.stopAt && request.mode != runtime::Mode::Tile)
        return makeError(ErrorKind::Usage, "train.stop-at", "--stop-at", Message::of("only a run in tile mode can stop within a step."),
                         Message::of("Add --mode tile."));
    if (args.has("--report")) request.report = args.text("--report");
    if (args.has("--checkpoint")) request.keep.file = args.text("--checkpoint");
    if (!open.isTwin) request.keep.project = open.path;
    if (args.has("--resume")) { TW_ASSIGN(request.resume, namedCheckpoint(args.text("--resume"), open, context.job)); }
    request.deviceSeed = args.has("--device-seed") ? std::optional(args.integer("--device-seed", 0)) : std::nullopt;
    request.identicalReplicas = args.has("--identical-replica-seeds");
    return request;
}

/// A training that does not fit ends with what would make it fit, found by compiling.
Result<int> tellRemedies(Context &context, OpenProject const &open, runtime::RunRequest &request, compiler::CompileOutcome const &compiled)
{
    JobContext quiet; // the training has told what there was to tell
    quiet.stop = context.job.stop;
    TW_TRY(runtime::requestEntries(open.project, dataFolder(open), request.compile, quiet));
    auto const remedies = tryRemedies(context, open.project, dataFolder(open), request.compile, compiled);
    if (context.output.json())
        context.output.event("remedies", {{"remedies", remediesDocument(remedies)}, {"remedies_complete", remedies.complete}});
    auto error = *compiled.outOfMemory;
    error.remedy = runtime::toText(remedies);
    return context.output.fail(error);
}

Result<int> train(Context &context)
{
    auto const &args = context.arguments;
    auto &out = context.output;
    TW_ASSIGN(auto const open, openOnDevice(context));
    TW_ASSIGN(auto request, trainRequest(context, open));
    std::int64_t const every = args.integer("--every", 0);
    auto const workers = static_cast<int>(std::min<std::int64_t>(args.integer("--workers", 1), 1 << 16));
    std::unique_ptr<runtime::WorkerLink> link;
    if (distributed::mpiPlace().workers > 1) {
        if (workers > 1)
            return makeError(ErrorKind::Usage, "workers.both", "--workers", Message::of("mpirun has started the workers already."),
                             Message::of("Leave out --workers."));
        TW_ASSIGN(link, distributed::openMpi(context.program));
        request.link = link.get();
        if (link->worker() > 0) return distributed::workFor(open.project, request, context.job, *link);
    }
    if (open.isTwin && !args.has("--checkpoint"))
        context.job.warn(makeWarning("checkpoint.nowhere", open.path.string(), Message::of("the trained weights will not be kept."),
                                     Message::of("Give --checkpoint FILE.npz, or train a .tilewright project.")));
    out.showWarnings();
    if (request.report) TW_TRY(store::checkReportPlace(*request.report));

    auto const epochs = request.epochs.value_or(open.project.training.epochs);
    TrainingPrinter printer(context, titleOf(open), epochs);
    printer.startAt(request.resume ? request.resume->epoch : open.project.training.initialEpoch);
    // A terminal wants the loss in its bar now and then; the steps somebody asked for are told apart below.
    request.every = every > 0 ? every : out.showsProgress() && !out.json() ? 50 : 0;
    runtime::RunObserver observer;
    // The project lists a run from its compile on; a refused command line leaves the project as it is.
    std::optional<RecordedRun> recorded;
    auto const listRun = [&] {
        if (!recorded) recorded.emplace(open, titleOf(open), args.text("--report"));
    };
    observer.compiled = [&](auto const &outcome) {
        listRun();
        printer.compiled(outcome);
        if (request.report) context.keepResults();
    };
    observer.ready = [&](runtime::Session &) {
        context.keepResults();
        if (!request.keep.project.empty() && !request.resume && epochs > 0 && !runtime::trainsOnSyntheticData(request))
            tellReplaced(context, open);
    };
    observer.saving = [&] { printer.saving(); };
    observer.message = [&](std::string const &callback, std::string const &text) { printer.message(callback, text); };
    observer.attached = [&](std::string const &text) { printer.attached(text); };
    observer.step = [&](std::int64_t step, double loss, NamedValues const &metrics) { printer.step(step, loss, metrics, every > 0); };
    observer.epoch = [&](auto const &result) { printer.epoch(result); };
    auto job = context.job;
    job.progress = [&](std::string_view phase, double fraction) { printer.progress(phase, fraction); };

    auto ran = workers > 1 ? distributed::trainOnThreads(open.project, request, observer, job, workers)
                           : runtime::train(open.project, request, observer, job);
    if (link) distributed::close(*link, ran);
    out.clearProgress();
    if (ran.ok() || ran.error().kind != ErrorKind::Usage) {
        listRun();
        recorded->finish(endOf(ran), runtime::endFacts(ran, open.project), context.job);
    }
    if (!ran.ok()) return ran.error();
    auto const &outcome = *ran;
    if (request.stopAt && !outcome.compiled.outOfMemory && !outcome.stopped) printer.stopped(outcome);
    // A run that was stopped before its first step has nothing to put in the place of what was trained before.
    bool const trained = !outcome.state.tensors.empty() && (outcome.steps > 0 || !outcome.stopped);
    if (!outcome.compiled.outOfMemory) printer.done(outcome, trained, args.has("--report") ? args.text("--report") : std::string());
    if (outcome.compiled.outOfMemory) return tellRemedies(context, open, request, outcome.compiled);
    int code = outcome.stopped ? out.fail(*outcome.stopped) : 0;
    if (outcome.unreported) code = out.fail(*outcome.unreported);
    if (outcome.kept.problem) code = out.fail(*outcome.kept.problem);
    return code;
}

/// The weights to run with: --checkpoint, else `last`, else none (the runtime then warns and takes initial ones).
struct Weights {
    std::optional<runtime::TrainingState> state;
    Json name; ///< for the document
};
Result<Weights> weightsOf(Context &context, OpenProject const &open)
{
    Weights weights;
    if (context.arguments.has("--checkpoint")) {
        TW_ASSIGN(weights.state, namedCheckpoint(context.arguments.text("--checkpoint"), open, context.job));
        weights.name = context.arguments.text("--checkpoint");
    } else {
        TW_ASSIGN(weights.state, lastCheckpoint(open));
        if (weights.state) weights.name = "last";
    }
    return weights;
}

std::string plainName(runtime::SamplesOf of) { return of == runtime::SamplesOf::Train ? "training" : std::string(runtime::nameOf(of)); }

/// "10,000 test samples".
std::string samplesText(std::int64_t samples, runtime::SamplesOf of)
{
    return groupedDigits(samples) + " " + plainName(of) + (samples == 1 ? " sample" : " samples");
}

Result<int> evaluate(Context &context)
{
    TW_ASSIGN(auto const open, openOnDevice(context));
    TW_ASSIGN(auto const weights, weightsOf(context, open));
    TW_ASSIGN(auto const request, runRequest(context, open));
    TW_ASSIGN(auto const outcome, runtime::evaluate(open.project, request, weights.state ? &*weights.state : nullptr, context.job));
    if (context.output.json()) {
        Json j{{"loss", outcome.loss}};
        j["metrics"] = valuesJson(outcome.metrics);
        j["samples"] = outcome.samples;
        j["samples_of"] = runtime::nameOf(outcome.samplesOf);
        j["batch"] = outcome.batch;
        j["cache"] = outcome.compiled.cache;
        j["checkpoint"] = weights.name;
        j["host_seconds"] = outcome.hostSeconds;
        runtime::addDeviceTime(j, outcome.device);
        if (outcome.numeric) return context.output.fail(*outcome.numeric, std::move(j), {});
        context.output.document(std::move(j));
    } else {
        std::int64_t const steps = outcome.batch > 0 ? outcome.samples / outcome.batch : 0;
        context.output.text(kerasBar(steps, steps) + " - " + kerasTime(outcome.hostSeconds, steps) + " - "
                            + kerasValues(outcome.loss, outcome.metrics) + " - " + samplesText(outcome.samples, outcome.samplesOf) + "\n");
    }
    return outcome.numeric ? context.output.fail(*outcome.numeric) : 0;
}

Result<int> predict(Context &context)
{
    auto const &args = context.arguments;
    if (!args.has("--out"))
        return usageError("cli.missing", "--out", Message::of("the option is missing."), Message::of("Give --out FILE.npz."));
    TW_TRY(requireOtherFile(args.text("PROJECT"), args.text("--out")));
    TW_ASSIGN(auto const open, openOnDevice(context));
    std::vector<std::string> outputs;
    if (auto const resolved = model::resolve(open.project.model); resolved.ok())
        for (std::size_t i = 0; i < resolved->outputs.size(); ++i) outputs.push_back(model::outputName(*resolved, i));
    TW_TRY(requirePlaceOfPredictions(args.text("--out"), outputs, args.has("--force")));
    TW_ASSIGN(auto const weights, weightsOf(context, open));
    TW_ASSIGN(auto const request, runRequest(context, open));
    TW_ASSIGN(auto const outcome, runtime::predict(open.project, request, weights.state ? &*weights.state : nullptr, context.job));
    std::vector<data::NamedArray> arrays;
    bool const several = outcome.outputs.size() > 1;
    for (std::size_t i = 0; i < outcome.outputs.size(); ++i)
        arrays.push_back(
            {predictionName(outputs, i), data::borrowArray(DType::F32, outcome.outputs[i].shape, outcome.outputs[i].values.data())});
    TW_TRY(data::writeNpz(args.text("--out"), arrays, false, context.job));
    if (context.output.json()) {
        Json j{{"path", args.text("--out")},
               {"samples", outcome.samples},
               {"samples_of", runtime::nameOf(outcome.samplesOf)},
               {"shape", outcome.outputs.at(0).shape}};
        for (auto const &array : arrays) j["outputs"].push_back({{"name", array.name}, {"shape", array.array.shape}});
        j["checkpoint"] = weights.name;
        j["cache"] = outcome.compiled.cache;
        j["host_seconds"] = outcome.hostSeconds;
        runtime::addDeviceTime(j, outcome.device);
        if (outcome.numeric) return context.output.fail(*outcome.numeric, std::move(j), {});
        context.output.document(std::move(j));
    } else {
        std::string shapes;
        for (auto const &array : arrays)
            shapes += (shapes.empty() ? "" : ", ") + (several ? array.name + " " : "") + toText(array.array.shape);
        context.output.text("Wrote " + groupedDigits(outcome.samples) + " predictions " + shapes + " of the " + plainName(outcome.samplesOf)
                            + " samples to " + args.text("--out") + "\n");
    }
    return outcome.numeric ? context.output.fail(*outcome.numeric) : 0;
}

/// Where a tolerance of verify comes from, a word of its table and its JSON.
char const *toleranceSource(bool measured) { return measured ? "measured rounding" : "stated bound"; }

Result<int> verify(Context &context)
{
    auto const &args = context.arguments;
    TW_ASSIGN(auto const open, openOnDevice(context));
    TW_ASSIGN(auto const request, runRequest(context, open));
    TW_ASSIGN(auto const outcome, runtime::verify(open.project, request, args.integer("--steps", 3), context.job));
    Json j{{"agrees", outcome.agrees},
           {"max_relative_error", outcome.maxRelativeError},
           {"tolerance", outcome.tolerance},
           {"tolerance_from", toleranceSource(outcome.measured)},
           {"steps", outcome.steps}};
    j["tensors"] = Json::array();
    std::vector<std::vector<std::string>> rows;
    auto sorted = outcome.tensors;
    std::ranges::stable_sort(sorted, std::greater(),
                             [](runtime::VerifyTensor const &tensor) { return tensor.maxRelativeError / tensor.tolerance; });
    for (auto const &tensor : sorted) {
        j["tensors"].push_back({{"name", tensor.name},
                                {"max_relative_error", tensor.maxRelativeError},
                                {"tolerance", tensor.tolerance},
                                {"tolerance_from", toleranceSource(tensor.measured)}});
        rows.push_back({tensor.name, tilewright::shortText(tensor.maxRelativeError, 3), tilewright::shortText(tensor.tolerance, 3),
                        toleranceSource(tensor.measured)});
    }
    std::string const text = tableText({"Tensor", ">Largest relative difference", ">Tolerance", "From"}, rows) + "\nFused and tile mode "
        + (outcome.agrees ? "agree" : "differ") + " over " + std::to_string(outcome.steps)
        + (outcome.steps == 1 ? " update: " : " updates: ") + tilewright::shortText(outcome.maxRelativeError, 3) + " of at most "
        + tilewright::shortText(outcome.tolerance, 3)
        + (outcome.measured ? " (the measured effect of rounding on this tensor)" : " (the stated tolerance)")
        + ". Each began from the same weights and state.\n";
    if (!outcome.agrees) {
        std::string const worst = sorted.empty() ? "verify" : sorted.front().name;
        return context.output.fail(makeError(ErrorKind::CheckFailed, "verify.differs", worst,
                                             "fused and tile mode differ by " + tilewright::shortText(outcome.maxRelativeError, 3)
                                                 + " of the tensor's largest magnitude; " + tilewright::shortText(outcome.tolerance, 3)
                                                 + " is allowed.",
                                             "Please report this with the project."),
                                   std::move(j), text);
    }
    if (context.output.json()) context.output.document(std::move(j));
    else context.output.text(text);
    return 0;
}

} // namespace

std::vector<Command> trainCommands()
{
    auto const project = word("PROJECT", "a .tilewright file or its JSON twin");
    auto const mode =
        choiceOption("--mode", {"fused", "tile"}, "fused: host kernels (default); tile: every vertex on the memory of its tile");
    auto const checkpoint = option("--checkpoint", "FILE", "weights to use, .npz (default: `last` of the project)");
    return {
        {.name = "train",
         .group = "Running",
         .summary = "trains a project, after compiling it if needed",
         .details = "A .tilewright file keeps the weights as checkpoint `last`; with a twin, use --checkpoint. Weights are saved\n"
                    "after each epoch (at most once a second) and every five minutes, completely or not at all. If the final\n"
                    "weights cannot be saved, they go to a rescue file whose path is printed (exit code 5).\n"
                    "Without --resume, training starts from the initial weights and replaces checkpoint `last`, with a notice.\n"
                    "Ctrl-C once finishes the step and writes checkpoint and report (exit code 6); twice stops at once.\n"
                    "training.callbacks holds callbacks with Keras's names and arguments, such as\n"
                    "[{\"class_name\": \"EarlyStopping\", \"config\": {\"patience\": 3}}]: EarlyStopping, ReduceLROnPlateau,\n"
                    "LearningRateScheduler, ModelCheckpoint, CSVLogger, BackupAndRestore, TensorBoard, TerminateOnNaN. Their files are\n"
                    "below the project's folder.\n"
                    "`mpirun -n W tilewright train PROJECT` trains with W processes (Open MPI), --workers W with W threads. Each owns\n"
                    "an equal share of the replicas and reads its share of the samples. Weights and losses are those of one process, bit\n"
                    "for bit. Worker 0 prints and keeps the results. If a worker is lost, the run ends and the last saved weights stay.",
         .example = "tilewright train mnist.tilewright --epochs 5 --report run.twreport",
         .parameters =
             {project, targetOption(), deviceOption(),
              integerOption("--epochs", "N", 0, "epochs, instead of training.epochs; with --resume also counted from the beginning"),
              integerOption("--steps", "N", 1, "most steps of this run, rounded down to whole weight updates (at least one)"), mode,
              destination(option("--report", "FILE", "write a report (.twreport), which grows during the run")),
              destination(option("--checkpoint", "FILE", "also write the weights to this .npz file")),
              option("--resume", "FILE", "continue from this checkpoint"), integerOption("--every", "N", 1, "print the loss every N steps"),
              option(
                  "--stop-at", "PLACES",
                  "tile mode: stop after step=N, superstep=N, a write=TILE, a value that is nonfinite or above=BOUND; several with commas"),
              integerOption("--device-seed", "N", 0,
                            "seed of the device's draws (dropout, noise, stochastic rounding), instead of training.device_seed"),
              flag("--identical-replica-seeds", "all replicas draw alike, as training.identical_replica_seeds"),
              integerOption("--workers", "N", 1, "share the replicas among so many threads (default 1)")},
         .run = train,
         .lines = true},
        {.name = "evaluate",
         .group = "Running",
         .summary = "prints loss and metrics of the test data",
         .details = "Without test samples, uses the held-out validation samples; without those, the training samples.",
         .example = "tilewright evaluate mnist.tilewright --json",
         .parameters = {project, targetOption(), deviceOption(), mode, checkpoint},
         .run = evaluate},
        {.name = "predict",
         .group = "Running",
         .summary = "runs the model over the test data and writes its outputs",
         .details = "Without test samples, uses the held-out validation samples; without those, the training samples.",
         .example = "tilewright predict mnist.tilewright --out predictions.npz",
         .parameters = {project,
                        destination(
                            option("--out", "FILE", "the .npz file to write, with the array `predictions`, or one array per output name")),
                        targetOption(), deviceOption(), mode, checkpoint,
                        flag("--force", "replace the file of --out even if it does not hold predictions")},
         .run = predict},
        {.name = "verify",
         .group = "Running",
         .summary = "runs fused and tile mode in lockstep and compares them",
         .details = "Compares gradients, losses and metrics. Before each update, tile mode copies weights and state from fused\n"
                    "mode, and both modes apply the gradients of fused mode, so that differences do not accumulate.\n"
                    "The tolerance of a tensor is 1e-5 of its largest value; 2^-8 if the model stores float16; for float16 partial\n"
                    "sums 2^-10 times the root of the number of stores, if that is more. If a tensor exceeds its tolerance, fused\n"
                    "mode repeats the update with random rounding errors in its sums, and 8 times the largest change of the tensor\n"
                    "is allowed (\"measured rounding\"). This is necessary where addends cancel: the rounding errors are then a large\n"
                    "part of the sum. Exit code 9 if a tensor exceeds both. Exit code 3 if the samples are too few for one update.",
         .example = "tilewright verify mnist.tilewright --steps 3",
         .parameters = {project, targetOption(), deviceOption(), integerOption("--steps", "N", 1, "weight updates to compare (default 3)")},
         .run = verify},
    };
}

} // namespace tilewright::cli
