#include "engine/runtime/evaluator.h"

#include "engine/compiler/entry_graph.h"
#include "engine/compiler/project_rules.h"
#include "engine/data/data_counts.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/stages.h"
#include "engine/runtime/prediction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::runtime {

Result<InferencePlan> planInference(project::Project const &project, std::int64_t samples)
{
    InferencePlan plan{project, model::dividingBatch(samples, project.training.batchSize), 1};
    plan.project.training.replicas = 1;
    plan.project.training.gradientAccumulationSteps = 1;
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    int stages = std::max(1, resolved.stages());
    if (model::pipelineStages(resolved, project.training) > 1) {
        std::int64_t const multiple = model::pipelineDepthMultiple(project.training.pipelineSchedule, stages, false);
        std::int64_t batch = std::min(samples, project.training.batchSize);
        while (batch > 0 && (samples % batch != 0 || samples / batch % multiple != 0)) --batch;
        if (batch > 0) {
            plan.batch = batch;
            plan.steps = multiple;
        } else {
            plan.project.model = model::withoutStages(project.model);
            plan.project.training.deviceMapping.clear();
            stages = 1;
        }
    }
    TW_ASSIGN(auto const machine, target::parseMachine(project.target));
    if (!machine.isEmulated()) return plan;
    int const ipus = model::ipusOf(model::stageIpus(plan.project.training.deviceMapping, stages));
    plan.project.target = machine.chip.name + ":tiles=" + std::to_string(machine.chip.tiles) + ",ipus=" + std::to_string(ipus)
        + (machine.kind == target::MachineKind::IpuModel ? ",model=1" : "");
    (void)plan.project.config.reset("auto_select_ipus");
    (void)plan.project.config.reset("select_ipus"); // how many IPUs; which device, whoever attaches says
    return plan;
}

namespace {

using CountSamples = std::function<Result<data::DataCounts>(JobContext const &)>;

Status requestEntriesFor(project::Project const &project, CountSamples const &count, compiler::CompileRequest &request,
                         JobContext const &job)
{
    auto const &plan = project.training;
    if (plan.validationExecutable != "shared") return {};
    TW_ASSIGN(auto const machine, compiler::effectiveMachine(project, request.environment));
    JobContext quiet;
    quiet.stop = job.stop;
    TW_ASSIGN(auto const counts, count(quiet));
    if (!machine.isEmulated()) {
        auto note = makeWarning("training.validation-executable", "training.validation_executable",
                                Message::of("no executable is shared: the target is the host's processor, which loads none."),
                                Message::of("Set training.validation_executable to own."));
        note.severity = Severity::Note;
        job.warn(std::move(note));
        return {};
    }
    request.validationSamples = counts.validation;
    // The samples of samplesToRead. Sample weights belong to the training's data; other samples may have none.
    if (project.data.sampleWeight.empty())
        request.inferenceSamples = counts.test > 0 ? counts.test : counts.validation > 0 ? counts.validation : counts.train;
    return {};
}

} // namespace

Status requestEntries(project::Project const &project, std::filesystem::path const &baseDir, compiler::CompileRequest &request,
                      JobContext const &job)
{
    auto const count = [&](JobContext const &quiet) { return data::countData(project::dataSource(project), baseDir, quiet); };
    return requestEntriesFor(project, count, request, job);
}

Status requestEntries(project::Project const &project, RunRequest const &run, compiler::CompileRequest &request, JobContext const &job)
{
    if (!run.samples) return requestEntries(project, run.baseDir, request, job);
    auto const count = [&](JobContext const &) -> Result<data::DataCounts> { return data::countsOf(run.samples->dataset); };
    return requestEntriesFor(project, count, request, job);
}

Result<std::optional<compiler::CompileOutcome>> trainingEntry(project::Project const &project, RunRequest const &request,
                                                              std::string_view name, JobContext const &job)
{
    std::optional<compiler::CompileOutcome> none;
    if (project.training.validationExecutable != "shared") return none;
    JobContext quiet; // an executable of its own says what there is to say
    quiet.stop = job.stop;
    quiet.progress = job.progress;
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Train;
    compileRequest.forReport = false;
    TW_TRY(requestEntries(project, request, compileRequest, quiet));
    if (compileRequest.inferenceSamples == 0) return none;
    auto compiled = compiler::compile(project, compileRequest, quiet);
    if (job.cancelled()) return cancelledError(std::string(name));
    auto const found = compiled.ok() && !compiled->outOfMemory ? compiled->executable->find(name) : std::nullopt;
    if (!found) {
        auto note = makeWarning(
            "training.shared-inference", "training.validation_executable",
            Message::of("the executable of the training has no entry %1 for these samples: one is compiled for it.", std::string(name)));
        note.severity = Severity::Note;
        job.warn(std::move(note));
        return none;
    }
    compiled->number = found->number();
    return std::optional(std::move(compiled).value());
}

