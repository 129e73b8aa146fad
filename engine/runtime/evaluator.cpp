#include "engine/runtime/evaluator.h"

#include "engine/compiler/entry_graph.h"
#include "engine/compiler/project_rules.h"
#include "engine/data/data_counts.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/stages.h"

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
    if (stages > 1) {
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

Status countValidation(project::Project const &project, std::filesystem::path const &baseDir, compiler::CompileRequest &request,
                       JobContext const &job)
{
    auto const &plan = project.training;
    if (plan.validationExecutable != "shared") return {};
    TW_ASSIGN(auto const machine, compiler::effectiveMachine(project, request.environment));
    JobContext quiet;
    quiet.stop = job.stop;
    TW_ASSIGN(auto const counts, data::countData(project::dataSource(project), baseDir, quiet));
    auto const idle = [&](Message message) {
        auto note = makeWarning("training.validation-executable", "training.validation_executable", std::move(message),
                                Message::of("Set training.validation_executable to own."));
        note.severity = Severity::Note;
        job.warn(std::move(note));
        return Status();
    };
    if (!machine.isEmulated()) return idle(Message::of("no executable is shared: the target is the host's processor, which loads none."));
    if (counts.validation == 0) return idle(Message::of("no executable is shared: there are no validation samples."));
    request.validationSamples = counts.validation;
    return {};
}

Result<std::unique_ptr<Evaluator>> Evaluator::make(project::Project const &project, RunRequest const &request, Samples const &samples,
                                                   ThreadPool &pool, JobContext const &job)
{
    std::unique_ptr<Evaluator> e(new Evaluator);
    TW_ASSIGN(e->m_synthetic, config::syntheticData(request.compile.environment.flags));
    TW_ASSIGN(auto plan, planInference(project, samples.x.count()));
    if (&samples.y.forInput(std::string(data::kSampleWeights)) == &samples.y) plan.project.data.sampleWeight.clear();
    compiler::noteSmallBatch(plan.batch, project.training.batchSize, samples.x.count() / plan.steps, job);
    auto compileRequest = request.compile;
    compileRequest.kind = compiler::RunKind::Evaluate;
    compileRequest.batch = plan.batch;
    compileRequest.steps = plan.steps;
    compileRequest.forReport = false;
    compileRequest.validationSamples = 0;
    TW_ASSIGN(auto const feeds, compiler::feedsOf(plan.project, compileRequest.kind, plan.batch));
    TW_TRY(checkAgainstModel(samples.x, samples.y, feeds, plan.batch, project));
    TW_ASSIGN(e->m_compiled, compiler::compile(plan.project, compileRequest, job));
    if (e->m_compiled.outOfMemory) return *e->m_compiled.outOfMemory;
    TW_ASSIGN(e->m_executor, makeExecutor(request, e->m_compiled, static_cast<std::uint64_t>(project.training.seed), pool));
    e->feed(samples);
    return e;
}

Result<std::unique_ptr<Evaluator>> Evaluator::share(project::Project const &project, RunRequest const &request, Samples const &samples,
                                                    compiler::CompileOutcome const &trained, Executor &executor, ThreadPool &pool)
{
    std::unique_ptr<Evaluator> e(new Evaluator);
    e->m_shared = true;
    TW_ASSIGN(e->m_synthetic, config::syntheticData(request.compile.environment.flags));
    e->m_compiled.executable = std::make_shared<executable::Executable>(executable::furtherEntry(*trained.executable, 0));
    e->m_compiled.machine = trained.machine;
    auto const &exe = *e->m_compiled.executable;
    TW_TRY(checkAgainstModel(samples.x, samples.y, exe, project));
    if (request.mode == Mode::Tile) {
        e->m_executor = makeTileEntryExecutor(executor, exe, 1);
    } else {
        TW_ASSIGN(e->m_executor, makeExecutor(request, e->m_compiled, static_cast<std::uint64_t>(project.training.seed), pool));
    }
    e->feed(samples);
    return e;
}

void Evaluator::feed(Samples const &samples)
{
    auto const &exe = *m_compiled.executable;
    m_turns = samples.x.count() / (exe.batchSize * exe.replicas);
    m_order.resize(static_cast<std::size_t>(samples.x.count()));
    std::iota(m_order.begin(), m_order.end(), 0u);
    m_infeed =
        std::make_unique<Infeed>(samples.x, samples.y, static_cast<float>(samples.scale), exe.infeed, exe.batchSize, exe.replicas, 3);
}

Result<EvaluateOutcome> Evaluator::run(TrainingState const &state, JobContext const &job)
{
    auto const start = std::chrono::steady_clock::now();
    auto const &exe = *m_compiled.executable;
    TW_TRY(loadWeights(*m_executor, exe, state));
    MetricMeans means(exe.outfeed);
    StreamHandlers streams;
    streams.toDevice = [&](int r, int index, std::byte *to, std::size_t bytes) { return m_infeed->next(r, index, to, bytes); };
    streams.fromDevice = [&](int, int index, std::byte const *from, std::size_t) -> Status {
        means.add(static_cast<std::size_t>(index), *reinterpret_cast<float const *>(from));
        return {};
    };
    streams = withSynthetic(std::move(streams), m_synthetic, exe);
    m_infeed->begin(m_order, 0, m_turns);
    Cycles const before = measuredSoFar(*m_executor);
    for (std::int64_t t = 0; t < m_turns; t += exe.stepsPerExecution) {
        TW_TRY(m_executor->run(streams, job));
        if (t % 64 == 0) job.report("Evaluate", static_cast<double>(t) / static_cast<double>(m_turns));
    }
    EvaluateOutcome outcome;
    outcome.loss = means.loss();
    outcome.metrics = means.metrics();
    outcome.samples = m_turns * exe.batchSize * exe.replicas;
    outcome.batch = exe.batchSize;
    outcome.hostSeconds = secondsSince(start);
    outcome.device = deviceTime(m_compiled, *m_executor, m_turns, before);
    outcome.compiled = m_compiled;
    if (!std::isfinite(outcome.loss)) outcome.numeric = lossNotFinite(exe, outcome.loss, "evaluation", trainAgain());
    return outcome;
}

double Evaluator::loadingSeconds() const { return loadingSeconds(*m_compiled.executable); }

double Evaluator::loadingSeconds(executable::Executable const &executable) const
{
    auto const &machine = m_compiled.machine;
    if (m_shared || !machine.isEmulated()) return 0;
    return static_cast<double>(lowering::loadingCycles(executable.program, executable.memory, machine))
        / static_cast<double>(machine.chip.clockHz);
}

} // namespace tilewright::runtime
