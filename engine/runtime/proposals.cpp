#include "engine/runtime/proposals.h"

#include "engine/config/validate.h"
#include "engine/core/pipeline_schedule.h"
#include "engine/core/text.h"
#include "engine/core/time_limit.h"
#include "engine/data/data_counts.h"
#include "engine/model/epoch_steps.h"
#include "engine/model/stages.h"
#include "engine/runtime/proposal_parts.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <map>

namespace tilewright::runtime {

namespace {

using project::Project;

using namespace fields;

constexpr std::string_view kModel = "model.", kLayers = "model.layers.", kStage = ".stage";

/// Fields of a proposal, by place, that are the stage of a layer, by place in the model.
std::map<std::size_t, std::size_t> stageFields(Project const &project, Proposal const &proposal)
{
    std::map<std::string_view, std::size_t> layers;
    for (std::size_t i = 0; i < project.model.layers.size(); ++i) layers.emplace(project.model.layers[i].name, i);
    std::map<std::size_t, std::size_t> found;
    for (std::size_t i = 0; i < proposal.set.size(); ++i) {
        std::string_view path = proposal.set[i].first;
        if (path == kModel.substr(0, kModel.size() - 1) || (path.starts_with(kModel) && !path.ends_with(kStage)))
            return {}; // may be of names
        if (!path.starts_with(kLayers) || !path.ends_with(kStage) || path.size() <= kLayers.size() + kStage.size()) continue;
        path.remove_prefix(kLayers.size());
        path.remove_suffix(kStage.size());
        if (auto const layer = layers.find(path); layer != layers.end()) found.emplace(i, layer->second);
    }
    return found;
}

} // namespace

std::string toText(Proposal const &proposal)
{
    std::string text;
    for (auto const &[path, value] : proposal.set) text += (text.empty() ? "" : " ") + path + "=" + value;
    return text;
}

Result<Project> withProposal(Project const &project, Proposal const &proposal)
{
    Project changed = project;
    DiagnosticSink ignored;
    auto const stages = stageFields(project, proposal);
    for (std::size_t i = 0; i < proposal.set.size(); ++i) {
        auto const &[path, value] = proposal.set[i];
        if (auto const layer = stages.find(i); layer != stages.end()) {
            // A cut sets all layers, each of which is changed by itself: a copy of the project for each would be their square.
            model::Model one;
            one.layers.push_back(changed.model.layers[layer->second]);
            TW_ASSIGN(one, model::withModelField(one, std::string_view(path).substr(kModel.size()), value));
            changed.model.layers[layer->second] = std::move(one.layers.front());
        } else {
            TW_ASSIGN(changed, project::withField(changed, path, value, &ignored));
        }
    }
    return changed;
}

std::optional<std::int64_t> samplesOf(Project const &project, std::filesystem::path const &dataFolder, JobContext const &job)
{
    JobContext quiet;
    quiet.stop = job.stop;
    auto const counts = data::countData(project::dataSource(project), dataFolder, quiet);
    return counts.ok() && counts->train > 0 ? std::optional(counts->train) : std::nullopt;
}

Message outcomeText(Trial const &trial)
{
    // What does not fit needs more than all, were it one byte.
    double const share = trial.share() * 100;
    auto const percent = std::to_string(trial.fits ? std::llround(share) : std::llround(std::ceil(share))) + " %";
    return trial.fits ? Message::of("fits, %1", Argument::figure(percent)) : Message::of("needs %1", Argument::figure(percent));
}

Result<Trial> tryProposal(Project const &project, Proposal const &proposal, compiler::CompileRequest const &request, JobContext const &job)
{
    TW_ASSIGN(auto const changed, withProposal(project, proposal));
    JobContext inner;
    inner.stop = job.stop;
    TW_ASSIGN(auto const outcome, compiler::compile(changed, verdictRequest(request), inner));
    Trial trial;
    trial.proposal = proposal;
    auto const &exe = *outcome.executable;
    trial.fits = !exe.emulated || exe.memory.fits;
    trial.placed = !exe.emulated || !exe.memory.layouts.empty();
    trial.limit = outcome.machine.chip.bytesPerTile;
    trial.ipus = exe.program.ipus;
    trial.samplesPerSecond = exe.emulated ? outcome.samplesPerSecond() : 0;
    trial.cyclesPerStep = exe.emulated ? outcome.entry()->cyclesPerStep() : 0;
    for (auto const &ipu : exe.memory.ipus) {
        trial.withGaps = std::max(trial.withGaps, ipu.worstBytes);
        trial.withoutGaps = std::max(trial.withoutGaps, ipu.maxWithoutGaps);
    }
    for (Bytes const need : exe.memory.need) trial.need = std::max(trial.need, need);
    for (Bytes const always : exe.memory.alwaysLive) trial.alwaysLive = std::max(trial.alwaysLive, always);
    return trial;
}

std::optional<Proposal> inStages(Project const &project, std::vector<int> const &stages)
{
    auto const machine = project::machineOf(project);
    auto const assigned = model::stageAssignment(project.model);
    if (!machine.ok() || !machine->isEmulated() || !assigned.ok() || assigned->size() != stages.size() || stages.empty())
        return std::nullopt;
    int const count = std::ranges::max(stages) + 1;
    Proposal wish;
    for (std::size_t i = 0; i < stages.size(); ++i)
        if ((*assigned)[i].node == 0) wish.set.emplace_back("model.layers." + (*assigned)[i].layer + ".stage", std::to_string(stages[i]));
    if (!project.training.deviceMapping.empty()) wish.set.emplace_back(kMapping, "null"); // made for other stages
    if (project.training.isSharded()) wish.set.emplace_back(kPlacement, "pipeline");
    // A replica has a power of two of them.
    int const ipus = static_cast<int>(std::bit_ceil(static_cast<unsigned>(count))
                                      * static_cast<unsigned>(std::max<std::int64_t>(1, project.training.replicas)));
    if (targetIpus(project) < ipus) wish.set.emplace_back(kTarget, targetWithIpus(project, ipus));
    if (auto const &selected = project.config.list("auto_select_ipus"); !selected.empty() && selected.front() < ipus)
        wish.set.emplace_back(kAutoSelect, "[" + std::to_string(ipus) + "]");
    auto const accumulation = model::pipelineDepth(cutPlan(project), count);
    wish.set.emplace_back(kAccumulation, std::to_string(accumulation));
    put(wish, kExecution, roundUp(std::max(project.training.stepsPerExecution, accumulation), accumulation));
    return wish;
}

std::vector<Proposal> inStages(Project const &project, int count, LayerCosts const &costs, std::size_t most)
{
    std::vector<Proposal> wishes;
    auto const resolved = model::resolve(model::withoutStages(project.model));
    if (!resolved.ok()) return wishes;
    auto const cuts = model::bestCuts(*resolved, costs.costs, count, cutPlan(project), most);
    if (!cuts.ok()) return wishes;
    for (auto const &cut : *cuts)
        if (auto wish = inStages(project, cut.stages)) wishes.push_back(std::move(*wish));
    return wishes;
}

namespace {

/// Walks through kinds of changes, each from the least to the most.
class Search {
public:
    Search(Project const &p, compiler::CompileRequest const &asked, RemedySearch const &limits, JobContext const &context)
        : m_project(p), m_request(asked), m_search(limits), m_job(context)
    {
    }

