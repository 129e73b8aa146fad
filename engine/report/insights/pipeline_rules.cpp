// Pipelines: time that IPUs spend without a stage task.
#include "engine/core/pipeline_schedule.h"
#include "engine/report/bubble_shares.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongRamps = 0.2;
constexpr double kUnequal = 0.05;

constexpr char kBubbleEvidence[] = "SELECT ipu, cause, sum(end_cycle - start_cycle) AS cycles FROM bubble GROUP BY ipu, cause ORDER BY cycles DESC";

/// Cycles of stages for one micro-batch, all passes, and which takes the most.
struct SlowestStage {
    std::map<int, Cycles> cycles; ///< by stage
    int stage = kNone;
    Cycles most = 0, mean = 0, microBatches = 0;
    double excess = 0; ///< of the slowest over the mean, of the mean
};
SlowestStage slowestStage(ReportData const &d)
{
    SlowestStage found;
    std::map<int, std::set<int>> batches;
    for (auto const &task : d.stageTasks) {
        if (!d.ipus.empty() && rowAt(d.ipus, task.ipu).replica != 0) continue;
        found.cycles[task.stage] += task.endCycle - task.startCycle;
        batches[task.stage].insert(task.microBatch);
    }
    Cycles sum = 0;
    for (auto &[stage, cycles] : found.cycles) {
        auto const count = static_cast<Cycles>(batches[stage].size());
        cycles /= count;
        sum += cycles;
        if (cycles <= found.most) continue;
        found.most = cycles;
        found.stage = stage;
        found.microBatches = count;
    }
    if (!found.cycles.empty()) found.mean = sum / static_cast<Cycles>(found.cycles.size());
    if (found.mean > 0) found.excess = static_cast<double>(found.most - found.mean) / static_cast<double>(found.mean);
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
        auto const value = std::strtoll(steps->c_str(), nullptr, 10);
        if (value > 0) row.action = Json{{"set", {{{"path", "training.gradient_accumulation_steps"}, {"value", 2 * value}}}}}.dump();
    }
    // Twice the micro-batches share the same ramps.
    row.gainCycles = static_cast<Cycles>(bubbles.ramps() / 2 * static_cast<double>(bubbles.cycles));
    found.push_back(std::move(row));
}

/// One IPU works at a time, or slots hold a forward here and a backward there: Grouped leaves IPUs idle for less.
void otherSchedule(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const *schedule = context.option("training", "pipeline_schedule");
    auto word = schedule ? std::string_view(*schedule) : std::string_view();
    if (word.size() > 2 && word.front() == '"') word = word.substr(1, word.size() - 2);
    auto const set = pipelineScheduleOf(word);
    if (!set || *set == PipelineSchedule::Grouped) return;
    auto const bubbles = bubbleShares(context.d.stageTasks, context.d.bubbles);
    bool const inTurn = *set == PipelineSchedule::Sequential;
    double const lost = inTurn ? bubbles.of("schedule") : bubbles.of("imbalance");
    if (lost <= kUnequal || (!inTurn && slowestStage(context.d).excess > kUnequal)) return;
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "run";
    row.subjectId = context.run;
    row.numbers = Json{{"schedule", toText(*set)}, {"lost", lost}, {"share", bubbles.all}}.dump();
    row.evidence = kBubbleEvidence;
    auto const *steps = context.option("training", "gradient_accumulation_steps");
    std::set<int> stages;
    bool training = false;
    for (auto const &task : context.d.stageTasks) {
        stages.insert(task.stage);
        training = training || task.pass == toText(StagePass::Backward);
    }
    PipelineSlots const grouped{PipelineSchedule::Grouped, static_cast<int>(stages.size()), training};
    if (steps && grouped.accepts(std::strtoll(steps->c_str(), nullptr, 10)))
        row.action = Json{{"set", {{{"path", "training.pipeline_schedule"}, {"value", toText(grouped.schedule)}}}}}.dump();
    row.gainCycles = static_cast<Cycles>(lost * static_cast<double>(bubbles.cycles));
    found.push_back(std::move(row));
}

/// IPUs wait in their slots for one that has more to do.
void unequalStages(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    auto const bubbles = bubbleShares(d.stageTasks, d.bubbles);
    double const imbalance = bubbles.of("imbalance");
    if (imbalance <= kUnequal) return;
    if (imbalance <= bubbles.of("transfer") + bubbles.of("host")) return; // something else delays the slots
    auto const slowest = slowestStage(d);
    if (slowest.excess <= kUnequal) return; // the passes of a slot differ, not the stages
    Json stages = Json::array();
    for (auto const &[stage, one] : slowest.cycles) stages.push_back({{"stage", stage}, {"cycles", one}});
    InsightRow row;
    row.severity = "warning";
    row.subjectKind = "stage";
    row.subjectId = slowest.stage;
    row.numbers = Json{{"share", bubbles.all}, {"imbalance", imbalance}, {"slowest", slowest.stage}, {"cycles", slowest.most},
                       {"mean", slowest.mean}, {"stages", stages}}.dump();
    row.evidence = "SELECT stage, pass, avg(end_cycle - start_cycle) AS cycles, avg(slack) AS slack FROM stage_task GROUP BY stage, pass ORDER BY cycles DESC";
    row.gainCycles = (slowest.most - slowest.mean) * slowest.microBatches;
    found.push_back(std::move(row));
}

} // namespace

void addPipelineRules(std::vector<InsightRule> &all)
{
    all.push_back({"pipeline.long-ramps", 2, "filling and draining the pipeline takes over 20 % of its time", longRamps});
    all.push_back({"pipeline.other-schedule", 1, "IPUs wait over 5 % of the pipeline's time for the order of the schedule", otherSchedule});
    all.push_back({"pipeline.unequal-stages", 2, "IPUs wait over 5 % of the pipeline's time for slower stages", unequalStages});
}

} // namespace tilewright::report
