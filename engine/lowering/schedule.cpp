#include "engine/lowering/schedule.h"

#include "engine/target/exchange.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tilewright::lowering {

using namespace program;

ByTile<Cycles>::Stretch tilesOfSet(Program const &program, ComputeSet const &set)
{
    ByTile<Cycles>::Stretch stretch;
    for (auto const &family : set.families) {
        auto const &on = program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout.on;
        stretch =
            stretch.with({static_cast<std::size_t>(on.begin), static_cast<std::size_t>(on.begin) + static_cast<std::size_t>(on.count)});
    }
    return stretch;
}

ComputeCost computeCost(Program const &program, ComputeSet const &set, target::Machine const &machine)
{
    ComputeCost cost;
    cost.byTile = {static_cast<std::size_t>(program.tiles()), tilesOfSet(program, set)};
    for (auto const &family : set.families) {
        auto const *codelet = findCodelet(program.codelets[static_cast<std::size_t>(family.codelet)]);
        TW_CHECK(codelet, "codelet does not exist");
        auto const classes = familyClasses(program, family);
        std::vector<Cycles> cycles;
        for (auto const &shapes : classes.shapes) cycles.push_back(codelet->cycles({shapes, family.scalars, family.expr}, machine.chip));
        for (std::size_t t = 0; t < classes.ofTile.size(); ++t) {
            if (classes.ofTile[t] < 0) continue;
            cost.byTile.at(t) += cycles[static_cast<std::size_t>(classes.ofTile[t])];
            ++cost.vertices;
        }
    }
    for (Cycles const c : cost.byTile.values()) {
        cost.max = std::max(cost.max, c);
        cost.activeTiles += c > 0;
    }
    return cost;
}

namespace {

constexpr std::int64_t kMostRoundsAssumed = 64; ///< of a loop with a run-time end
constexpr std::size_t kMostStandings = 16; ///< states of the IPUs remembered per loop; they repeat in the first iterations or not at all

struct Builder {
    Program const &program;
    target::Machine const &machine;
    Schedule const &costs; ///< of compute sets and exchanges
    Schedule &schedule;
    bool folds = true;
    std::vector<Cycles> clock; ///< by IPU of the replica
    int slotIpu = -1;          ///< inside a stage task: only this IPU advances
    std::int32_t lane = 0;     ///< inside a parallel step with lanes

    void emit(int ipu, Phase phase, StepId step, Cycles duration)
    {
        auto &now = clock[static_cast<std::size_t>(ipu)];
        if (duration > 0) schedule.events.push_back({ipu, phase, step, now, duration, lane, 0});
        now += duration;
    }

    template <typename F> void onIpus(F const &visit)
    {
        for (int ipu = 0; ipu < program.ipus; ++ipu)
            if (slotIpu < 0 || ipu == slotIpu) visit(ipu);
    }

    void barrier()
    {
        if (slotIpu >= 0) return;
        Cycles const latest = *std::ranges::max_element(clock);
        for (auto &c : clock) c = latest;
    }

    Cycles maxOn(ByTile<Cycles> const &byTile, int ipu) const
    {
        auto const n = static_cast<std::size_t>(program.tilesPerIpu), first = static_cast<std::size_t>(ipu) * n;
        return byTile.largest(first, first + n).value;
    }