    Remedies run()
    {
        auto const machine = project::machineOf(m_project);
        auto const resolved = model::resolve(m_project.model);
        if (!machine.ok() || !resolved.ok() || !machine->isEmulated()) return std::move(m_found);
        m_machine = &*machine;
        // Where what is always live is too much, what lessens the rest comes last, and recomputation, which lessens that alone, can do
        // nothing. It leaves all else as it is: if nobody has said so, its trial tells.
        auto const limit = m_machine->chip.bytesPerTile;
        bool const isKnown = m_search.alwaysLive > limit;
        recomputation(*resolved, isKnown);
        streaming(*resolved);
        bool const spreads = isKnown || (m_leastAlwaysLive && *m_leastAlwaysLive > limit);
        tiles();
        auto const options = optionWishes(), batches = batchWishes();
        if (!spreads) firstFitting(RemedyKind::Option, options);
        chips();
        if (!spreads) firstFitting(RemedyKind::Batch, batches);
        stages(*resolved);
        if (spreads && !isOver() && m_search.compileSeconds <= secondsLeft()) {
            firstFitting(RemedyKind::Option, options);
            firstFitting(RemedyKind::Batch, batches);
        } else if (spreads && !(options.empty() && batches.empty())) {
            m_found.complete = false; // the last of the time is not for what hardly helps
        }
        // What leaves more as it was comes first.
        std::ranges::stable_sort(m_found.fitting, {}, [](Trial const &t) { return std::pair(t.kind, -t.samplesPerSecond); });
        m_found.complete = m_found.complete && !m_gaveUp;
        return std::move(m_found);
    }

private:
    /// Nothing: not tried (refused by a rule, no time, cancelled) or failed.
    std::optional<Trial> attempt(RemedyKind kind, Proposal const &wish)
    {
        if (isOver()) {
            m_found.complete = false;
            return std::nullopt;
        }
        auto const proposal = settled(m_project, wish, m_search.samples);
        if (!proposal.ok()) return std::nullopt;
        if (m_search.progress) m_search.progress(m_found.tried);
        ++m_found.tried;
        if (std::ranges::find(m_found.kinds, kind) == m_found.kinds.end()) m_found.kinds.push_back(kind);
        TimeLimit const limit(m_job, m_search.longestTrial);
        auto trial = tryProposal(m_project, *proposal, m_request, limit.job());
        if (!trial.ok()) {
            m_gaveUp = m_gaveUp || limit.isOver();
            return std::nullopt;
        }
        trial->kind = kind;
        m_leastAlwaysLive = std::min(trial->alwaysLive, m_leastAlwaysLive.value_or(trial->alwaysLive));
        return std::move(*trial);
    }

