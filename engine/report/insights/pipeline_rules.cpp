// Pipelines: time that IPUs spend without a stage task.
#include "engine/report/bubble_shares.h"
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongRamps = 0.2;
constexpr double kUnequal = 0.05;

constexpr char kBubbleEvidence[] = "SELECT ipu, cause, sum(end_cycle - start_cycle) AS cycles FROM bubble GROUP BY ipu, cause ORDER BY cycles DESC";

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

/// IPUs wait in their slots for one that has more to do.
void unequalStages(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    auto const bubbles = bubbleShares(d.stageTasks, d.bubbles);
    double const imbalance = bubbles.of("imbalance");
    if (imbalance <= kUnequal) return;
    if (imbalance <= bubbles.of("transfer") + bubbles.of("host")) return; // something else delays the slots
    // Cycles of each stage for one micro-batch, forward and backward.
    std::map<int, Cycles> cycles;
    std::map<int, std::map<int, int>> batches;
    for (auto const &task : d.stageTasks) {
        if (!d.ipus.empty() && rowAt(d.ipus, task.ipu).replica != 0) continue;
        cycles[task.stage] += task.endCycle - task.startCycle;
        batches[task.stage][task.microBatch] = 1;
    }
    Json stages = Json::array();
    int slowest = kNone;
    Cycles most = 0, sum = 0;
    for (auto const &[stage, total] : cycles) {
        Cycles const one = total / static_cast<Cycles>(batches[stage].size());
        stages.push_back({{"stage", stage}, {"cycles", one}});
        sum += one;
        if (one > most) {
            most = one;
            slowest = stage;
        }
    }
    InsightRow row;
    row.severity = "warning";
    row.subjectKind = "stage";
    row.subjectId = slowest;
    row.numbers = Json{{"share", bubbles.all}, {"imbalance", imbalance}, {"slowest", slowest}, {"cycles", most},
                       {"mean", sum / static_cast<Cycles>(cycles.size())}, {"stages", stages}}.dump();
    row.evidence = "SELECT stage, pass, avg(end_cycle - start_cycle) AS cycles, avg(slack) AS slack FROM stage_task GROUP BY stage, pass ORDER BY cycles DESC";
    Cycles const micro = static_cast<Cycles>(batches[slowest].size());
    row.gainCycles = (most - sum / static_cast<Cycles>(cycles.size())) * micro;
    found.push_back(std::move(row));
}

} // namespace

void addPipelineRules(std::vector<InsightRule> &all)
{
    all.push_back({"pipeline.long-ramps", 2, "filling and draining the pipeline takes over 20 % of its time", longRamps});
    all.push_back({"pipeline.unequal-stages", 2, "IPUs wait over 5 % of the pipeline's time for slower stages", unequalStages});
}

} // namespace tilewright::report
