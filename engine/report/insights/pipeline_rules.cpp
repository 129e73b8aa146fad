// Pipelines: time that IPUs spend without a stage task.
#include "engine/core/numbers.h"
#include "engine/core/pipeline_time.h"
#include "engine/report/bubble_shares.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongRamps = 0.2;
constexpr double kUnequal = 0.05;

constexpr char kBubbleEvidence[] =
    "SELECT ipu, cause, sum(end_cycle - start_cycle) AS cycles FROM bubble GROUP BY ipu, cause ORDER BY cycles DESC";

/// Mean cycles of stages for one micro-batch, on the way forward and on the way back.
struct StageCycles {
    std::vector<Cycles> forward, back; ///< by stage
    std::int64_t microBatches = 0;     ///< of a pattern
    bool training = false;
    Cycles of(std::size_t stage) const { return forward[stage] + back[stage]; }
    /// The same work, dealt out evenly.
    StageCycles evened() const
    {
        auto all = *this;
        for (auto *part : {&all.forward, &all.back})
            if (!part->empty())
                part->assign(part->size(), std::accumulate(part->begin(), part->end(), Cycles{0}) / static_cast<Cycles>(part->size()));
        return all;
    }
};
StageCycles stageCycles(ReportData const &d)
{
    StageCycles found;
    std::map<int, std::set<int>> batches;
    for (auto const &task : d.stageTasks) {
        if ((!d.ipus.empty() && rowAt(d.ipus, task.ipu).replica != 0) || task.stage < 0) continue;
        auto const stage = static_cast<std::size_t>(task.stage);
        found.forward.resize(std::max(found.forward.size(), stage + 1));
        found.back.resize(found.forward.size());
        bool const back = task.pass != toText(StagePass::Forward);
        (back ? found.back : found.forward)[stage] += task.endCycle - task.startCycle;
        found.training = found.training || back;
        batches[task.stage].insert(task.microBatch);
    }
    for (auto const &[stage, numbers] : batches) {
        auto const count = static_cast<Cycles>(numbers.size());
        found.forward[static_cast<std::size_t>(stage)] /= count;
        found.back[static_cast<std::size_t>(stage)] /= count;
        found.microBatches = std::max(found.microBatches, count);
    }
    return found;
}

/// The stage that takes the most, of those on the IPU whose stages do.
struct SlowestStage {
    int stage = kNone;
    Cycles most = 0, mean = 0;
};
SlowestStage slowestOf(StageCycles const &stages, std::vector<int> const &ipus)
{
    auto const ipuOf = [&](std::size_t stage) { return stage < ipus.size() ? ipus[stage] : static_cast<int>(stage); };
    std::map<int, Cycles> work;
    Cycles sum = 0;
    for (std::size_t stage = 0; stage < stages.forward.size(); ++stage) {
        work[ipuOf(stage)] += stages.of(stage);
        sum += stages.of(stage);
    }
    if (work.empty()) return {};
    auto const busiest = std::ranges::max_element(work, {}, [](auto const &one) { return one.second; });
    SlowestStage found;
    for (std::size_t stage = 0; stage < stages.forward.size(); ++stage) {
        if (ipuOf(stage) != busiest->first || stages.of(stage) <= found.most) continue;
        found.most = stages.of(stage);
        found.stage = static_cast<int>(stage);
    }
    if (!stages.forward.empty()) found.mean = sum / static_cast<Cycles>(stages.forward.size());
    return found;
}

/// Too few micro-batches for the number of stages.
void longRamps(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const bubbles = bubbleShares(context.d.stageTasks, context.d.bubbles);
    if (bubbles.ramps() <= kLongRamps) return;
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "run";
    row.subjectId = context.run;
    Json numbers{{"ramps", bubbles.ramps()}, {"share", bubbles.all}, {"theory", bubbles.theory}, {"stages", context.d.stages.size()}};
    for (auto const &[cause, share] : bubbles.byCause) numbers["causes"][cause] = share;
    row.numbers = numbers.dump();
    row.evidence = kBubbleEvidence;
    if (auto const *steps = context.option("training", "gradient_accumulation_steps")) {
        auto const value = parseInteger(*steps).value_or(0);
        if (value > 0) row.action = Json{{"set", {{{"path", "training.gradient_accumulation_steps"}, {"value", 2 * value}}}}}.dump();
    }
    // Twice the micro-batches share the same ramps.
    row.gainCycles = static_cast<Cycles>(bubbles.ramps() / 2 * static_cast<double>(bubbles.cycles));
    found.push_back(std::move(row));
}

