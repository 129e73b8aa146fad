// The schedule as a timeline: lanes, events, stage tasks, flows, critical path.
#include "engine/report/build_report_run.h"

#include "engine/report/build_report_bubbles.h"
#include "engine/report/build_report_parts.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace tilewright::report {

namespace {

using lowering::Event;
using lowering::Phase;

class PatternBuilder {
public:
    PatternBuilder(ReportData &data, CompileFacts const &compileFacts)
        : d(data), facts(compileFacts), p(compileFacts.program), schedule(compileFacts.schedule), timeline(lowering::timelineOf(schedule)),
          ids(programIds(compileFacts.program))
    {
    }

    int build()
    {
        pattern = count(d.patterns);
        bool const whole = program::overlappedLoop(p).valid(); // its rounds differ
        d.patterns.push_back({whole ? "Execution" : "Weight update", schedule.patternCycles, !program::costDependsOnData(p)});
        lanes();
        events();
        tasks();
        critical();
        return pattern;
    }

private:
    int global(int replica, int ipu) const { return replica * p.ipus + ipu; }
    template <typename F> void eachIpu(F const &visit)
    {
        for (int replica = 0; replica < p.replicas; ++replica)
            for (int ipu = 0; ipu < p.ipus; ++ipu) visit(replica, ipu);
    }

    int addLane(LaneRow row)
    {
        d.lanes.push_back(std::move(row));
        return count(d.lanes) - 1;
    }

    void lanes()
    {
        std::vector<char> streams(static_cast<std::size_t>(p.ipus), 0), overlapping = streams;
        std::map<int, std::vector<int>> stagesOf; // by IPU of the replica
        for (auto const &event : timeline.events) {
            if (event.phase == Phase::Stream) at(streams, event.ipu) = 1;
            if (event.lane > 0) at(overlapping, event.ipu) = 1;
        }
        for (auto const &task : timeline.tasks) {
            auto &stages = stagesOf[task.ipu];
            if (std::ranges::find(stages, task.stage) == stages.end()) stages.push_back(task.stage);
        }
        for (auto &[ipu, stages] : stagesOf) std::ranges::sort(stages);
        eachIpu([&](int, int) { ipuLane.push_back(kNone); });
        streamLane = ioLane = ipuLane;
        eachIpu([&](int replica, int ipu) {
            int const id = global(replica, ipu);
            std::string const name = "IPU " + std::to_string(id);
            at(ipuLane, id) = addLane({kNone, name, "ipu", "cycle", id, kNone, kNone, 0});
            if (at(overlapping, ipu))
                at(ioLane, id) = addLane({at(ipuLane, id), name + " IO tiles", "io_tiles", "cycle", id, kNone, kNone, 0});
            for (int const stage : stagesOf[ipu])
                stageLane[{id, stage}] =
                    addLane({at(ipuLane, id), name + " stage " + std::to_string(stage), "stage", "cycle", id, stage, kNone, 0});
            if (at(streams, ipu))
                at(streamLane, id) = addLane({at(ipuLane, id), name + " host streams", "stream", "cycle", id, kNone, kNone, 0});
        });
    }

    int eventType(StepId step, Phase phase)
    {
        auto const [it, fresh] = typeOf.emplace(std::pair(step.index, phase), count(d.eventTypes));
        if (fresh) {
            EventTypeRow row;
            int const own = ids.byStep[step.index];
            bool const barrier = phase == Phase::Sync && ids.barrierOf[step.index] >= 0;
            row.program = barrier ? ids.barrierOf[step.index] : own;
            row.name = at(d.programs, row.program).name;
            row.phase = std::string(program::toText(phase));
            row.op = at(d.programs, row.program).op;
            row.stage = at(d.ops, row.op).stage;
            d.eventTypes.push_back(std::move(row));
        }
        return it->second;
    }

    /// Bytes that an exchange or transfer moves on one IPU of the replica, and the cycles by tile.
    Bytes bytesOf(Event const &event) const
    {
        int const row = exchangeRow(event.step);
        if (row < 0) return 0;
        auto const &exchange = at(d.exchanges, row);
        Bytes bytes = 0;
        for (int const vec : {exchange.sentVec, exchange.receivedVec}) {
            if (vec < 0) continue;
            auto const &byTile = d.tileVecs.stretch(vec);
            auto const [begin, end] = byTile.stretch();
            auto const each = static_cast<std::size_t>(p.tilesPerIpu), first = static_cast<std::size_t>(event.ipu) * each;
            Bytes onIpu = 0;
            for (std::size_t t = std::max(first, begin); t < std::min(first + each, end); ++t) onIpu += byTile[t];
            bytes = std::max(bytes, onIpu);
        }
        return bytes;
    }

    int exchangeRow(StepId step) const
    {
        int const program = ids.byStep[step.index];
        auto const it = std::ranges::lower_bound(d.exchanges, program, {}, &ExchangeRow::program);
        return it != d.exchanges.end() && it->program == program ? static_cast<int>(it - d.exchanges.begin()) : kNone;
    }