    void leaf(StepId id)
    {
        auto const &step = program.step(id);
        auto const &chip = machine.chip;
        switch (step.kind) {
        case StepKind::Execute: {
            auto const &cost = costs.computeSets[step.computeSet.index];
            onIpus([&](int ipu) { emit(ipu, Phase::Compute, id, maxOn(cost.byTile, ipu)); });
            return; // no other IPU waits for steps of one IPU
        }
        case StepKind::Exchange: {
            auto const &traffic = costs.exchanges[step.exchange.index];
            onIpus([&](int ipu) {
                if (maxOn(traffic.cycles, ipu) == 0) return;
                emit(ipu, Phase::Sync, id, chip.syncCycles);
                emit(ipu, Phase::InternalExchange, id, target::exchangePhaseCycles(chip, maxOn(traffic.cycles, ipu)));
            });
            return;
        }
        case StepKind::GlobalExchange: {
            auto const &traffic = costs.exchanges[step.exchange.index];
            barrier();
            onIpus([&](int ipu) {
                emit(ipu, Phase::Sync, id, machine.externalSyncCycles(program.ipus * program.replicas));
                emit(ipu, Phase::GlobalExchange, id, traffic.phaseCycles);
            });
            break;
        }
        case StepKind::StreamCopy: {
            auto const &stream = program.streams[step.stream.index];
            if (stream.synthetic) break;
            barrier();
            emit(program.var(stream.var).layout.on.ipu, Phase::Stream, id,
                 target::streamCycles(machine, bytesOf(program, stream), program.replicas, stream.continues));
            break;
        }
        case StepKind::RemoteCopy: {
            auto const &stream = program.streams[step.stream.index];
            barrier();
            emit(program.var(stream.var).layout.on.ipu, Phase::Stream, id,
                 target::remoteCycles(machine, bytesOf(program, stream), program.ipus, program.replicas));
            break;
        }
        case StepKind::SyncExternal:
            barrier();
            onIpus([&](int ipu) { emit(ipu, Phase::Sync, id, machine.externalSyncCycles(program.ipus * program.replicas)); });
            break;
        case StepKind::Sequence:
        case StepKind::Repeat:
        case StepKind::Parallel:
        case StepKind::Call:
        case StepKind::If:
        case StepKind::While: TW_CHECK(false, "a control step among the leaves");
        }
        barrier();
    }

    /// Lengths of the schedule's lists.
    struct Mark {
        std::size_t events, tasks, again;
    };
    Mark mark() const { return {schedule.events.size(), schedule.tasks.size(), schedule.again.size()}; }

    /// Clock differences of the IPUs. Effect and duration of a step depend only on these.
    std::vector<Cycles> standing() const
    {
        if (slotIpu >= 0) return {-1, slotIpu};
        auto offsets = clock;
        Cycles const first = *std::ranges::min_element(offsets);
        for (auto &offset : offsets) offset -= first;
        return offsets;
    }
    Cycles now() const { return slotIpu >= 0 ? clock[static_cast<std::size_t>(slotIpu)] : *std::ranges::min_element(clock); }
    void pass(Cycles cycles)
    {
        onIpus([&](int ipu) { clock[static_cast<std::size_t>(ipu)] += cycles; });
    }
    /// Repeats the entries between two marks.
    Again again(Mark const &from, Mark const &to) const
    {
        Again one;
        one.at = schedule.events.size(), one.atTask = schedule.tasks.size();
        one.first = from.events, one.end = to.events;
        one.firstTask = from.tasks, one.endTask = to.tasks;
        one.firstAgain = from.again, one.endAgain = to.again;
        return one;
    }

    /// Keeps the longer of two alternatives: where a value decides at run time, the schedule shows the worst case.
    void longer(StepId one, StepId other)
    {
        // Removing an alternative also removes the entries that refer to it.
        bool const folded = std::exchange(folds, false);
        auto const begin = mark();
        auto const before = clock;
        walk(one);
        auto const latest = [&] { return slotIpu >= 0 ? clock[static_cast<std::size_t>(slotIpu)] : *std::ranges::max_element(clock); };
        Cycles const first = latest();
        std::vector<Event> const firstEvents(schedule.events.begin() + static_cast<std::ptrdiff_t>(begin.events), schedule.events.end());
        std::vector<Task> const firstTasks(schedule.tasks.begin() + static_cast<std::ptrdiff_t>(begin.tasks), schedule.tasks.end());
        auto const firstClock = clock;
        schedule.events.resize(begin.events);
        schedule.tasks.resize(begin.tasks);
        clock = before;
        walk(other);
        folds = folded;
        if (latest() > first) return;
        schedule.events.resize(begin.events);
        schedule.tasks.resize(begin.tasks);
        schedule.events.insert(schedule.events.end(), firstEvents.begin(), firstEvents.end());
        schedule.tasks.insert(schedule.tasks.end(), firstTasks.begin(), firstTasks.end());
        clock = firstClock;
    }

