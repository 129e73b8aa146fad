// Pipelines: time that IPUs spend without a stage task.
#include "engine/report/insights/context.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace tilewright::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kLongRamps = 0.2;
constexpr double kOverTheory = 0.05;

struct Bubbles {
    Cycles total = 0;
    std::map<std::string, Cycles> byCause;
};

Bubbles bubblesOf(ReportData const &d)
{
    Bubbles all;
    for (auto const &bubble : d.bubbles) {
        all.byCause[bubble.cause] += bubble.endCycle - bubble.startCycle;
        if (bubble.cause != "update") all.total += bubble.endCycle - bubble.startCycle;
    }
    return all;
}

constexpr char kBubbleEvidence[] = "SELECT ipu, cause, sum(end_cycle - start_cycle) AS cycles FROM bubble GROUP BY ipu, cause ORDER BY cycles DESC";

/// Too few micro-batches for the number of stages.
void longRamps(InsightContext const &context, std::vector<InsightRow> &found)
{
    double const theory = context.figure("bubble_share_theory", 0);
    if (theory <= kLongRamps) return;
    auto const bubbles = bubblesOf(context.d);
    InsightRow row;
    row.severity = "advice";
    row.subjectKind = "run";
    row.subjectId = context.run;
    Json numbers{{"theory", theory}, {"share", context.figure("bubble_share", theory)}, {"stages", context.d.stages.size()}};
    for (auto const &[cause, cycles] : bubbles.byCause) numbers["causes"][cause] = cycles;
    row.numbers = numbers.dump();
    row.evidence = kBubbleEvidence;
    if (auto const *steps = context.option("training", "gradient_accumulation_steps")) {
        auto const value = std::strtoll(steps->c_str(), nullptr, 10);
        if (value > 0) row.action = Json{{"set", {{{"path", "training.gradient_accumulation_steps"}, {"value", 2 * value}}}}}.dump();
    }
    if (!context.d.ipus.empty()) {
        // Twice the micro-batches share the same ramps.
        auto ramps = bubbles.byCause;
        row.gainCycles = (ramps["ramp_up"] + ramps["ramp_down"]) / 2 / static_cast<Cycles>(context.d.ipus.size());
    }
    found.push_back(std::move(row));
}

/// More waiting than the schedule's table has empty entries: stages of unequal length.
void unequalStages(InsightContext const &context, std::vector<InsightRow> &found)
{
    auto const &d = context.d;
    double const theory = context.figure("bubble_share_theory", -1), share = context.figure("bubble_share", -1);
    if (theory < 0 || share <= theory + kOverTheory || d.stageTasks.empty()) return;
    auto causes = bubblesOf(d).byCause;
    if (causes["imbalance"] <= causes["transfer"] + causes["host"]) return; // something else delays the slots
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
    row.numbers = Json{{"share", share}, {"theory", theory}, {"slowest", slowest}, {"cycles", most},
                       {"mean", sum / static_cast<Cycles>(cycles.size())}, {"stages", stages}}.dump();
    row.evidence = "SELECT stage, pass, avg(end_cycle - start_cycle) AS cycles, avg(slack) AS slack FROM stage_task GROUP BY stage, pass ORDER BY cycles DESC";
    Cycles const micro = static_cast<Cycles>(batches[slowest].size());
    row.gainCycles = (most - sum / static_cast<Cycles>(cycles.size())) * micro;
    found.push_back(std::move(row));
}

} // namespace

void addPipelineRules(std::vector<InsightRule> &all)
{
    all.push_back({"pipeline.long-ramps", 1, "filling and draining the pipeline takes over 20 % of the schedule's entries", longRamps});
    all.push_back({"pipeline.unequal-stages", 1, "IPUs wait over 5 % of the time longer than the schedule alone makes them", unequalStages});
}

} // namespace tilewright::report