    void events()
    {
        std::vector<EventColumns> ofIpu(static_cast<std::size_t>(p.ipus)), ofStream = ofIpu, ofIoTiles = ofIpu;
        std::map<std::pair<std::uint32_t, int>, Bytes> bytes; // by step and IPU
        std::map<Cycles, StepId> global;                      // global exchanges by start
        std::map<Cycles, Cycles> globalEnd;
        for (auto const &event : timeline.events) {
            int const type = eventType(event.step, event.phase);
            int vec = kNone;
            Bytes argument = 0;
            if (event.phase == Phase::Compute) {
                vec = at(d.computeSets, p.step(event.step).computeSet.index).cyclesVec;
            } else if (event.phase != Phase::Sync) {
                auto const [it, fresh] = bytes.emplace(std::pair(event.step.index, event.ipu), 0);
                if (fresh) it->second = bytesOf(event);
                argument = it->second;
                if (int const row = exchangeRow(event.step); row >= 0) vec = at(d.exchanges, row).cyclesVec;
            }
            at(event.lane > 0 ? ofIoTiles : ofIpu, event.ipu).add(event.start, event.duration, type, argument, vec);
            if (event.phase == Phase::Stream) {
                at(ofStream, event.ipu).add(event.start, event.duration, type, argument, kNone);
                streamFlows(event, argument);
            }
            if (event.phase == Phase::GlobalExchange) {
                global.emplace(event.start, event.step);
                globalEnd.emplace(event.start, event.start + event.duration);
            }
        }
        for (auto const &[start, step] : global) globalFlows(step, start, globalEnd[start]);
        eachIpu([&](int replica, int ipu) {
            int const id = this->global(replica, ipu);
            d.events.push_back({pattern, at(ipuLane, id), at(ofIpu, ipu)});
            if (at(ioLane, id) >= 0) d.events.push_back({pattern, at(ioLane, id), at(ofIoTiles, ipu)});
            if (at(streamLane, id) >= 0) d.events.push_back({pattern, at(streamLane, id), at(ofStream, ipu)});
        });
        for (auto const &[hop, columns] : linkEvents) {
            auto const &row = at(d.links, hop.link);
            auto const [from, to] = hop.down ? std::pair(row.ipuB, row.ipuA) : std::pair(row.ipuA, row.ipuB);
            int const lane = addLane(
                {kNone, "Link IPU " + std::to_string(from) + " to " + std::to_string(to), "link", "cycle", kNone, kNone, hop.link, 0});
            d.events.push_back({pattern, lane, columns});
        }
    }

    void streamFlows(Event const &event, Bytes bytes)
    {
        auto const &stream = p.streams[p.step(event.step).stream.index];
        for (int replica = 0; replica < p.replicas; ++replica) {
            int const id = global(replica, event.ipu);
            int const host = at(streamLane, id), ipu = at(event.lane > 0 ? ioLane : ipuLane, id);
            d.flows.push_back({pattern, "stream", stream.toDevice ? host : ipu, event.start, stream.toDevice ? ipu : host,
                               event.start + event.duration, bytes, static_cast<int>(stream.var.index)});
        }
    }

    /// Senders and receivers of one global exchange between IPUs: flows, and events on the links used.
    void globalFlows(StepId id, Cycles start, Cycles end)
    {
        auto const &step = p.step(id);
        auto const &exchange = p.exchanges[step.exchange.index];
        struct Named {
            int variable = kNone;
            bool several = false, gradient = false;
        };
        std::map<std::pair<int, int>, Named> names; // by IPUs of the replica
        for (auto const &t : exchange.transfers) {
            auto const &from = p.var(t.src), &to = p.var(t.dst);
            if (from.layout.on.ipu == to.layout.on.ipu) continue;
            auto &name = names[{from.layout.on.ipu, to.layout.on.ipu}];
            name.several = name.several || name.variable >= 0;
            name.variable = static_cast<int>(t.dst.index);
            name.gradient = name.gradient || to.role == "gradient";
        }
        auto const &traffic = facts.schedule.exchanges[step.exchange.index];
        for (int replica = 0; replica < p.replicas; ++replica)
            for (auto const &flow : traffic.ipuFlows) {
                bool const ring = flow.replica >= 0;
                if (ring && flow.replica != replica) continue;
                int const from = global(replica, flow.from);
                int const to = ring ? global((replica + 1) % p.replicas, flow.to) : global(replica, flow.to);
                Named const name = ring ? Named{} : names[{flow.from, flow.to}];
                d.flows.push_back({pattern,
                                   ring                ? "collective"
                                       : name.gradient ? "gradient"
                                                       : "activation",
                                   at(ipuLane, from), start, at(ipuLane, to), end, flow.bytes, name.several ? kNone : name.variable});
            }
        // A link is busy as long as its bytes take; the exchange ends with the busiest link.
        for (auto const &load : traffic.links)
            linkEvents[load.hop].add(start, std::min(load.cycles, end - start), eventType(id, Phase::GlobalExchange), load.bytes);
    }

