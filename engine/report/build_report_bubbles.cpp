#include "engine/report/build_report_bubbles.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::report {

namespace {

using lowering::Event;
using lowering::Phase;
using lowering::Task;

struct Slot { Cycles begin = 0, end = 0; int slowest = 0; };

} // namespace

std::vector<BubbleSpan> findBubbles(lowering::Schedule const &schedule, int ipus)
{
    std::vector<BubbleSpan> found;
    if (schedule.tasks.empty()) return found;
    std::map<int, Slot> slots;
    std::set<std::pair<int, int>> present; // slot, IPU
    for (auto const &task : schedule.tasks) {
        auto const [it, fresh] = slots.emplace(task.slot, Slot{task.start, task.end, task.ipu});
        auto &slot = it->second;
        if (!fresh) {
            slot.begin = std::min(slot.begin, task.start);
            if (task.end > slot.end) {
                slot.end = task.end;
                slot.slowest = task.ipu;
            }
        }
        present.insert({task.slot, task.ipu});
    }
    Cycles const first = slots.begin()->second.begin, last = slots.rbegin()->second.end;
    for (int ipu = 0; ipu < ipus; ++ipu) {
        std::vector<Task> tasks;
        for (auto const &task : schedule.tasks)
            if (task.ipu == ipu) tasks.push_back(task);
        std::ranges::stable_sort(tasks, {}, &Task::start);
        std::vector<Event> events;
        for (auto const &event : schedule.events)
            if (event.ipu == ipu && (event.phase == Phase::Stream || event.phase == Phase::GlobalExchange)) events.push_back(event);
        Cycles const begins = tasks.empty() ? last : tasks.front().start;

        auto const add = [&](Cycles from, Cycles to, char const *cause, int waitingFor) {
            if (from >= to) return;
            if (!found.empty()) {
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
            else if (present.contains({number, ipu})) add(from, to, "imbalance", slot->slowest == ipu ? -1 : slot->slowest);
            else add(from, to, tasks.empty() || from < begins ? "ramp_up" : "ramp_down", slot->slowest);
        };
        // A stretch inside one slot or outside all of them: what the IPU moves for others, and waiting.
        auto const part = [&](Cycles from, Cycles to, int number, Slot const *slot) {
            for (auto const &event : events) {
                Cycles const a = std::max(from, event.start), b = std::min(to, event.start + event.duration);
                bool const stream = event.phase == Phase::Stream;
                if (a >= b || (!stream && (from < first || from >= last))) continue;
                idle(from, a, number, slot);
                add(a, b, stream ? "host" : "transfer", -1);
                from = b;
            }
            idle(from, to, number, slot);
        };
        auto const gap = [&](Cycles from, Cycles to) {
            // Cut at the borders of slots.
            for (auto const &[number, slot] : slots) {
                if (from >= to) break;
                if (slot.end <= from || slot.begin >= to) continue;
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
        gap(reached, schedule.patternCycles);
    }
    return found;
}

} // namespace tilewright::report
