// What the rules of plan and data want to be changed together.
#include "engine/compiler/project_rules.h"
#include "engine/config/option_value.h"
#include "engine/core/held_out.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/stages.h"
#include "engine/runtime/proposal_parts.h"

#include <algorithm>
#include <bit>

namespace tilewright::runtime {

namespace {

using project::Project;
using namespace fields;

/// A proposal on its way through the rules.
struct Bent {
    Proposal proposal;
    Project changed;
    std::optional<std::int64_t> samples;

    compiler::Judgement judged() const { return compiler::judge(changed, {compiler::RunKind::Train, samples, {}}); }
};

class Bender {
public:
    Bender(Project const &project, std::optional<std::int64_t> samples, WishIs how, model::EpochWish const &epoch)
        : m_project(project), m_samples(samples), m_how(how), m_epoch(epoch)
    {
    }

    Result<Bent> bend(Proposal const &wish) const
    {
        Bent bent{wish, {}, {}};
        TW_ASSIGN(bent.changed, withProposal(m_project, wish));
        bent.samples = samplesAfter(m_project, bent.changed, m_samples);
        auto const judged = compiler::judge(bent.changed, {});
        if (!judged.machine || !judged.model) return *judged.error();
        auto const asked = static_cast<int>(std::max<std::int64_t>(1, bent.changed.training.replicas));
        int const replicas = judged.distribution ? judged.distribution->replicas : asked; // too few IPUs are another rule's matter
        accumulate(bent, *judged.model);
        if (bent.changed.training.batchSize < 1 || bent.changed.training.stepsPerExecution < 1) return bent; // the plan's rules say so
        if (bent.samples && *bent.samples > 0) TW_TRY(epoch(bent, *judged.machine, replicas));
        else TW_TRY(unknownEpoch(bent));
        TW_ASSIGN(bent.changed, withProposal(m_project, bent.proposal));
        return bent;
    }

private:
    bool keeps(Proposal const &proposal, char const *path) const { return m_how == WishIs::Exact && touches(proposal, path); }

    /// Micro-batches of an update as the schedule takes them.
    void accumulate(Bent &bent, model::ResolvedModel const &model) const
    {
        auto &plan = bent.changed.training;
        if (model::pipelineStages(model, plan) == 0 || keeps(bent.proposal, kAccumulation)) return;
        auto const multiple = model::pipelineDepthMultiple(plan.pipelineSchedule, model.stages(), true);
        auto const accumulation = roundUp(std::max<std::int64_t>(1, plan.gradientAccumulationSteps), multiple);
        if (accumulation == plan.gradientAccumulationSteps) return;
        plan.gradientAccumulationSteps = accumulation;
        put(bent.proposal, kAccumulation, accumulation);
    }

    Status epoch(Bent &bent, target::Machine const &machine, int replicas) const
    {
        auto const &plan = bent.changed.training;
        auto wish = m_epoch;
        wish.keepsBatch = wish.keepsBatch || keeps(bent.proposal, kBatch);
        wish.keepsExecution = wish.keepsExecution || keeps(bent.proposal, kExecution);
        wish.mayLimit = wish.mayLimit && !touches(bent.proposal, kLimit);
        auto const present = m_project.training.batchSize;
        if (m_how == WishIs::Near && touches(bent.proposal, kBatch)) { // a larger batch stays larger
            if (plan.batchSize > present) wish.batchAbove = present;
            if (plan.batchSize < present) wish.batchBelow = present;
        }
        auto const split = project::dataSource(bent.changed).validationSplit;
        auto const fit = model::fitEpoch(plan, *bent.samples, replicas, machine.isEmulated(), split, wish);
        if (!fit) return noFit(bent, replicas);
        if (fit->batch != plan.batchSize) put(bent.proposal, kBatch, fit->batch);
        if (fit->execution != plan.stepsPerExecution) put(bent.proposal, kExecution, fit->execution);
        if (fit->limit > 0) put(bent.proposal, kLimit, fit->limit);
        bent.samples = *bent.samples - fit->dropped;
        return {};
    }