    void tasks()
    {
        if (timeline.tasks.empty()) return;
        std::map<int, Cycles> slotEnd;
        for (auto const &task : timeline.tasks) slotEnd[task.slot] = std::max(slotEnd[task.slot], task.end);
        auto sorted = timeline.tasks;
        std::ranges::stable_sort(sorted,
                                 [](auto const &a, auto const &b) { return std::pair(a.ipu, a.start) < std::pair(b.ipu, b.start); });
        std::map<std::pair<int, StagePass>, int> types; // by stage and pass
        for (auto const &task : sorted) {
            auto const [it, fresh] = types.emplace(std::pair(task.stage, task.pass), count(d.eventTypes));
            if (fresh)
                d.eventTypes.push_back(
                    {"Stage " + std::to_string(task.stage) + " " + std::string(toText(task.pass)), "marker", kNone, kNone, task.stage});
        }
        eachIpu([&](int replica, int ipu) {
            int const id = global(replica, ipu);
            std::map<int, EventColumns> columns; // by stage
            int seq = 0;
            for (auto const &task : sorted) {
                if (task.ipu != ipu) continue;
                // A slot ends with its slowest task; until then the next one cannot use the time.
                d.stageTasks.push_back({pattern, id, seq++, task.slot, task.stage, task.microBatch, std::string(toText(task.pass)),
                                        task.start, task.end, slotEnd[task.slot] - task.end});
                columns[task.stage].add(task.start, task.end - task.start, types[{task.stage, task.pass}], task.microBatch);
            }
            for (auto &[stage, events] : columns) d.events.push_back({pattern, stageLane[{id, stage}], std::move(events)});
        });
        auto const found = findBubbles(timeline, p.ipus);
        eachIpu([&](int replica, int ipu) {
            for (auto const &bubble : found)
                if (bubble.ipu == ipu)
                    d.bubbles.push_back({pattern, global(replica, ipu), bubble.start, bubble.end, bubble.cause,
                                         bubble.waitingFor < 0 ? kNone : global(replica, bubble.waitingFor)});
        });
    }

    /// The chain of events without gaps from the start of the pattern to its end: at each moment an IPU for which the others wait. Clocks
    /// wait only
    /// for clocks moved by an event, so wherever an event begins another one ends.
    void critical()
    {
        std::vector<std::map<Cycles, Event const *>> ending(static_cast<std::size_t>(p.ipus)); // by end
        for (auto const &event : timeline.events) {
            auto &last = at(ending, event.ipu)[event.start + event.duration];
            if (!last || event.lane == 0) last = &event;
        }
        std::vector<Event const *> chain;
        Cycles now = schedule.patternCycles;
        int ipu = 0;
        while (now > 0) {
            Event const *found = nullptr;
            for (int k = 0; k < p.ipus && !found; ++k) {
                auto const &map = at(ending, (ipu + k) % p.ipus);
                if (auto const it = map.find(now); it != map.end()) found = it->second;
            }
            if (!found) return; // a schedule with a gap has no critical path
            chain.push_back(found);
            now = found->start;
            ipu = found->ipu;
        }
        std::ranges::reverse(chain);
        int seq = 0;
        for (auto const *event : chain)
            d.criticals.push_back({pattern, seq++, at(event->lane > 0 ? ioLane : ipuLane, event->ipu), eventType(event->step, event->phase),
                                   event->start, event->start + event->duration, culprit(*event)});
    }

    int culprit(Event const &event)
    {
        auto const &step = p.step(event.step);
        bool const computes = event.phase == Phase::Compute;
        if (!computes && event.phase != Phase::InternalExchange && event.phase != Phase::GlobalExchange) return kNone;
        auto const row = computes ? schedule.computeSets.of[step.computeSet.index] : schedule.exchanges.of[step.exchange.index];
        auto const [it, fresh] = culprits.try_emplace(std::tuple(computes, row, event.ipu), kNone);
        if (fresh)
            it->second = slowestTile(computes ? schedule.computeSets.rows[row].byTile : schedule.exchanges.rows[row].cycles, event.ipu);
        return it->second;
    }

    int slowestTile(ByTile<Cycles> const &cycles, int ipu) const
    {
        auto const each = static_cast<std::size_t>(p.tilesPerIpu), first = static_cast<std::size_t>(ipu) * each;
        return static_cast<int>(cycles.largest(first, first + each).tile);
    }

    ReportData &d;
    CompileFacts const &facts;
    Program const &p;
    lowering::Schedule const &schedule;
    lowering::Timeline const timeline;
    ProgramIds ids;
    int pattern = 0;
    std::vector<int> ipuLane, ioLane, streamLane; ///< by IPU
    std::map<std::pair<int, int>, int> stageLane; ///< by IPU and stage
    std::map<std::pair<std::uint32_t, Phase>, int> typeOf;
    std::map<target::LinkLadder::Hop, EventColumns> linkEvents;
    std::map<std::tuple<bool, std::uint32_t, int>, int> culprits; ///< by row of equal compute sets (true) or exchanges, and IPU
};

} // namespace

int appendPattern(ReportData &data, CompileFacts const &facts) { return PatternBuilder(data, facts).build(); }

} // namespace tilewright::report