    /// The current iteration of the innermost loop, and the pipeline slots nested in it.
    struct Round {
        std::int64_t number = 0, slots = 0;
    };

    std::int64_t slotsIn(Step const &loop) const
    {
        return std::ranges::count_if(loop.children, [&](StepId child) { return isSlot(program.step(child)); });
    }
    bool isSlot(Step const &step) const { return step.kind == StepKind::Parallel && !hasLanes(program, step); }

    bool holdsSlots(StepId id) const
    {
        auto const &step = program.step(id);
        return isSlot(step) || std::ranges::any_of(step.children, [&](StepId child) { return holdsSlots(child); });
    }
    /// True if the iterations of a loop differ only in the numbers of its own slots.
    bool roundsAreAlike(StepId loop) const
    {
        auto const within = [&](StepId id) {
            return std::ranges::any_of(program.step(id).children, [&](StepId child) { return holdsSlots(child); });
        };
        return std::ranges::none_of(program.step(loop).children,
                                    [&](StepId child) { return isSlot(program.step(child)) ? within(child) : holdsSlots(child); });
    }

    void round(StepId id, Round const &round)
    {
        m_rounds.push_back(round);
        for (auto child : program.step(id).children) walk(child);
        m_rounds.pop_back();
    }

    /// Iterations of a loop. When the clock differences equal those before an earlier iteration, everything in between repeats.
    void loop(StepId id, std::int64_t count)
    {
        struct Seen {
            std::vector<Cycles> standing;
            Mark mark;
            Cycles now;
        };
        std::vector<Seen> seen;
        auto const slots = slotsIn(program.step(id));
        bool looks = folds && count > 2 && roundsAreAlike(id);
        for (std::int64_t i = 0; i < count; ++i) {
            if (looks) {
                auto here = standing();
                auto const same = std::ranges::find(seen, here, &Seen::standing);
                if (same != seen.end()) {
                    std::int64_t const period = i - (same - seen.begin()), times = (count - i) / period;
                    if (times > 0) {
                        auto one = again(same->mark, mark());
                        one.times = times;
                        one.shift = one.period = now() - same->now;
                        one.slotsOn = static_cast<std::int32_t>(period * slots);
                        one.microBatchesOn = static_cast<std::int32_t>(period);
                        schedule.again.push_back(one);
                        pass(times * one.period);
                        i += times * period;
                    }
                    looks = false;
                    if (i >= count) break;
                } else if (seen.size() < kMostStandings) {
                    seen.push_back({std::move(here), mark(), now()});
                } else {
                    looks = false;
                }
            }
            round(id, {i, slots});
        }
    }

    /// A shared body: if it was walked before with equal clock differences, repeat the result.
    void call(StepId id)
    {
        auto const &children = program.step(id).children;
        if (!folds || children.size() != 1 || holdsSlots(children[0])) {
            for (auto child : children) walk(child);
            return;
        }
        auto const [it, fresh] = m_called.try_emplace({children[0].index, standing()});
        auto &called = it->second;
        if (!fresh) {
            auto one = again(called.begin, called.end);
            one.shift = now() - called.now;
            if (one.end > one.first || one.endAgain > one.firstAgain) schedule.again.push_back(one);
            Cycles const base = now();
            onIpus([&](int ipu) { clock[static_cast<std::size_t>(ipu)] = base + called.after[static_cast<std::size_t>(ipu)]; });
            return;
        }
        called.begin = mark();
        called.now = now();
        walk(children[0]);
        called.end = mark();
        called.after = clock;
        for (auto &one : called.after) one -= called.now;
    }

    /// Lanes begin together; the step ends with the last one.
    void lanes(Step const &step)
    {
        barrier();
        auto const start = clock;
        auto ends = clock, mainEnds = clock;
        for (auto const child : step.children) {
            clock = start;
            auto const first = schedule.events.size();
            // Events that another lane overlaps are listed one by one.
            bool const folded = std::exchange(folds, folds && lane == 0);
            for (auto inner : program.step(child).children) walk(inner);
            folds = folded;
            if (lane++ == 0) mainEnds = clock;
            else markOverlap(first, mainEnds);
            for (std::size_t ipu = 0; ipu < ends.size(); ++ipu) ends[ipu] = std::max(ends[ipu], clock[ipu]);
        }
        lane = 0;
        clock = ends;
        barrier();
    }

