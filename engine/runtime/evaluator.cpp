#include "engine/runtime/evaluator.h"

#include "engine/compiler/entry_graph.h"
#include "engine/compiler/project_rules.h"
#include "engine/data/data_counts.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/stages.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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
    TW_ASSIGN(auto compiled, compiler::compile(plan.project, compileRequest, job));
    if (compiled.outOfMemory) return *compiled.outOfMemory;
    auto const seed = static_cast<std::uint64_t>(project.training.seed);
    TW_ASSIGN(e->m_session, Session::load(std::move(compiled), request, seed, pool));
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
    MetricMeans means(entry->outfeed);
    session.onOutput = [&](int, int index, std::span<std::byte const> bytes) -> Status {
        float value = 0;
        std::memcpy(&value, bytes.data(), sizeof value);
        means.add(static_cast<std::size_t>(index), value);
        return {};
    };
    session.begin(m_order, 0, m_turns);
    Cycles const before = session.cyclesSoFar();
    std::int64_t const first = session.steps();
    auto const tell = [&] {
        std::int64_t const done = session.steps() - first;
        if ((done - entry->stepsPerExecution) % 64 == 0) job.report("Evaluate", static_cast<double>(done) / static_cast<double>(m_turns));
        return false;
    };
    TW_TRY(session.run({m_turns, tell}, job, job));
    EvaluateOutcome outcome;
    outcome.loss = means.loss();
    outcome.metrics = means.metrics();
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