    Status noFit(Bent const &bent, int replicas) const
    {
        if (m_how == WishIs::Exact) return {}; // the rule itself says why
        auto const &plan = bent.changed.training;
        if (touches(bent.proposal, kBatch))
            return makeError(ErrorKind::Invalid, "proposal.batch", kBatch,
                             Message::of("no batch size near %1 divides the %2 samples", std::to_string(plan.batchSize), *bent.samples),
                             Message::of("Set data.limit to a number with more divisors."));
        return makeError(ErrorKind::Invalid, "proposal.updates", kAccumulation,
                         Message::of("the %1 steps of an epoch hold no whole number of updates of %2 steps",
                                     *bent.samples / plan.batchSize / std::max(1, replicas), plan.gradientAccumulationSteps),
                         Message::of("Use a batch size, replicas or accumulation whose product divides the samples."));
    }

    /// Whole updates are all that can be seen to.
    Status unknownEpoch(Bent &bent) const
    {
        auto const &plan = bent.changed.training;
        auto const present = m_project.training.batchSize;
        auto const accumulation = std::max<std::int64_t>(1, plan.gradientAccumulationSteps);
        bool const whole = plan.stepsPerExecution % accumulation == 0;
        if (m_how == WishIs::Near) {
            // A batch that divides the present one divides what that one divides.
            bool const divides = plan.batchSize == present || (plan.batchSize > 0 && present % plan.batchSize == 0);
            if (!touches(bent.proposal, kExecution) && divides && whole) return {};
            return makeError(ErrorKind::Data, "proposal.samples", touches(bent.proposal, kExecution) ? kExecution : kBatch,
                             Message::of("the number of samples decides whether this trains, and the data could not be counted"),
                             Message::of("Make the data readable first."));
        }
        if (!whole && !keeps(bent.proposal, kExecution))
            put(bent.proposal, kExecution, roundUp(std::max<std::int64_t>(1, plan.stepsPerExecution), accumulation));
        return {};
    }

    Project const &m_project;
    std::optional<std::int64_t> m_samples;
    WishIs m_how;
    model::EpochWish const &m_epoch;
};

/// Only what differs: setting a field to what it is would be no change to offer.
void dropUnchanged(Proposal &proposal, Project const &project)
{
    std::erase_if(proposal.set, [&](auto const &field) {
        auto const before = project::field(project, field.first);
        return before.ok() && *before == field.second;
    });
}

// ---- ways out of one error -----------------------------------------------------------------------------

struct Candidate {
    Proposal wish;
    model::EpochWish epoch = {};
};

Candidate setting(char const *path, std::string value) { return {{{{path, std::move(value)}}}, {}}; }
Candidate setting(char const *path, std::int64_t value) { return setting(path, std::to_string(value)); }

/// IPUs of a replica, on whatever machine.
int ipusPerReplica(Project const &project)
{
    auto const resolved = model::resolve(project.model);
    return resolved.ok() ? model::ipusOf(model::stageIpus(project.training.deviceMapping, resolved->stages())) : 1;
}

/// A device with as many IPUs as the model and its replicas need, of the system or of a larger one.
std::vector<Candidate> moreIpus(Project const &project)
{
    std::vector<Candidate> all;
    int const each = ipusPerReplica(project);
    auto const replicas = std::max<std::int64_t>(1, project.training.replicas);
    auto const needed = static_cast<int>(std::bit_ceil(static_cast<std::uint64_t>(each * replicas)));
    auto const system = target::parseMachine(project.target);
    auto const &selected = project.config.list("auto_select_ipus");
    Proposal select;
    if (!selected.empty() && selected.front() != needed) select.set.emplace_back(kAutoSelect, "[" + std::to_string(needed) + "]");
    if (system.ok() && system->ipus >= needed && !select.set.empty()) all.push_back({select, {}});
    if (system.ok() && system->ipus < needed)
        if (auto const larger = targetWithIpus(project, needed); !larger.empty()) {
            select.set.emplace_back(kTarget, larger);
            all.push_back({std::move(select), {}});
        }
    if (replicas > 1) all.push_back(setting(kReplicas, 1));
    if (!selected.empty()) all.push_back(setting(kAutoSelect, "[]"));
    return all;
}

/// Fewer replicas, or a smaller batch for those that there are.
std::vector<Candidate> fewerReplicas(Project const &project, std::optional<std::int64_t> samples)
{
    std::vector<Candidate> all;
    auto const &plan = project.training;
    std::int64_t const batches = samples ? *samples / std::max<std::int64_t>(1, plan.batchSize) : 1;
    all.push_back({{}, {.batchBelow = plan.batchSize, .mayLimit = false}});
    for (auto count = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, batches)))); count > 1;
         count /= 2)
        all.push_back(setting(kReplicas, count));
    // One replica takes all IPUs that are not shared out: the device must be no larger than it.
    all.push_back({{{{kReplicas, "1"}, {kAutoSelect, "[" + std::to_string(ipusPerReplica(project)) + "]"}}}, {}});
    return all;
}