    double secondsLeft() const
    {
        return m_search.seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }
    bool isOver() const { return m_job.cancelled() || secondsLeft() < 0; }

    /// The first of a list that fits is kept; whether the search of its kind is over with that.
    bool firstFitting(RemedyKind kind, std::vector<Proposal> const &wishes)
    {
        for (auto const &wish : wishes) {
            auto trial = attempt(kind, wish);
            if (!m_found.complete) return true;
            if (!trial || !trial->fits) continue;
            m_found.fitting.push_back(std::move(*trial));
            return true;
        }
        return false;
    }

    void tiles()
    {
        auto const whole = target::parseMachine(m_machine->chip.name);
        if (!whole.ok()) return;
        std::vector<Proposal> wishes;
        for (int n = 2 * m_machine->chip.tiles; n < 2 * whole->chip.tiles; n *= 2)
            if (auto const text = targetText(m_project, systemName(m_project), targetIpus(m_project), std::min(n, whole->chip.tiles));
                !text.empty())
                wishes.push_back({{{kTarget, text}}});
        firstFitting(RemedyKind::Tiles, wishes);
    }

    std::vector<Proposal> optionWishes() const
    {
        double const present = config::memoryProportion(m_project.config, "matmuls.poplar_options");
        // What the products of a layer may take at once; then planned each alone, which leaves a layer's weights another place.
        std::vector<Proposal> wishes, alone{{{{kClearPassType, "true"}}}};
        for (double const lower : {0.3, 0.1, 0.05}) {
            if (lower >= present) continue;
            wishes.push_back({{{kProductShare, numberText(lower)}}});
            alone.push_back({{{kClearPassType, "true"}, {kProductShare, numberText(lower)}}});
        }
        if (!m_project.config.boolean("matmuls.clear_pass_type")) wishes.insert(wishes.end(), alone.begin(), alone.end());
        return wishes;
    }

