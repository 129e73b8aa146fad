#include "engine/lowering/schedule.h"

#include "engine/target/exchange.h"

#include <algorithm>

namespace tilewright::lowering {

using namespace program;

ByTile<Cycles>::Stretch tilesOfSet(Program const &program, ComputeSet const &set)
{
    ByTile<Cycles>::Stretch stretch;
    for (auto const &family : set.families) {
        auto const &on = program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout.on;
        stretch = stretch.with({static_cast<std::size_t>(on.begin), static_cast<std::size_t>(on.begin) + static_cast<std::size_t>(on.count)});
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

constexpr std::int64_t kMostRoundsAssumed = 64; ///< of a loop that the device's numbers end

struct Builder {
    Program const &program;
    target::Machine const &machine;
    Schedule &schedule;
    std::vector<Cycles> clock; ///< by IPU of the replica
    int slotIpu = -1;          ///< inside a stage task: only this IPU moves

    void emit(int ipu, Phase phase, StepId step, Cycles duration)
    {
        auto &now = clock[static_cast<std::size_t>(ipu)];
        if (duration > 0) schedule.events.push_back({ipu, phase, step, now, duration});
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
            auto const &cost = schedule.computeSets[step.computeSet.index];
            onIpus([&](int ipu) { emit(ipu, Phase::Compute, id, maxOn(cost.byTile, ipu)); });
            return; // nobody else waits for an IPU's own steps
        }
        case StepKind::Exchange: {
            auto const &traffic = schedule.exchanges[step.exchange.index];
            onIpus([&](int ipu) {
                if (maxOn(traffic.cycles, ipu) == 0) return;
                emit(ipu, Phase::Sync, id, chip.syncCycles);
                emit(ipu, Phase::InternalExchange, id,
                     target::exchangePhaseCycles(chip, maxOn(traffic.cycles, ipu)));
            });
            return;
        }
        case StepKind::GlobalExchange: {
            auto const &traffic = schedule.exchanges[step.exchange.index];
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
            auto const &variable = program.var(stream.var);
            Bytes const bytes = variable.layout.elements() * sizeOf(variable.dtype);
            barrier();
            emit(variable.layout.on.ipu, Phase::Stream, id, target::streamCycles(machine, bytes, program.replicas));
            break;
        }
        case StepKind::SyncExternal:
            barrier();
            onIpus([&](int ipu) { emit(ipu, Phase::Sync, id, machine.externalSyncCycles(program.ipus * program.replicas)); });
            break;
        default: break;
        }
        barrier();
    }

    /// Of two courses the longer one: what the device's numbers decide, the schedule says the most of.
    void longer(StepId one, StepId other)
    {
        auto const events = schedule.events.size(), tasks = schedule.tasks.size();
        auto const before = clock;
        walk(one);
        auto const latest = [&] { return slotIpu >= 0 ? clock[static_cast<std::size_t>(slotIpu)] : *std::ranges::max_element(clock); };
        Cycles const first = latest();
        std::vector<Event> const firstEvents(schedule.events.begin() + static_cast<std::ptrdiff_t>(events), schedule.events.end());
        std::vector<Task> const firstTasks(schedule.tasks.begin() + static_cast<std::ptrdiff_t>(tasks), schedule.tasks.end());
        auto const firstClock = clock;
        schedule.events.resize(events);
        schedule.tasks.resize(tasks);
        clock = before;
        walk(other);
        if (latest() > first) return;
        schedule.events.resize(events);
        schedule.tasks.resize(tasks);
        schedule.events.insert(schedule.events.end(), firstEvents.begin(), firstEvents.end());
        schedule.tasks.insert(schedule.tasks.end(), firstTasks.begin(), firstTasks.end());
        clock = firstClock;
    }

    /// The round of the innermost loop, and the slots of a pipeline that stand in it.
    struct Round {
        std::int64_t number = 0, slots = 0;
    };

    std::int64_t slotsIn(Step const &loop) const
    {
        return std::ranges::count_if(loop.children, [&](StepId child) { return program.step(child).kind == StepKind::Parallel; });
    }

    void walk(StepId id)
    {
        auto const &step = program.step(id);
        switch (step.kind) {
        case StepKind::Sequence:
        case StepKind::Call:
            for (auto child : step.children) walk(child);
            return;
        case StepKind::If:
            barrier();
            longer(step.children[0], step.children[1]);
            barrier();
            return;
        case StepKind::While:
        case StepKind::Repeat:
            for (std::int64_t i = 0; i < (step.kind == StepKind::While ? std::min(step.count, kMostRoundsAssumed) : step.count); ++i) {
                m_rounds.push_back({i, slotsIn(step)});
                for (auto child : step.children) walk(child);
                m_rounds.pop_back();
            }
            return;
        case StepKind::Parallel: {
            // A slot: tasks on different IPUs side by side; it ends with the slowest.
            barrier();
            // Each round of a steady state takes the next micro-batch, as many slots later.
            Round const round = m_rounds.empty() || m_rounds.back().slots == 0 ? Round() : m_rounds.back();
            for (auto child : step.children) {
                auto const &task = program.step(child);
                if (task.stage < 0) {
                    for (auto inner : task.children) walk(inner);
                    continue;
                }
                slotIpu = task.slot; // the task's IPU
                Cycles const start = clock[static_cast<std::size_t>(slotIpu)];
                for (auto inner : task.children) walk(inner);
                Cycles const end = clock[static_cast<std::size_t>(slotIpu)];
                schedule.tasks.push_back({slotIpu, static_cast<std::int32_t>(step.slot + round.number * round.slots), task.stage,
                                          static_cast<std::int32_t>(task.microBatch + round.number), stagePassOf(task.pass).value_or(StagePass::Forward), start, end});
                slotIpu = -1;
            }
            barrier();
            return;
        }
        default: leaf(id); return;
        }
    }

    std::vector<Round> m_rounds;
};

} // namespace

Schedule makeSchedule(Program const &program, target::Machine const &machine, bool withPairs, HostWork const &work)
{
    Schedule schedule;
    schedule.computeSets = distinct<ComputeCost>(program.computeSets.size(),
                                                 [&](std::size_t i) { return alikeKey(program, program.computeSets[i]); },
                                                 [&](std::size_t i) { return computeCost(program, program.computeSets[i], machine); }, work);
    schedule.exchanges = distinct<Traffic>(program.exchanges.size(),
                                           [&](std::size_t i) { return alikeKey(program, program.exchanges[i]); },
                                           [&](std::size_t i) { return analyseTraffic(program, program.exchanges[i], machine, withPairs); }, work);
    if (work.cancelled()) return {};
    Builder builder{program, machine, schedule, std::vector<Cycles>(static_cast<std::size_t>(program.ipus), 0), -1, {}};
    if (auto const loop = outermostLoop(program); loop.valid()) {
        schedule.patternRepeats = program.step(loop).count;
        for (auto child : program.step(loop).children) builder.walk(child);
    } else {
        builder.walk(program.main);
    }
    builder.barrier();
    schedule.patternCycles = *std::ranges::max_element(builder.clock);
    std::ranges::stable_sort(schedule.events, [](Event const &a, Event const &b) {
        return std::tuple(a.ipu, a.start) < std::tuple(b.ipu, b.start);
    });
    return schedule;
}

} // namespace tilewright::lowering
