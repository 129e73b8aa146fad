#include "engine/report/build_report_bubbles.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tilewright::report {

namespace {

using lowering::Event;
using lowering::Phase;
using lowering::Task;

struct Slot {
    Cycles begin = 0, end = 0;
    int slowest = 0;
};

} // namespace

std::vector<BubbleSpan> findBubbles(lowering::Timeline const &timeline, int ipus)
{
    std::vector<BubbleSpan> found;
    if (timeline.tasks.empty()) return found;
    std::map<int, Slot> slots;
    std::set<std::tuple<int, int, bool>> present; // slot, IPU, true for the backward pass
    std::set<std::pair<int, bool>> passes;        // of slots
    std::map<int, std::set<int>> working;         // IPUs by slot
    for (auto const &task : timeline.tasks) {
        auto const [it, fresh] = slots.emplace(task.slot, Slot{task.start, task.end, task.ipu});
        auto &slot = it->second;
        if (!fresh) {
            slot.begin = std::min(slot.begin, task.start);
            if (task.end > slot.end) {
                slot.end = task.end;
                slot.slowest = task.ipu;
            }
        }
        bool const back = goesBack(task.pass);
        present.insert({task.slot, task.ipu, back});
        passes.insert({task.slot, back});
        working[task.slot].insert(task.ipu);
    }
    // Derives the schedule from its tasks. Grouped: an IPU has both passes in a slot. Interleaved: alternating passes. Sequential: one IPU
    // at a time.
    bool const inTurn = std::ranges::all_of(working, [](auto const &slot) { return slot.second.size() == 1; })
        && std::ranges::any_of(timeline.tasks, [&](Task const &task) { return task.ipu != timeline.tasks.front().ipu; });
    bool const both = std::ranges::any_of(present, [&](auto const &one) {
        auto const &[number, ipu, back] = one;
        return !back && present.contains({number, ipu, true});
    });
    bool const alternates = !both && std::ranges::any_of(timeline.tasks, [](Task const &task) { return goesBack(task.pass); });
    Cycles const first = slots.begin()->second.begin, last = slots.rbegin()->second.end;
    std::vector<std::pair<int, Slot>> const inOrder(slots.begin(), slots.end()); // also in order of time: slots do not overlap
    for (int ipu = 0; ipu < ipus; ++ipu) {
        std::vector<Task> tasks;
        for (auto const &task : timeline.tasks)
            if (task.ipu == ipu) tasks.push_back(task);
        if (tasks.empty()) continue; // an IPU without stages never waits
        std::ranges::stable_sort(tasks, {}, &Task::start);
        std::vector<Event> events;
        for (auto const &event : timeline.events)
            if (event.ipu == ipu && (event.phase == Phase::Stream || event.phase == Phase::GlobalExchange)) events.push_back(event);
        // Start of the IPU's first task of each pass.
        auto const beginOf = [&](bool back) {
            auto const it = std::ranges::find_if(tasks, [&](Task const &task) { return goesBack(task.pass) == back; });
            return it == tasks.end() ? last : it->start;
        };
        std::array<Cycles, 2> const begins{beginOf(false), beginOf(true)};
        // True if the slot has a pass that this IPU has only in other slots.
        auto const lacks = [&](int number, bool backward) {
            if (alternates) return !working[number].contains(ipu);
            return passes.contains({number, backward}) && !present.contains({number, ipu, backward});
        };

        bool behindTask = true; // also after a task of zero cycles, such as the backward pass of a stage without weights
        auto const add = [&](Cycles from, Cycles to, char const *cause, int waitingFor) {
            if (from >= to) return;
            if (!std::exchange(behindTask, false)) {
                auto &before = found.back();
                if (before.ipu == ipu && before.end == from && before.cause == cause && before.waitingFor == waitingFor) {
                    before.end = to;
                    return;
                }
            }
            found.push_back({ipu, from, to, cause, waitingFor});
        };
        auto const idle = [&](Cycles from, Cycles to, int number, Slot const *slot) {
            if (from < first || from >= last) add(from, to, "update", -1);
            else if (!slot) add(from, to, "transfer", -1);
            else if (inTurn && !working[number].contains(ipu)) add(from, to, "schedule", slot->slowest);
            else if (!lacks(number, false) && !lacks(number, true)) add(from, to, "imbalance", slot->slowest == ipu ? -1 : slot->slowest);
            else add(from, to, from < begins[lacks(number, true) ? 1 : 0] ? "ramp_up" : "ramp_down", slot->slowest);
        };
        // A range inside one slot or outside all: data moved for other IPUs, and waiting.
        auto const part = [&](Cycles from, Cycles to, int number, Slot const *slot) {
            auto const last_ = [](Event const &event) { return event.start + event.duration; };
            for (auto at = std::ranges::upper_bound(events, from, {}, last_); at != events.end() && at->start < to; ++at) {
                auto const &event = *at;
                Cycles const a = std::max(from, event.start), b = std::min(to, last_(event));
                bool const stream = event.phase == Phase::Stream;
                if (a >= b || (!stream && (from < first || from >= last))) continue;
                idle(from, a, number, slot);
                add(a, b, stream ? "host" : "transfer", -1);
                from = b;
            }
            idle(from, to, number, slot);
        };
        auto const gap = [&](Cycles from, Cycles to) {
            behindTask = true;
            // Cut at the boundaries of slots.
            auto const endOf = [](auto const &one) { return one.second.end; };
            for (auto at = std::ranges::upper_bound(inOrder, from, {}, endOf); at != inOrder.end() && from < to && at->second.begin < to;
                 ++at) {
                auto const &[number, slot] = *at;
                if (slot.begin > from) {
                    part(from, slot.begin, -1, nullptr);
                    from = slot.begin;
                }
                Cycles const until = std::min(to, slot.end);
                part(from, until, number, &slot);
                from = until;
            }
            if (from < to) part(from, to, -1, nullptr);
        };
        Cycles reached = 0;
        for (auto const &task : tasks) {
            gap(reached, task.start);
            reached = std::max(reached, task.end);
        }
        gap(reached, timeline.patternCycles);
    }
    return found;
}

PipelineRows pipelineRows(lowering::Timeline const &timeline, int ipus)
{
    PipelineRows rows;
    for (auto const &task : timeline.tasks)
        rows.tasks.push_back(
            {0, task.ipu, 0, task.slot, task.stage, task.microBatch, std::string(toText(task.pass)), task.start, task.end, 0});
    for (auto const &bubble : findBubbles(timeline, ipus))
        rows.bubbles.push_back({0, bubble.ipu, bubble.start, bubble.end, bubble.cause, bubble.waitingFor});
    return rows;
}

} // namespace tilewright::report
