#include "engine/runtime/stage_advice.h"

#include "engine/core/time_limit.h"
#include "engine/model/stages.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace tilewright::runtime {

namespace {

/// Smaller is better.
auto verdictOf(Trial const &trial) { return std::tuple(!trial.fits, trial.fits ? trial.cyclesPerStep : trial.share()); }

/// The settings for stages, adapted to the data where possible; otherwise `obstacle` states the reason.
std::optional<Proposal> wishFor(project::Project const &project, std::vector<int> const &stages, std::optional<std::int64_t> samples,
                                std::optional<Diagnostic> *obstacle = nullptr)
{
    auto wish = inStages(project, stages);
    if (!wish) return wish;
    auto bent = settled(project, *wish, samples);
    if (bent.ok()) return std::move(*bent);
    if (obstacle) *obstacle = bent.error();
    return wish;
}

} // namespace

Result<StageAdvice> adviseStages(project::Project const &project, int count, compiler::CompileRequest const &request,
                                 AdviceSearch const &search, JobContext const &job)
{
    auto const start = std::chrono::steady_clock::now();
    StageAdvice advice;
    TW_ASSIGN(auto const resolved, model::resolve(model::withoutStages(project.model)));
    TW_ASSIGN(advice.layers, layerCosts(project, request, job));
    auto const plan = cutPlan(project);
    TW_ASSIGN(auto const cuts,
              model::bestCuts(resolved, advice.layers.costs, count, plan, static_cast<std::size_t>(std::max(1, search.trials))));
    auto best = cuts.begin();
    // One stage is no pipeline. Costs as multiply-adds mean that no compile works.
    bool const compiles = count > 1 && search.seconds > 0 && search.trials > 0 && advice.layers.costs.unit == model::CostUnit::Cycles;
    for (auto cut = cuts.begin(); compiles && cut != cuts.end(); ++cut) {
        double const left = search.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (job.cancelled() || left <= 0) {
            advice.complete = false;
            break;
        }
        auto const wish = wishFor(project, cut->stages, search.samples);
        if (!wish) break;
        if (search.progress) search.progress(advice.tried, static_cast<int>(cuts.size()));
        TimeLimit const limit(job, left);
        auto trial = tryProposal(project, *wish, request, limit.job());
        if (limit.job().cancelled()) {
            advice.complete = false;
            break;
        }
        ++advice.tried;
        if (!trial.ok() || (advice.trial && verdictOf(*advice.trial) <= verdictOf(*trial))) continue;
        advice.trial = std::move(*trial);
        best = cut;
    }
    advice.stages = best->stages;
    if (auto const wish = wishFor(project, best->stages, search.samples, count > 1 ? &advice.obstacle : nullptr); wish && count > 1)
        for (auto const &field : wish->set)
            if (!field.first.ends_with(".stage")) advice.settings.push_back(field);
    advice.costs = model::stageCosts(resolved, advice.layers.costs, advice.stages, plan.recompute);
    advice.microBatches = model::pipelineDepth(plan, count);
    advice.expected = advice.trial ? advice.trial->cyclesPerStep : best->cost;
    return advice;
}

} // namespace tilewright::runtime