    /// A lane of a slot: it begins with the slot, beside the tasks of its IPU. Requires: these are walked.
    void besideTasks(Step const &transfers, std::vector<Cycles> const &begin)
    {
        auto const ipu = static_cast<std::size_t>(transfers.lane.ipu);
        Cycles const end = std::exchange(clock[ipu], begin[ipu]);
        auto const first = schedule.events.size();
        slotIpu = transfers.lane.ipu;
        lane = 1;
        bool const folded = std::exchange(folds, false);
        for (auto inner : transfers.children) walk(inner);
        folds = folded;
        lane = 0;
        slotIpu = -1;
        auto ends = clock;
        ends[ipu] = end;
        markOverlap(first, ends);
        clock[ipu] = std::max(clock[ipu], end);
    }

    /// Events from `first` on are beside work that ends at `ends`, by IPU.
    void markOverlap(std::size_t first, std::vector<Cycles> const &ends)
    {
        for (std::size_t i = first; i < schedule.events.size(); ++i) {
            auto &event = schedule.events[i];
            event.overlapped = std::clamp<Cycles>(ends[static_cast<std::size_t>(event.ipu)] - event.start, 0, event.duration);
        }
    }

    void walk(StepId id)
    {
        auto const &step = program.step(id);
        switch (step.kind) {
        case StepKind::Sequence:
            for (auto child : step.children) walk(child);
            return;
        case StepKind::Call: call(id); return;
        case StepKind::If:
            barrier();
            longer(step.children[0], step.children[1]);
            barrier();
            return;
        case StepKind::While:
        case StepKind::Repeat: loop(id, step.kind == StepKind::While ? std::min(step.count, kMostRoundsAssumed) : step.count); return;
        case StepKind::Parallel: {
            if (hasLanes(program, step)) return lanes(step);
            // A slot: tasks on different IPUs in parallel; it ends with the slowest.
            barrier();
            // Each iteration of a steady state processes the next micro-batch, shifted by the number of slots.
            Round const round = m_rounds.empty() || m_rounds.back().slots == 0 ? Round() : m_rounds.back();
            auto const begin = clock;
            for (auto child : step.children) {
                auto const &task = program.step(child);
                if (task.isLane()) {
                    besideTasks(task, begin);
                    continue;
                }
                if (task.stage < 0) {
                    for (auto inner : task.children) walk(inner);
                    continue;
                }
                slotIpu = task.ipu;
                Cycles const start = clock[static_cast<std::size_t>(slotIpu)];
                for (auto inner : task.children) walk(inner);
                Cycles const end = clock[static_cast<std::size_t>(slotIpu)];
                schedule.tasks.push_back({slotIpu, static_cast<std::int32_t>(step.slot + round.number * round.slots), task.stage,
                                          static_cast<std::int32_t>(task.microBatch + round.number),
                                          stagePassOf(task.pass).value_or(StagePass::Forward), start, end});
                slotIpu = -1;
            }
            barrier();
            return;
        }
        case StepKind::Execute:
        case StepKind::Exchange:
        case StepKind::GlobalExchange:
        case StepKind::StreamCopy:
        case StepKind::RemoteCopy:
        case StepKind::SyncExternal: leaf(id); return;
        }
    }

    /// The first walk of a body.
    struct Called {
        Mark begin{}, end{};
        Cycles now = 0;
        std::vector<Cycles> after; ///< by IPU: time of completion, relative to `now`
    };
    std::vector<Round> m_rounds;
    std::map<std::pair<std::uint32_t, std::vector<Cycles>>, Called> m_called; ///< by body and clock differences
};

void walkEntry(Program const &program, target::Machine const &machine, Schedule const &costs, Schedule &schedule, bool folds,
               std::size_t entry)
{
    Builder builder{program, machine, costs, schedule, folds, std::vector<Cycles>(static_cast<std::size_t>(program.ipus), 0),
                    -1,      0,       {},    {}};
    if (auto const loop = outermostLoop(program, entry); loop.valid()) {
        schedule.patternRepeats = program.step(loop).count;
        for (auto child : program.step(loop).children) builder.walk(child);
    } else {
        builder.walk(program.root(entry));
    }
    builder.barrier();
    schedule.patternCycles = *std::ranges::max_element(builder.clock);
}

} // namespace