    /// Less of each micro-batch kept, or of fewer at once.
    void recomputation(model::ResolvedModel const &resolved, bool isUseless)
    {
        bool const pipelined = model::pipelineStages(resolved, m_project.training) > 0;
        std::vector<Proposal> wishes;
        if (!m_project.config.boolean("allow_recompute")) wishes.push_back({{{kRecompute, "true"}}});
        if (!pipelined && isUseless && !wishes.empty()) { // of a pipeline it lessens what waits in stashes, which are always live
            m_found.leftOut = "allow_recompute";
            return;
        }
        auto const schedule = pipelineScheduleOf(m_project.training.pipelineSchedule);
        if (pipelined && schedule == PipelineSchedule::Grouped) {
            std::string const interleaved(toText(PipelineSchedule::Interleaved));
            wishes.push_back({{{kSchedule, interleaved}}});
            if (wishes.size() > 1) wishes.push_back({{{kSchedule, interleaved}, {kRecompute, "true"}}});
        }
        if (m_project.training.recurrentCheckpoints == 0)
            for (auto const count : recurrentCheckpoints(resolved))
                wishes.push_back({{{kRecompute, "true"}, {kRecurrentCheckpoints, std::to_string(count)}}});
        firstFitting(RemedyKind::Option, wishes);
    }

    /// Less on the tiles of what an update or a later slot needs, from what is copied least often.
    void streaming(model::ResolvedModel const &resolved)
    {
        auto const &plan = m_project.training;
        if (m_machine->streamingBytes <= 0) return;
        std::vector<Proposal> wishes;
        Proposal all;
        auto const add = [&](bool wanted, char const *path) {
            if (!wanted) return;
            put(all, path, "true");
            wishes.push_back(all);
        };
        bool const state = hasState(plan);
        add(state && !plan.offloadWeightUpdateVariables, kOffloadState);
        add(state && plan.replicas > 1 && !plan.replicatedOptimizerStateSharding, kShardState);
        add(plan.gradientAccumulationSteps > 1 && !plan.offloadGradientAccumulationBuffers, kOffloadSums);
        add(model::pipelineStages(resolved, plan) > 0 && plan.pipelineSchedule != "sequential" && !plan.offloadActivations,
            kOffloadActivations);
        add(!plan.offloadWeights, kOffloadWeights);
        add(plan.replicas > 1 && !plan.replicatedWeightSharding, kShardWeights);
        firstFitting(RemedyKind::Option, wishes);
    }

    void chips()
    {
        std::vector<Proposal> wishes;
        for (auto const &info : target::builtinMachines()) {
            auto const &chip = info.machine.chip;
            if (!info.machine.isEmulated() || info.machine.ipus != 1 || chip.bytesPerTile <= m_machine->chip.bytesPerTile) continue;
            wishes.push_back(
                {{{kTarget, targetText(m_project, info.name, targetIpus(m_project), std::min(m_machine->chip.tiles, chip.tiles))}}});
        }
        firstFitting(RemedyKind::Chip, wishes);
    }

    /// The largest smaller batch that fits, of the divisors of the present one. Memory does not always grow with the batch (products are
    /// planned anew), so nothing is concluded from one that does not fit; of many divisors those at a distance are tried.
    std::vector<Proposal> batchWishes() const
    {
        std::vector<Proposal> wishes;
        auto const batch = m_project.training.batchSize;
        std::int64_t last = batch;
        for (std::int64_t b = batch - 1; b >= 1; --b) {
            if (batch % b != 0 || (b > 1 && 4 * b > 3 * last)) continue;
            wishes.push_back({{{kBatch, std::to_string(b)}}});
            last = b;
        }
        return wishes;
    }

    void stages(model::ResolvedModel const &resolved)
    {
        if (resolved.pipelined() || m_project.training.replicas > 1) return;
        if (!m_project.config.list("auto_select_ipus").empty() || !m_project.config.list("select_ipus").empty()) return;
        std::vector<int> counts;
        for (int const count : {2, 4, 8, 16})
            if (holdsUpdates(count)) counts.push_back(count);
        if (counts.empty()) return;
        if (isOver()) { // costs are a compile as well
            m_found.complete = false;
            return;
        }
        auto const costs = costsInTime();
        if (!costs) return;
        for (int const count : counts) {
            auto const cuts = inStages(m_project, count, *costs);
            if (cuts.empty() || firstFitting(RemedyKind::Stages, cuts)) return;
        }
    }