std::vector<Candidate> otherTargets(Project const &project)
{
    std::vector<Candidate> all;
    // parseMachine refuses the text as a whole: read the number of IPUs and the tiles apart.
    auto const at = project.target.find("ipus=");
    if (at == std::string::npos) return all;
    int ipus = 0;
    for (std::size_t i = at + 5; i < project.target.size() && project.target[i] >= '0' && project.target[i] <= '9' && ipus < 1000; ++i)
        ipus = 10 * ipus + (project.target[i] - '0');
    auto alone = project;
    std::string text = project.target;
    auto end = text.find(',', at);
    text.erase(at, end == std::string::npos ? std::string::npos : end + 1 - at);
    if (text.ends_with(',') || text.ends_with(':')) text.pop_back();
    alone.target = text;
    auto const whole = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::clamp(ipus, 1, 64))));
    for (int const count : {whole, whole / 2})
        if (count >= 1)
            if (auto const other = targetWithIpus(alone, count); !other.empty()) all.push_back(setting(kTarget, other));
    return all;
}

std::vector<Candidate> configurationResets(Project const &project, Diagnostic const &problem)
{
    std::vector<Candidate> all;
    std::string const &path = problem.subject;
    if (path == "ipu_config.io_tiles.place_ops_on_io_tiles" && problem.code == "config.conflict")
        all.push_back(setting("ipu_config.io_tiles.num_io_tiles", 32)); // what the guide of the option suggests
    if (path == "ipu_config.device_connection.version")
        if (auto const machine = project::machineOf(project); machine.ok() && machine->isEmulated())
            all.push_back(setting("ipu_config.device_connection.version", machine->chip.architecture));
    if (auto const &given = project.config.list("auto_select_ipus"); path == kAutoSelect && !given.empty()) {
        auto const wanted = static_cast<unsigned>(std::clamp<std::int64_t>(given.front(), 1, targetIpus(project)));
        all.push_back(setting(kAutoSelect, "[" + std::to_string(std::bit_floor(wanted)) + "]"));
    }
    if (auto const *option = config::IpuConfig::metadata(path); option && !project.config.isDefault(option->path))
        all.push_back({{{{path, config::toText(option->defaultValue)}}}, {}});
    return all;
}

