#include "engine/runtime/tuning.h"

#include "engine/core/pipeline_schedule.h"
#include "engine/core/text.h"
#include "engine/model/stages.h"
#include "engine/runtime/proposal_parts.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

namespace tilewright::runtime {

namespace {

using project::Project;

using namespace fields;

constexpr std::size_t kCuts = 3; ///< into so many stages; costs of layers do not tell all of a pipeline's time

/// `base` with the fields of `more` in place of its own. The limit of the data is found anew for both.
Proposal merged(Proposal base, Proposal const &more)
{
    std::erase_if(base.set, [](auto const &field) { return field.first == kLimit; });
    for (auto const &[path, value] : more.set) {
        auto const it = std::ranges::find(base.set, path, &std::pair<std::string, std::string>::first);
        if (it == base.set.end()) base.set.emplace_back(path, value);
        else it->second = value;
    }
    return base;
}

/// Better ones are smaller.
auto rank(Trial const &trial)
{
    return std::tuple(!trial.fits, trial.fits ? -trial.samplesPerSecond : trial.share(), trial.proposal.set.size(), trial.withGaps);
}

bool cameToTheSame(Trial const &a, Trial const &b)
{
    return a.fits == b.fits && a.withGaps == b.withGaps && a.need == b.need && a.samplesPerSecond == b.samplesPerSecond;
}

class Tuner {
public:
    Tuner(Project const &project, compiler::CompileRequest const &request, TuneRequest const &tuning, JobContext const &job)
        : m_project(project), m_request(request), m_tuning(tuning), m_job(job)
    {
    }

    Result<Tuning> run()
    {
        // One compile is made in any case: what the others are held against.
        TW_ASSIGN(auto present, tryProposal(m_project, {}, m_request, m_job));
        m_found.tried = 1;
        m_found.trials.push_back(std::move(present));
        if (m_tuning.fields.empty()) climb();
        else combinations();
        m_found.complete = m_found.inTime && (m_tuning.fields.empty() || m_found.refused.empty());
        std::ranges::stable_sort(m_found.trials, {}, rank);
        return std::move(m_found);
    }

private:
    double secondsLeft() const
    {
        return m_tuning.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }
    bool isOver()
    {
        if (m_job.cancelled() || secondsLeft() <= 0) m_found.inTime = false;
        return !m_found.inTime;
    }

    /// The trial, kept nowhere; nothing where it was made before, refused, or cancelled.
    std::optional<Trial> attempt(Proposal const &wish)
    {
        auto const refuse = [&](Diagnostic reason) { m_found.refused.push_back({wish, std::move(reason)}); };
        auto proposal = settled(m_project, wish, m_tuning.samples, m_tuning.fields.empty() ? WishIs::Near : WishIs::Exact);
        if (!proposal.ok()) {
            if (proposal.error().code != "proposal.same" && m_seen.insert("refused " + toText(wish)).second) refuse(proposal.error());
            return std::nullopt;
        }
        if (!m_seen.insert(toText(*proposal)).second) return std::nullopt;
        if (m_tuning.progress) m_tuning.progress(m_found.tried, best());
        auto trial = tryProposal(m_project, *proposal, m_request, m_job);
        if (m_job.cancelled()) {
            m_found.inTime = false;
            return std::nullopt;
        }
        ++m_found.tried;
        if (!trial.ok()) {
            refuse(trial.error());
            return std::nullopt;
        }
        return std::move(*trial);
    }

    Trial const *best() const
    {
        auto const it = std::ranges::min_element(m_found.trials, {}, rank);
        return it->fits ? &*it : nullptr;
    }

    /// Group after group, each change made to the best so far; again as long as that found something better.
    void climb()
    {
        auto const costs = layerCosts(m_project, m_request, m_job);
        auto const groups = usualChanges(m_project, costs.ok() ? &*costs : nullptr);
        climb(groups);
        // What is fast and fits is looked for from what fits at all.
        if (best() || isOver()) return;
        RemedySearch search{.seconds = secondsLeft(), .samples = m_tuning.samples};
        if (m_tuning.progress) search.progress = [this, before = m_found.tried](int tried) { m_tuning.progress(before + tried, nullptr); };
        auto remedies = findRemedies(m_project, m_request, search, m_job);
        m_found.tried += remedies.tried;
        m_found.inTime = m_found.inTime && remedies.complete;
        for (auto &trial : remedies.fitting)
            if (m_seen.insert(toText(trial.proposal)).second) m_found.trials.push_back(std::move(trial));
        if (best()) climb(groups);
    }

    void climb(std::vector<std::vector<Proposal>> const &groups)
    {
        for (bool better = true; better;) {
            better = false;
            for (auto const &group : groups) {
                auto const base = *std::ranges::min_element(m_found.trials, {}, rank);
                for (auto const &change : group) {
                    if (isOver()) return;
                    auto trial = attempt(merged(base.proposal, change));
                    if (!trial) continue;
                    if (std::ranges::any_of(m_found.trials, [&](auto const &known) { return cameToTheSame(known, *trial); })) {
                        ++m_found.withoutEffect;
                        continue;
                    }
                    better = better || rank(*trial) < rank(base);
                    m_found.trials.push_back(std::move(*trial));
                }
            }
        }
    }

