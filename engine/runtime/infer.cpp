// Evaluation and prediction.
#include "engine/runtime/evaluator.h"
#include "engine/runtime/infer_beside.h"

#include "engine/compiler/project_rules.h"
#include "engine/core/host_memory.h"
#include "engine/core/text.h"
#include "engine/project/reproducer.h"
#include "engine/runtime/prediction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::runtime {

namespace {

struct Samples {
    data::DataArray const *x, *y;
    SamplesOf of;
};
Samples samplesToRead(data::Dataset const &dataset, JobContext const &job)
{
    if (!dataset.testX.empty()) return {&dataset.testX, &dataset.testY, SamplesOf::Test};
    if (!dataset.validationX.empty()) return {&dataset.validationX, &dataset.validationY, SamplesOf::Validation};
    auto note = makeWarning("data.no-test", dataset.x.origin.name(),
                            Message::of("there are no test samples and no samples are held out: the training samples are used."),
                            Message::of("Give test samples, or set training.validation_split or data.validation_path."));
    note.severity = Severity::Note;
    job.warn(std::move(note));
    return {&dataset.x, &dataset.y, SamplesOf::Train};
}

/// The given weights, or the initial ones; synthetic ones where the flags ask for them.
Result<TrainingState> stateOr(TrainingState const *state, project::Project const &project, RunRequest const &request,
                              executable::EntryRef const &entry, JobContext const &job)
{
    TW_ASSIGN(auto const synthetic, config::syntheticData(request.compile.environment.flags));
    TrainingState weights;
    if (state) {
        weights = *state;
    } else {
        if (!synthetic.parameters)
            job.warn(makeWarning("checkpoint.none", "checkpoint", Message::of("there is no checkpoint: the initial weights are used."),
                                 Message::of("Train first, or name one with --checkpoint.")));
        TW_ASSIGN(weights, initialState(project, entry));
    }
    applySyntheticParameters(synthetic, entry, weights);
    return weights;
}

} // namespace

std::string_view nameOf(SamplesOf of)
{
    switch (of) {
    case SamplesOf::Test: return "test";
    case SamplesOf::Validation: return "validation";
    case SamplesOf::Train: return "train";
    }
    return "test";
}

namespace {

enum class Device { Attached, Held };

Result<EvaluateOutcome> runEvaluate(project::Project const &project, RunRequest const &request, TrainingState const *state, Device device,
                                    JobContext const &job)
{
    TW_ASSIGN(auto const dataset, openData(project, request, job));
    auto const [x, y, of] = samplesToRead(dataset, job);
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    Evaluator::Samples const samples{*x, *y, dataset.scale};
    TW_ASSIGN(auto shared, trainingEntry(project, request, "evaluate", job));
    TW_ASSIGN(auto evaluator,
              shared ? Evaluator::of(std::move(*shared), project, request, samples, pool)
                     : Evaluator::make(project, request, samples, pool, job));
    auto const &compiled = evaluator->compiled();
    TW_TRY(data::makeRecords(*x, pool, job));
    std::optional<device::Attachment> attachment;
    if (compiled.executable->emulated && device == Device::Attached) {
        TW_ASSIGN(attachment, attachDevice(project, request, compiled.machine, job));
        TW_TRY(attachment->requireExecution());
    }
    TW_ASSIGN(auto const weights, stateOr(state, project, request, compiled.entry(), job));
    auto outcome = evaluator->run(weights, job);
    if (outcome.ok()) outcome->samplesOf = of;
    return outcome;
}

/// An executable of the prediction alone.
Result<compiler::CompileOutcome> compilePredict(project::Project const &project, RunRequest const &request, data::DataArray const &x,
                                                JobContext const &job)
{
    TW_ASSIGN(auto const plan, planInference(project, x.count()));
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Predict;
    compileRequest.batch = plan.batch;
    compileRequest.steps = plan.steps;
    TW_ASSIGN(auto const feeds, compiler::feedsOf(plan.project, compileRequest.kind, plan.batch));
    TW_TRY(checkAgainstModel(x, {}, feeds, plan.batch, plan.project));
    return compiler::compile(plan.project, compileRequest, job);
}

Result<PredictOutcome> runPredict(project::Project const &project, RunRequest const &request, TrainingState const *state, Device device,
                                  JobContext const &job)
{
    TW_ASSIGN(auto const dataset, openData(project, request, job));
    auto const [x, y, of] = samplesToRead(dataset, job);
    ThreadPool pool(threadsOf(request));
    warnOfMissingThreads(pool, job);
    auto const start = std::chrono::steady_clock::now();
    PredictOutcome outcome;
    outcome.samplesOf = of;
    TW_ASSIGN(auto shared, trainingEntry(project, request, "predict", job));
    if (shared) {
        outcome.compiled = std::move(*shared);
        TW_TRY(checkAgainstModel(*x, {}, outcome.compiled.entry(), project));
    } else {
        TW_ASSIGN(outcome.compiled, compilePredict(project, request, *x, job));
    }
    if (outcome.compiled.outOfMemory) return *outcome.compiled.outOfMemory;
    auto const entry = outcome.compiled.entry();
    Bytes perTurn = 0;
    for (auto const &spec : entry->outfeed) perTurn = addBytes(perTurn, elementCount(spec.shape));
    std::int64_t const turns = x->count() / (entry->batchSize * entry.replicas());
    TW_TRY(requireMemoryFor(request, outcome.compiled, multiplyBytes(perTurn * entry.replicas(), turns * sizeOf(DType::F32)),
                            Message::of("predicting")));
    TW_TRY(data::makeRecords(*x, pool, job));
    std::optional<device::Attachment> attachment;
    if (entry.emulated() && device == Device::Attached) {
        TW_ASSIGN(attachment, attachDevice(project, request, outcome.compiled.machine, job));
        TW_TRY(attachment->requireExecution());
    }
    TW_ASSIGN(auto const session, Session::load(outcome.compiled, request, deviceSeedOf(project.training), pool));
    TW_ASSIGN(auto const weights, stateOr(state, project, request, entry, job));
    TW_TRY(session->loadWeights(weights));
    std::vector<std::uint32_t> order(static_cast<std::size_t>(x->count()));
    std::iota(order.begin(), order.end(), 0u);
    TW_ASSIGN(outcome.outputs, predictSamples(*session, *x, dataset.scale, order, job));
    outcome.samples = turns * entry->batchSize * entry.replicas();
    outcome.numeric = keepSamples(outcome.outputs, outcome.samples);
    outcome.hostSeconds = secondsSince(start);
    outcome.device = session->deviceTime(turns);
    return outcome;
}

} // namespace

Result<EvaluateOutcome> evaluate(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                 JobContext const &job)
{
    return project::guardedWork("evaluate", project, [&] { return runEvaluate(project, request, state, Device::Attached, job); });
}

Result<PredictOutcome> predict(project::Project const &project, RunRequest const &request, TrainingState const *state,
                               JobContext const &job)
{
    return project::guardedWork("predict", project, [&] { return runPredict(project, request, state, Device::Attached, job); });
}

Result<EvaluateOutcome> evaluateBeside(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                       JobContext const &job)
{
    return project::guardedWork("evaluate", project, [&] { return runEvaluate(project, request, state, Device::Held, job); });
}

Result<PredictOutcome> predictBeside(project::Project const &project, RunRequest const &request, TrainingState const *state,
                                     JobContext const &job)
{
    return project::guardedWork("predict", project, [&] { return runPredict(project, request, state, Device::Held, job); });
}

} // namespace tilewright::runtime