Result<std::unique_ptr<Evaluator>> Evaluator::make(project::Project const &project, RunRequest const &request, Samples const &samples,
                                                   ThreadPool &pool, JobContext const &job)
{
    TW_ASSIGN(auto plan, planInference(project, samples.x.count()));
    if (&samples.y.forInput(std::string(data::kSampleWeights)) == &samples.y) plan.project.data.sampleWeight.clear();
    compiler::noteSmallBatch(plan.batch, project.training.batchSize, samples.x.count() / plan.steps, job);
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Evaluate;
    compileRequest.batch = plan.batch;
    compileRequest.steps = plan.steps;
    compileRequest.validationSamples = compileRequest.inferenceSamples = 0;
    TW_ASSIGN(auto const feeds, compiler::feedsOf(plan.project, compileRequest.kind, plan.batch));
    TW_TRY(checkAgainstModel(samples.x, samples.y, feeds, plan.batch, project));
    TW_ASSIGN(auto compiled, compiler::compile(plan.project, compileRequest, job));
    if (compiled.outOfMemory) return *compiled.outOfMemory;
    return of(std::move(compiled), project, request, samples, pool);
}

Result<std::unique_ptr<Evaluator>> Evaluator::of(compiler::CompileOutcome compiled, project::Project const &project,
                                                 RunRequest const &request, Samples const &samples, ThreadPool &pool)
{
    std::unique_ptr<Evaluator> e(new Evaluator);
    TW_TRY(checkAgainstModel(samples.x, samples.y, compiled.entry(), project));
    TW_ASSIGN(e->m_session, Session::load(std::move(compiled), request, deviceSeedOf(project.training), pool));
    e->feed(samples);
    return e;
}

Result<std::unique_ptr<Evaluator>> Evaluator::share(project::Project const &project, Samples const &samples, Session &training,
                                                    std::size_t entry)
{
    std::unique_ptr<Evaluator> e(new Evaluator);
    e->m_shared = true;
    TW_ASSIGN(e->m_session, Session::beside(training, entry));
    TW_TRY(checkAgainstModel(samples.x, samples.y, e->m_session->entry(), project));
    e->feed(samples);
    return e;
}

void Evaluator::feed(Samples const &samples)
{
    auto const entry = m_session->entry();
    m_turns = samples.x.count() / (entry->batchSize * entry.replicas());
    m_order.resize(static_cast<std::size_t>(samples.x.count()));
    std::iota(m_order.begin(), m_order.end(), 0u);
    m_session->feed({samples.x, samples.y, samples.scale});
}

Result<EvaluateOutcome> Evaluator::run(TrainingState const &state, JobContext const &job)
{
    auto const start = std::chrono::steady_clock::now();
    auto &session = *m_session;
    auto const entry = session.entry();
    TW_TRY(session.loadWeights(state));
    Cycles const before = session.cyclesSoFar();
    TW_ASSIGN(auto means, meansOf(session, m_order, m_turns, "Evaluate", job));
    EvaluateOutcome outcome;
    outcome.loss = means.loss;
    outcome.metrics = std::move(means.metrics);
    outcome.samples = m_turns * entry->batchSize * entry.replicas();
    outcome.batch = entry->batchSize;
    outcome.hostSeconds = secondsSince(start);
    outcome.device = session.deviceTime(m_turns, before);
    outcome.compiled = session.compiled();
    if (!std::isfinite(outcome.loss)) outcome.numeric = lossNotFinite(entry, outcome.loss, "evaluation", trainAgain());
    return outcome;
}

double Evaluator::loadingSeconds() const { return loadingSeconds(*m_session->compiled().executable); }

double Evaluator::loadingSeconds(executable::Executable const &executable) const
{
    auto const &machine = m_session->compiled().machine;
    if (m_shared || !machine.isEmulated()) return 0;
    return static_cast<double>(lowering::loadingCycles(executable.program, executable.memory, machine))
        / static_cast<double>(machine.chip.clockHz);
}

} // namespace tilewright::runtime