    void combinations()
    {
        std::vector<std::size_t> at(m_tuning.fields.size());
        for (bool more = true; more;) {
            if (isOver()) return;
            Proposal wish;
            for (std::size_t i = 0; i < at.size(); ++i) wish.set.emplace_back(m_tuning.fields[i].path, m_tuning.fields[i].values[at[i]]);
            if (auto trial = attempt(wish)) m_found.trials.push_back(std::move(*trial));
            std::size_t i = at.size();
            while (i > 0 && ++at[i - 1] == m_tuning.fields[i - 1].values.size()) at[--i] = 0;
            more = i > 0;
        }
    }

    Project const &m_project;
    compiler::CompileRequest const &m_request;
    TuneRequest const &m_tuning;
    JobContext const &m_job;
    Tuning m_found;
    std::set<std::string> m_seen;
    std::chrono::steady_clock::time_point const m_start = std::chrono::steady_clock::now();
};

} // namespace

std::vector<std::vector<Proposal>> usualChanges(Project const &project, LayerCosts const *costs)
{
    std::vector<std::vector<Proposal>> groups;
    auto const machine = project::machineOf(project);
    auto const resolved = model::resolve(project.model);
    if (!machine.ok() || !resolved.ok() || !machine->isEmulated()) return groups;
    auto const distribution = compiler::distribute(project, *resolved, *machine);
    auto const used = distribution.ok() ? distribution->ipusPerReplica : 1;
    auto const add = [&groups](std::vector<Proposal> group) {
        if (!group.empty()) groups.push_back(std::move(group));
    };

    std::vector<Proposal> stages, replicas, accumulation, batch;
    if (!resolved->pipelined() && costs)
        for (int count = 2; count <= machine->ipus; count *= 2)
            for (auto &wish : inStages(project, count, *costs, kCuts)) stages.push_back(std::move(wish));
    add(std::move(stages));
    for (std::int64_t count = 1; count * used <= machine->ipus; count *= 2)
        if (machine->ipus > 1) replicas.push_back({{{kReplicas, std::to_string(count)}}});
    add(std::move(replicas));
    auto const plan = project.training;
    for (int const factor : {2, 4}) accumulation.push_back({{{kAccumulation, std::to_string(plan.gradientAccumulationSteps * factor)}}});
    add(std::move(accumulation));

    if (model::pipelineStages(*resolved, plan) > 0) {
        std::vector<Proposal> schedules;
        for (auto schedule : {PipelineSchedule::Grouped, PipelineSchedule::Interleaved, PipelineSchedule::Sequential})
            if (pipelineScheduleOf(plan.pipelineSchedule) != schedule) schedules.push_back({{{kSchedule, std::string(toText(schedule))}}});
        add(std::move(schedules));
        add({{{{kRecompute, project.config.boolean("allow_recompute") ? "false" : "true"}}}});
    }

    // Fewer bytes from the host (for samples that are known to be bytes), and transfers behind the compute steps.
    std::vector<Proposal> feeds;
    if (project.data.path.empty() && project.data.convert == "host") feeds.push_back({{{kConvert, "device"}}});
    if (!project.config.boolean("io_tiles.place_ops_on_io_tiles")) {
        feeds.push_back({{{kIoTiles, "32"}, {kOnIoTiles, "true"}}});
        if (plan.stepsPerExecution < 2) feeds.back().set.emplace_back(kExecution, "8");
    }
    add(std::move(feeds));
    if (model::pipelineStages(*resolved, plan) > 0 && machine->streamingBytes > 0 && !plan.offloadActivations)
        add({{{{kOffloadActivations, "true"}}}});
    if (plan.recurrentCheckpoints == 0) {
        std::vector<Proposal> checkpoints;
        for (auto const count : recurrentCheckpoints(*resolved))
            checkpoints.push_back({{{kRecompute, "true"}, {kRecurrentCheckpoints, std::to_string(count)}}});
        add(std::move(checkpoints));
    }

    add({{{{kProductPartials, "half"}}}});
    add({{{{kConvolutionPartials, "half"}}}});
    if (!project.config.boolean("matmuls.clear_pass_type")) add({{{{kClearPassType, "true"}}}});
    for (auto const *path : {kProductShare, kConvolutionShare}) {
        std::vector<Proposal> shares;
        for (auto const *share : {"0.1", "0.3", "0.6", "0.9"}) shares.push_back({{{path, share}}});
        add(std::move(shares));
    }

    if (plan.batchSize % 2 == 0) batch.push_back({{{kBatch, std::to_string(plan.batchSize / 2)}}});
    for (int const factor : {2, 4}) batch.push_back({{{kBatch, std::to_string(plan.batchSize * factor)}}});
    add(std::move(batch));
    return groups;
}

Result<Tuning> tune(Project const &project, compiler::CompileRequest const &request, TuneRequest const &tuning, JobContext const &job)
{
    return Tuner(project, request, tuning, job).run();
}

bool changesResults(Proposal const &proposal)
{
    static constexpr std::string_view kParts[] = {"training.", "data.", "model."};
    return std::ranges::any_of(proposal.set, [](auto const &field) {
        std::string_view const path = field.first;
        if (path == kConvert || path == "training.steps_per_execution" || path == "training.pipeline_schedule" || path.ends_with(".stage"))
            return false;
        if (path.starts_with("training.offload_") || path.starts_with("training.replicated_")) return false; // where variables live
        return path.ends_with(".partialsType") || std::ranges::any_of(kParts, [path](auto part) { return path.starts_with(part); });
    });
}

} // namespace tilewright::runtime