Schedule makeSchedule(Program const &program, target::Machine const &machine, bool withPairs, HostWork const &work, Walk how)
{
    Schedule schedule;
    schedule.computeSets = distinct<ComputeCost>(
        program.computeSets.size(), [&](std::size_t i) { return alikeKey(program, program.computeSets[i]); },
        [&](std::size_t i) { return computeCost(program, program.computeSets[i], machine); }, work);
    schedule.exchanges = distinct<Traffic>(
        program.exchanges.size(), [&](std::size_t i) { return alikeKey(program, program.exchanges[i]); },
        [&](std::size_t i) { return analyseTraffic(program, program.exchanges[i], machine, withPairs); }, work);
    if (work.cancelled()) return {};
    walkEntry(program, machine, schedule, schedule, how == Walk::Folded, 0);
    return schedule;
}

Schedule scheduleOfEntry(Program const &program, target::Machine const &machine, Schedule const &first, std::size_t entry)
{
    Schedule schedule;
    walkEntry(program, machine, first, schedule, true, entry);
    return schedule;
}

std::vector<std::int64_t> timesOf(Schedule const &schedule)
{
    std::vector<std::int64_t> events(schedule.events.size(), 1), again(schedule.again.size(), 1);
    // Repetitions refer to earlier entries: process from the end, so that each is counted before it contributes to others.
    for (std::size_t i = schedule.again.size(); i-- > 0;) {
        auto const &one = schedule.again[i];
        std::int64_t const copies = again[i] * one.times;
        for (std::size_t e = one.first; e < one.end; ++e) events[e] += copies;
        for (std::size_t a = one.firstAgain; a < one.endAgain; ++a) again[a] += copies;
    }
    return events;
}

namespace {

struct Expander {
    Schedule const &schedule;
    Timeline &to;

    /// Copies the entries between two positions of the lists, shifted in time.
    struct Copy {
        Cycles later = 0;
        std::int32_t slotsOn = 0, microBatchesOn = 0;
    };

    void run(Again const &range, Copy const &copy)
    {
        auto event = range.first, task = range.firstTask;
        for (std::size_t a = range.firstAgain; a < range.endAgain; ++a) {
            auto const &one = schedule.again[a];
            append(event, one.at, task, one.atTask, copy);
            event = one.at, task = one.atTask;
            for (std::int64_t i = 0; i < one.times; ++i) {
                auto const n = static_cast<std::int32_t>(i + 1);
                run(one, {copy.later + one.shift + i * one.period, n * one.slotsOn, n * one.microBatchesOn});
            }
        }
        append(event, range.end, task, range.endTask, copy);
    }

    void append(std::size_t event, std::size_t end, std::size_t task, std::size_t endTask, Copy const &copy)
    {
        for (; event < end; ++event) {
            to.events.push_back(schedule.events[event]);
            to.events.back().start += copy.later;
        }
        for (; task < endTask; ++task) {
            auto &one = to.tasks.emplace_back(schedule.tasks[task]);
            one.start += copy.later;
            one.end += copy.later;
            one.slot += copy.slotsOn;
            one.microBatch += copy.microBatchesOn;
        }
    }
};

} // namespace

Timeline timelineOf(Schedule const &schedule)
{
    Timeline timeline{{}, {}, schedule.patternCycles};
    Again all;
    all.end = schedule.events.size(), all.endTask = schedule.tasks.size(), all.endAgain = schedule.again.size();
    Expander{schedule, timeline}.run(all, {});
    std::ranges::stable_sort(timeline.events,
                             [](Event const &a, Event const &b) { return std::tuple(a.ipu, a.start) < std::tuple(b.ipu, b.start); });
    return timeline;
}

} // namespace tilewright::lowering
