#include "engine/compiler/project_rules.h"

#include "engine/compiler/entry_graph.h"
#include "engine/config/validate.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/placeholder.h"
#include "engine/model/plan_rules.h"
#include "engine/model/stages.h"
#include "engine/ops/op_def.h"

#include <algorithm>

namespace tilewright::compiler {

namespace {

/// Collects problems; one that two rules find is kept once.
class Judge {
public:
    Judge(project::Project const &project, RuleInputs const &inputs) : m_project(project), m_inputs(inputs) {}

    Judgement run()
    {
        add(config::checkDeviceSelection(m_project.config));
        keep(m_found.machine, effectiveMachine(m_project, m_inputs.environment));
        keep(m_found.model, model::resolve(m_project.model));
        if (m_found.model)
            for (auto const &layer : m_found.model->layers)
                if (model::isPlaceholder(layer.layer)) add(model::placeholderRefusal(layer.layer));
        if (m_found.model) plan(*m_found.model);
        if (m_found.machine && m_found.model) keep(m_found.distribution, distribute(m_project, *m_found.model, *m_found.machine));
        configuration();
        if (m_found.machine && m_found.distribution && m_inputs.samples && m_inputs.kind == RunKind::Train) epoch(*m_inputs.samples);
        return std::move(m_found);
    }

private:
    void add(Diagnostic problem)
    {
        if (std::ranges::find(m_found.problems, problem) == m_found.problems.end()) m_found.problems.push_back(std::move(problem));
    }
    void add(Status const &status)
    {
        if (!status.ok()) add(status.error());
    }
    template <typename T> void keep(std::optional<T> &to, Result<T> found)
    {
        if (found.ok()) to = std::move(found).value();
        else add(found.error());
    }

    void plan(model::ResolvedModel const &model)
    {
        if (m_inputs.kind == RunKind::Evaluate) add(model::checkOutputs(m_project.training, model));
        if (m_inputs.kind != RunKind::Train) return;
        for (auto &problem : model::trainingPlanProblems(m_project.training, model)) add(std::move(problem));
        constexpr auto kNormGroup = "norms.experimental.distributed_batch_norm_replica_group_size";
        if (m_project.config.integer(kNormGroup) > 1 && model::pipelineStages(model, m_project.training) > 0)
            add(makeError(ErrorKind::Invalid, "config.conflict", config::placeOf(config::OptionCategory::IpuConfig, kNormGroup),
                          Message::of("distributed batch norm does not work in a pipeline"),
                          Message::of("Set it to 1, or leave the model in one stage.")));
        if (m_project.training.offloadActivations && model::pipelineStages(model, m_project.training) == 0)
            add(makeWarning("training.no-pipeline", "training.offload_activations",
                            Message::of("only activations that wait between the stages of a pipeline are offloaded, and the model has no "
                                        "pipeline: the option has no effect"),
                            Message::of("Cut the model into stages (`tilewright stages`), or set it to false.")));
    }

    void configuration()
    {
        config::SystemFacts facts;
        facts.replicas = m_found.distribution ? m_found.distribution->replicas : static_cast<int>(m_project.training.replicas);
        if (m_found.machine) {
            facts.usesModel = m_found.machine->kind == target::MachineKind::IpuModel;
            facts.ipus = project::systemIpus(m_project);
            if (m_found.machine->isEmulated()) facts.architecture = m_found.machine->chip.architecture;
        }
        for (auto &problem : config::crossChecks(m_project.config, facts)) add(std::move(problem));
    }

    void epoch(std::int64_t samples)
    {
        auto const &plan = m_project.training;
        if (plan.batchSize < 1 || plan.stepsPerExecution < 1) return; // said above
        DiagnosticSink warnings;
        JobContext job;
        job.warnings = &warnings;
        auto const steps = model::stepsPerEpoch(plan, samples, m_found.distribution->replicas, m_found.machine->isEmulated(), job,
                                                project::dataSource(m_project).validationSplit);
        if (steps.ok()) m_found.stepsPerEpoch = *steps;
        else if (std::ranges::find(m_found.problems, steps.error().code, &Diagnostic::code) == m_found.problems.end()) add(steps.error());
        for (auto const &warning : warnings.all()) add(warning);
    }

    project::Project const &m_project;
    RuleInputs const &m_inputs;
    Judgement m_found;
};

} // namespace

Diagnostic const *Judgement::error() const
{
    auto const it = std::ranges::find(problems, Severity::Error, &Diagnostic::severity);
    return it == problems.end() ? nullptr : &*it;
}

Status Judgement::status() const
{
    auto const *first = error();
    return first ? Status(*first) : Status();
}

Judgement judge(project::Project const &project, RuleInputs const &inputs) { return Judge(project, inputs).run(); }

Result<std::vector<graph::FeedSpec>> feedsOf(project::Project const &project, RunKind kind, std::int64_t batch)
{
    TW_ASSIGN(auto const resolved, model::resolve(project.model));
    auto plan = project.training;
    plan.batchSize = batch;
    plan.sampleWeights = !project.data.sampleWeight.empty();
    TW_ASSIGN(auto const step,
              kind == RunKind::Predict ? layers::buildOutputs(resolved, batch, ops::opLookup(), inputFeeds(project))
                                       : layers::buildJudged(resolved, plan, kind == RunKind::Train, ops::opLookup(), inputFeeds(project)));
    std::vector<graph::FeedSpec> feeds;
    for (auto const &spec : step.infeed) feeds.push_back({spec.name, spec.shape, spec.dtype});
    return feeds;
}

} // namespace tilewright::compiler