std::vector<Candidate> candidates(Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples)
{
    auto const &code = problem.code;
    auto const &plan = project.training;
    if (problem.severity == Severity::Note) return {}; // says what happens; nothing is wrong
    if (code == "data.replicas" && problem.severity != Severity::Error) return {};
    if (code == "training.accumulation") return {{{}, {}}};
    if (code == "training.steps-per-execution")
        return {{{}, {}}, {{}, {.keepsBatch = true, .keepsExecution = true}}, {{}, {.mayLimit = false}}};
    if (code == "data.batch" && samples && 2 * model::dividingBatch(*samples, plan.batchSize) < plan.batchSize)
        return {{{}, {.keepsBatch = true}}, {{}, {.mayLimit = false}}, {{}, {.batchBelow = plan.batchSize, .mayLimit = false}}};
    if (code == "data.batch")
        return {{{}, {.batchBelow = plan.batchSize, .mayLimit = false}}, {{}, {.keepsBatch = true}}, {{}, {.mayLimit = false}}, {{}, {}}};
    if (code == "data.replicas") return fewerReplicas(project, samples);
    if (code == "training.device-mapping") return {setting(kMapping, "null")};
    if (code == "training.loss-weights") return {setting("training.loss_weights", "null")};
    if (code == "runtime.too-few-ipus") return moreIpus(project);
    if (code.starts_with("target.")) return otherTargets(project);
    if (code == "device.count") {
        auto all = moreIpus(project);
        auto const more = configurationResets(project, problem);
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    return configurationResets(project, problem);
}

std::vector<Diagnostic> errorsOf(compiler::Judgement judgement)
{
    std::erase_if(judgement.problems, [](Diagnostic const &problem) { return problem.severity != Severity::Error; });
    return std::move(judgement.problems);
}

} // namespace

std::optional<std::int64_t> samplesAfter(Project const &before, Project const &after, std::optional<std::int64_t> samples)
{
    auto known = project::dataSource(before);
    auto const wanted = project::dataSource(after);
    known.shuffle = wanted.shuffle;
    known.scale = wanted.scale;
    if (known == wanted) return samples;
    known.limit = wanted.limit;
    if (known != wanted || wanted.limit <= 0 || !samples) return std::nullopt;
    // The data hold at least what those that were counted were kept of.
    if (wanted.limit > std::max(*samples, samplesToKeep(*samples, wanted.validationSplit))) return std::nullopt;
    return keptSamples(wanted.limit, wanted.validationSplit);
}

Result<Proposal> settled(Project const &project, Proposal const &wish, std::optional<std::int64_t> samples, WishIs how)
{
    model::EpochWish const epoch;
    TW_ASSIGN(auto bent, Bender(project, samples, how, epoch).bend(wish));
    TW_TRY(bent.judged().status());
    dropUnchanged(bent.proposal, project);
    if (bent.proposal.set.empty() || bent.changed == project)
        return makeError(ErrorKind::Invalid, "proposal.same", toText(wish), Message::of("the project already has this value"),
                         Message::of("Give another value."));
    return std::move(bent.proposal);
}

Proposal companions(Project const &project, std::optional<std::int64_t> samples)
{
    model::EpochWish const epoch;
    auto bent = Bender(project, samples, WishIs::Exact, epoch).bend({});
    if (!bent.ok()) return {};
    dropUnchanged(bent->proposal, project);
    return std::move(bent->proposal);
}

std::vector<Proposal> cures(Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples)
{
    std::vector<Proposal> found;
    auto const before = errorsOf(compiler::judge(project, {compiler::RunKind::Train, samples, {}}));
    for (auto const &candidate : candidates(project, problem, samples)) {
        auto bent = Bender(project, samples, WishIs::Exact, candidate.epoch).bend(candidate.wish);
        if (!bent.ok()) continue;
        dropUnchanged(bent->proposal, project);
        if (bent->proposal.set.empty() || std::ranges::find(found, bent->proposal) != found.end()) continue;
        auto const after = errorsOf(bent->judged());
        bool const ends = std::ranges::none_of(after, [&](Diagnostic const &left) {
            return (left.code == problem.code && left.subject == problem.subject) || std::ranges::find(before, left) == before.end();
        });
        if (ends) found.push_back(std::move(bent->proposal));
    }
    return found;
}

} // namespace tilewright::runtime
