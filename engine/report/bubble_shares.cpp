#include "engine/report/bubble_shares.h"

#include "engine/core/pipeline_schedule.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace tilewright::report {

namespace {

struct Batch {
    Cycles first = std::numeric_limits<Cycles>::max(), last = 0;
    Cycles begin = std::numeric_limits<Cycles>::max(), end = 0; ///< including what precedes and follows
    std::set<int> ipus, slots;
    std::map<std::pair<int, int>, int> passes; ///< by slot and IPU, without recomputations
    std::size_t tasks = 0;                     ///< without recomputations
};

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

} // namespace

BubbleShares bubbleShares(std::vector<StageTaskRow> const &tasks, std::vector<BubbleRow> const &bubbles, int pattern)
{
    auto const asked = [&](int of) { return pattern == kNone || of == pattern; };
    std::map<int, Batch> batches;
    std::set<int> stages;
    for (auto const &task : tasks) {
        if (!asked(task.pattern)) continue;
        auto &batch = batches[task.pattern];
        batch.first = std::min(batch.first, task.startCycle);
        batch.last = std::max(batch.last, task.endCycle);
        batch.ipus.insert(task.ipu);
        batch.slots.insert(task.slot);
        if (task.pass != toText(StagePass::Recompute)) {
            ++batch.passes[{task.slot, task.ipu}];
            ++batch.tasks;
        }
        stages.insert(task.stage);
    }
    BubbleShares shares;
    std::map<std::string, double> lost;
    std::map<int, double> blamed;
    for (auto const &bubble : bubbles) {
        auto const it = batches.find(bubble.pattern);
        if (it == batches.end()) continue;
        auto &batch = it->second;
        batch.ipus.insert(bubble.ipu);
        batch.begin = std::min(batch.begin, bubble.startCycle);
        batch.end = std::max(batch.end, bubble.endCycle);
        Cycles const from = std::max(bubble.startCycle, batch.first), to = std::min(bubble.endCycle, batch.last);
        if (from >= to) continue;
        lost[bubble.cause] += static_cast<double>(to - from);
        if (bubble.cause == "imbalance" && bubble.waitingFor >= 0) blamed[bubble.waitingFor] += static_cast<double>(to - from);
    }
    double all = 0, outside = 0, whole = 0, places = 0, filled = 0;
    for (auto const &[id, batch] : batches) {
        auto const ipus = static_cast<double>(batch.ipus.size());
        all += ipus * static_cast<double>(batch.last - batch.first);
        shares.cycles += batch.last - batch.first;
        auto const begin = std::min(batch.begin, batch.first), end = std::max(batch.end, batch.last);
        outside += ipus * static_cast<double>((batch.first - begin) + (end - batch.last));
        whole += ipus * static_cast<double>(end - begin);
        int most = 0;
        for (auto const &[place, passes] : batch.passes) most = std::max(most, passes);
        places += ipus * static_cast<double>(batch.slots.size()) * most;
        filled += static_cast<double>(batch.tasks);
        shares.ipus = std::max(shares.ipus, static_cast<int>(batch.ipus.size()));
    }
    shares.stages = static_cast<int>(stages.size());
    for (auto const &[cause, cycles] : lost) shares.all += shares.byCause[cause] = share(cycles, all);
    shares.outside = share(outside, whole);
    shares.theory = places > 0 ? 1.0 - filled / places : 0;
    double most = 0;
    for (auto const &[ipu, cycles] : blamed)
        if (cycles > most) {
            most = cycles;
            shares.culprit = ipu;
        }
    return shares;
}

} // namespace tilewright::report