    /// Whether an epoch can hold whole updates of a pipeline with so many stages; `settled` refuses all its cuts otherwise.
    bool holdsUpdates(int stages) const
    {
        if (!m_search.samples || *m_search.samples <= 0) return false;
        auto plan = m_project.training;
        auto const ipus = static_cast<int>(std::bit_ceil(static_cast<unsigned>(stages)));
        int const replicas = std::max(targetIpus(m_project), ipus) / ipus;
        plan.gradientAccumulationSteps = model::pipelineDepth(cutPlan(m_project), stages);
        return model::fitEpoch(plan, *m_search.samples, replicas, true, project::dataSource(m_project).validationSplit).has_value();
    }

    std::optional<LayerCosts> costsInTime()
    {
        if (m_search.compileSeconds > secondsLeft()) {
            auto const whole = model::resolve(model::withoutStages(m_project.model));
            m_found.cutInHaste = whole.ok();
            if (whole.ok()) return LayerCosts{model::multiplyAddCosts(*whole), "no time was left for a compile"};
        }
        TimeLimit const limit(m_job, m_search.longestTrial);
        auto costs = layerCosts(m_project, m_request, limit.job());
        if (costs.ok()) return std::move(*costs);
        m_gaveUp = m_gaveUp || limit.isOver();
        return std::nullopt;
    }

    Project const &m_project;
    compiler::CompileRequest const &m_request;
    RemedySearch const &m_search;
    JobContext const &m_job;
    target::Machine const *m_machine = nullptr;
    Remedies m_found;
    std::optional<Bytes> m_leastAlwaysLive; ///< of all trials
    bool m_gaveUp = false;                  ///< a trial took too long
    std::chrono::steady_clock::time_point const m_start = std::chrono::steady_clock::now();
};

} // namespace

Remedies findRemedies(Project const &project, compiler::CompileRequest const &request, RemedySearch const &search, JobContext const &job)
{
    return Search(project, request, search, job).run();
}

namespace {

Message wordsOf(RemedyKind kind)
{
    switch (kind) {
    case RemedyKind::Option: return Message::of("options that save memory");
    case RemedyKind::Tiles: return Message::of("more tiles");
    case RemedyKind::Chip: return Message::of("a chip with more memory");
    case RemedyKind::Batch: return Message::of("smaller batch sizes");
    case RemedyKind::Stages: return Message::of("pipeline stages");
    }
    return {};
}

} // namespace

Message toText(Remedies const &remedies)
{
    if (!remedies.fitting.empty()) {
        std::vector<Message> fitting;
        for (auto const &trial : remedies.fitting)
            fitting.push_back(Message::of("%1 (%2, %3 samples/s modelled)", toText(trial.proposal), outcomeText(trial),
                                          static_cast<std::int64_t>(trial.samplesPerSecond)));
        auto text = Message::of("These changes were compiled, and each fits: %1.", Message::joined(fitting, "; "));
        if (remedies.cutInHaste && std::ranges::find(remedies.fitting, RemedyKind::Stages, &Trial::kind) != remedies.fitting.end())
            text += " "
                + Message::of("The stages are cut by multiply-adds, because there was no time to compile for the cycles of the layers "
                              "(`tilewright stages PROJECT advise` does).");
        return text;
    }
    Message text;
    if (!remedies.complete && remedies.tried == 0) {
        text = Message::of("There was no time to try a change (`tilewright tune` takes more time).");
    } else if (!remedies.complete) {
        text = Message::of("None of the changes that were tried in the available time makes it fit (compiles: %1; `tilewright tune` takes "
                           "more time).",
                           remedies.tried);
    } else if (remedies.kinds.empty()) {
        text = Message::of("There is no other setting to try: make the layers named above smaller.");
    } else {
        std::vector<Message> kinds;
        for (auto const kind : remedies.kinds) kinds.push_back(wordsOf(kind));
        text = Message::of("None of the changes that were tried makes it fit (%1; compiles: %2): make the layers named above smaller.",
                           Message::joined(kinds, ", "), remedies.tried);
    }
    if (!remedies.leftOut.empty())
        text += " " + Message::of("Not tried, because a tile always holds more than it has: %1.", remedies.leftOut);
    return text;
}

} // namespace tilewright::runtime