/// What a pipeline of these stages takes in the slots of a schedule: each slot as long as its busiest IPU.
Cycles cyclesOf(PipelineSlots const &slots, StageCycles const &stages, std::vector<int> const &ipus)
{
    if (stages.forward.empty() || stages.microBatches < 1) return 0;
    std::vector<StageTimes> times;
    for (std::size_t stage = 0; stage < stages.forward.size(); ++stage)
        times.push_back({static_cast<double>(stages.forward[stage]), 0, slots.training ? static_cast<double>(stages.back[stage]) : 0});
    return std::llround(pipelineEnd(slots, times, stages.microBatches, 0, ipus));
}

/// The IPU of each stage, in its replica.
std::vector<int> ipusOf(ReportData const &d)
{
    std::vector<int> ipus;
    for (auto const &stage : d.stages) ipus.push_back(std::clamp(stage.indexInReplica, 0, std::max(0, d.target.ipusPerReplica - 1)));
    return ipus;
}

/// The project's, as the report has kept it.
std::optional<PipelineSchedule> scheduleOf(InsightContext const &context)
{
    auto const *text = context.option("training", "pipeline_schedule");
    if (!text) return std::nullopt;
    std::string_view word = *text;
    if (word.size() > 2 && word.front() == '"') word = word.substr(1, word.size() - 2);
    return pipelineScheduleOf(word);
}

/// One IPU works at a time, or slots hold a forward here and a backward there, where Grouped takes less time.
void otherSchedule(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const set = scheduleOf(context);
    if (!set || *set == PipelineSchedule::Grouped) return;
    auto const stages = stageCycles(context.d);
    PipelineSlots slots{*set, static_cast<int>(stages.forward.size()), stages.training};
    Cycles const now = cyclesOf(slots, stages, ipusOf(context.d));
    slots.schedule = PipelineSchedule::Grouped;
    Cycles const gain = now - cyclesOf(slots, stages, ipusOf(context.d));
    if (now <= 0 || static_cast<double>(gain) <= kUnequal * static_cast<double>(now)) return;
    auto const bubbles = bubbleShares(context.d.stageTasks, context.d.bubbles);
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "run";
    row.subjectId = context.run;
    row.numbers =
        Json{{"schedule", toText(*set)}, {"saved", static_cast<double>(gain) / static_cast<double>(now)}, {"share", bubbles.all}}.dump();
    row.evidence = kBubbleEvidence;
    auto const *steps = context.option("training", "gradient_accumulation_steps");
    if (steps && slots.accepts(parseInteger(*steps).value_or(0)))
        row.action = Json{{"set", {{{"path", "training.pipeline_schedule"}, {"value", toText(slots.schedule)}}}}}.dump();
    row.gainCycles = gain;
    found.push_back(std::move(row));
}

/// IPUs wait in their slots for one that has more to do.
void unequalStages(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    auto const bubbles = bubbleShares(d.stageTasks, d.bubbles);
    double const imbalance = bubbles.share("imbalance");
    if (imbalance <= kUnequal) return;
    if (imbalance <= bubbles.share("transfer") + bubbles.share("host")) return; // something else delays the slots
    auto const cycles = stageCycles(d);
    auto const slowest = slowestOf(cycles, ipusOf(d));
    // What stages of the same work would take: where passes of a slot differ, and not stages, IPUs wait all the same.
    PipelineSlots const slots{scheduleOf(context).value_or(PipelineSchedule::Grouped), static_cast<int>(cycles.forward.size()),
                              cycles.training};
    Cycles const now = cyclesOf(slots, cycles, ipusOf(d)), gain = now - cyclesOf(slots, cycles.evened(), ipusOf(d));
    if (static_cast<double>(gain) <= kUnequal * static_cast<double>(now)) return;
    Json stages = Json::array();
    for (std::size_t stage = 0; stage < cycles.forward.size(); ++stage) stages.push_back({{"stage", stage}, {"cycles", cycles.of(stage)}});
    InsightRow row;
    row.severity = "warning";
    row.subjectKind = "stage";
    row.subjectId = slowest.stage;
    row.numbers = Json{{"share", bubbles.all},   {"imbalance", imbalance}, {"slowest", slowest.stage},
                       {"cycles", slowest.most}, {"mean", slowest.mean},   {"stages", stages}}
                      .dump();
    row.evidence = "SELECT stage, pass, avg(end_cycle - start_cycle) AS cycles, avg(slack) AS slack FROM stage_task GROUP BY stage, pass "
                   "ORDER BY cycles DESC";
    row.gainCycles = gain;
    found.push_back(std::move(row));
}

} // namespace

void addPipelineRules(std::vector<InsightRule> &all)
{
    all.push_back({"pipeline.long-ramps", 2, "filling and draining the pipeline takes over 20 % of its time", longRamps});
    all.push_back({"pipeline.other-schedule", 1, "the grouped schedule would take 5 % less of the pipeline's time", otherSchedule});
    all.push_back({"pipeline.unequal-stages", 2, "IPUs wait over 5 % of the pipeline's time for slower stages", unequalStages});
}

} // namespace tilewright::report
