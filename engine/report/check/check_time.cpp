#include "engine/report/check/check_parts.h"

#include <algorithm>
#include <array>

namespace tilewright::report::check {

namespace {

bool isExchange(std::string const &phase) { return phase == "internal_exchange" || phase == "global_exchange"; }

class TimeCheck {
public:
    TimeCheck(ReportData const &data, Violations &out) : d(data), m_out(out)
    {
        for (auto const &lane : d.events) m_events[{lane.pattern, lane.lane}] = &lane.events;
    }

    void run()
    {
        bool shapely = true;
        for (auto const &lane : d.events) shapely = order(lane) && shapely;
        if (!shapely) return; // the following checks need ordered events
        for (auto const &lane : d.events) {
            nesting(lane);
            durations(lane);
            supersteps(lane);
        }
        overlaps();
        places();
        for (int run = 0; run < sizeOf(d.runs); ++run) {
            splits(run);
            statistics(run);
        }
    }

private:
    std::string laneName(LaneEvents const &lane) const
    {
        return "pattern " + number(lane.pattern) + " lane " + number(lane.lane) + " (" + at(d.lanes, lane.lane).name + ")";
    }
    std::string const &phaseOf(EventColumns const &events, std::size_t i) const
    {
        return at(d.eventTypes, static_cast<int>(events.type[i])).phase;
    }

    bool order(LaneEvents const &lane) // 16
    {
        auto const &e = lane.events;
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e.duration[i] < 0)
                m_out.add(16, laneName(lane), "event " + number(static_cast<std::int64_t>(i)) + " ends before it starts");
            if (i > 0 && e.start[i] < e.start[i - 1] + e.duration[i - 1]) {
                m_out.add(16, laneName(lane),
                          "event " + number(static_cast<std::int64_t>(i)) + " starts at " + number(e.start[i])
                              + ", before the one before it ends at " + number(e.start[i - 1] + e.duration[i - 1]));
                return false;
            }
        }
        return true;
    }

    void nesting(LaneEvents const &lane) // 16
    {
        auto const &row = at(d.lanes, lane.lane);
        if (row.parent < 0 || row.depth <= at(d.lanes, row.parent).depth) return; // grouped, not nested
        auto const parent = m_events.find({lane.pattern, row.parent});
        if (parent == m_events.end()) return;
        auto const &outer = *parent->second;
        auto const &inner = lane.events;
        std::size_t j = 0;
        for (std::size_t i = 0; i < inner.size(); ++i) {
            std::int64_t const start = inner.start[i], end = start + inner.duration[i];
            while (j < outer.size() && outer.start[j] + outer.duration[j] < end) ++j;
            if (j < outer.size() && outer.start[j] <= start) continue;
            m_out.add(16, laneName(lane), "event " + number(static_cast<std::int64_t>(i)) + " lies inside no event of its parent lane");
        }
    }

    void durations(LaneEvents const &lane) // 18
    {
        auto const &e = lane.events;
        int const ipu = at(d.lanes, lane.lane).ipu;
        for (std::size_t i = 0; i < e.size(); ++i) {
            if (e.vec[i] < 0 || phaseOf(e, i) != "compute") continue;
            auto const &values = d.tileVecs.values(static_cast<int>(e.vec[i]));
            // The vector covers one IPU, a replica or all IPUs; the event concerns its lane's IPU.
            int const perIpu = std::max(1, d.target.tilesPerIpu);
            std::size_t first = 0, last = values.size();
            if (ipu >= 0 && values.size() > static_cast<std::size_t>(perIpu)) {
                bool const everywhere = values.size() == static_cast<std::size_t>(d.target.ipus) * static_cast<std::size_t>(perIpu);
                int const index = everywhere ? ipu : at(d.ipus, ipu).indexInReplica;
                first = std::min(values.size(), static_cast<std::size_t>(index) * static_cast<std::size_t>(perIpu));
                last = std::min(values.size(), first + static_cast<std::size_t>(perIpu));
            }
            std::int64_t most = 0;
            for (std::size_t t = first; t < last; ++t) most = std::max(most, values[t]);
            if (most != e.duration[i])
                m_out.add(18, laneName(lane),
                          "compute event " + number(static_cast<std::int64_t>(i)) + " takes " + number(e.duration[i])
                              + " cycles, its slowest tile " + number(most));
        }
    }

    void supersteps(LaneEvents const &lane) // 19
    {
        auto const &row = at(d.lanes, lane.lane);
        if (row.kind != "ipu" || row.depth != 0) return;
        auto const &e = lane.events;
        bool computed = false; // since the last sync
        for (std::size_t i = 0; i < e.size(); ++i) {
            auto const &phase = phaseOf(e, i);
            if (phase == "compute") computed = true;
            if (phase == "sync" || phase == "stream") computed = false;
            if (isExchange(phase) && computed && e.duration[i] > 0)
                m_out.add(19, laneName(lane),
                          "exchange event " + number(static_cast<std::int64_t>(i)) + " follows a compute event without a sync");
        }
    }

    void overlaps() // 19
    {
        // Compares the flat lanes of one IPU with each other.
        std::map<std::pair<int, int>, std::vector<LaneEvents const *>> groups; // (pattern, ipu)
        for (auto const &lane : d.events) {
            auto const &row = at(d.lanes, lane.lane);
            if (row.kind == "ipu" && row.depth == 0 && row.ipu >= 0) groups[{lane.pattern, row.ipu}].push_back(&lane);
        }
        for (auto const &[key, lanes] : groups)
            for (auto const *a : lanes)
                for (auto const *b : lanes) {
                    if (a == b) continue;
                    std::size_t j = 0;
                    for (std::size_t i = 0; i < a->events.size(); ++i) {
                        if (!isExchange(phaseOf(a->events, i)) || a->events.duration[i] == 0) continue;
                        std::int64_t const start = a->events.start[i], end = start + a->events.duration[i];
                        while (j < b->events.size() && b->events.start[j] + b->events.duration[j] <= start) ++j;
                        for (std::size_t k = j; k < b->events.size() && b->events.start[k] < end; ++k)
                            if (phaseOf(b->events, k) == "compute" && b->events.duration[k] > 0)
                                m_out.add(19, "pattern " + number(key.first) + " ipu " + number(key.second),
                                          "an exchange at " + number(start) + " overlaps compute");
                    }
                }
    }

    bool settled(int run) const { return at(d.runs, run).state == "done" || at(d.runs, run).state == "stopped"; }

    /// A run with data-dependent control is measured on tiles; its timeline is that of the schedule.
    bool asScheduled(int run) const
    {
        return at(d.runs, run).mode != "tile"
            || std::ranges::none_of(d.programs, [](auto const &p) { return p.kind == "if" || p.kind == "repeat_while"; });
    }

    void places() // 21
    {
        for (int run = 0; run < sizeOf(d.runs); ++run) {
            std::vector<PatternPlaceRow> rows;
            for (auto const &place : d.patternPlaces)
                if (place.run == run && at(d.patterns, place.pattern).cycles > 0) rows.push_back(place);
            std::string const subject = "run " + number(run);
            if (rows.empty()) continue;
            std::sort(rows.begin(), rows.end(), [](auto const &a, auto const &b) { return a.startCycle < b.startCycle; });
            Cycles end = 0;
            for (auto const &place : rows) {
                Cycles const length = at(d.patterns, place.pattern).cycles;
                std::string const where = subject + " place " + number(place.seq);
                if (place.repeats < 1) m_out.add(21, where, "is repeated " + number(place.repeats) + " times");
                if (place.startCycle < end)
                    m_out.add(21, where, "starts at " + number(place.startCycle) + " while another runs to " + number(end));
                if (place.startCycle > end)
                    m_out.add(21, where, "leaves cycles " + number(end) + " to " + number(place.startCycle) + " empty");
                if (place.repeats > 1 && place.period != length)
                    m_out.add(21, where, "repeats every " + number(place.period) + " cycles, its pattern takes " + number(length));
                end = std::max(end, place.startCycle + (place.repeats - 1) * place.period + length);
            }
            if (settled(run) && asScheduled(run) && end != at(d.runs, run).cycles)
                m_out.add(21, subject, "ends at cycle " + number(at(d.runs, run).cycles) + ", its patterns at " + number(end));
        }
        for (auto const &lane : d.events) {
            auto const &row = at(d.lanes, lane.lane);
            if (row.timeBase != "cycle" || lane.events.size() == 0) continue;
            std::int64_t const end = lane.events.start.back() + lane.events.duration.back();
            if (lane.events.start.front() < 0 || end > at(d.patterns, lane.pattern).cycles)
                m_out.add(21, laneName(lane),
                          "events run to " + number(end) + ", the pattern to " + number(at(d.patterns, lane.pattern).cycles));
        }
    }

    void splits(int run) // 17
    {
        if (!settled(run)) return;
        Cycles const cycles = at(d.runs, run).cycles;
        for (auto const &s : d.ipuSplits) {
            if (s.run != run) continue;
            std::string const subject = "run " + number(run) + " ipu " + number(s.ipu);
            Cycles const sum = s.compute + s.internalExchange + s.globalExchange + s.stream + s.sync + s.idle;
            if (sum != cycles) m_out.add(17, subject, "its phases sum to " + number(sum) + " cycles, the run has " + number(cycles));
            if (s.tileCycles > s.compute * d.target.tilesPerIpu)
                m_out.add(17, subject, "its tiles worked " + number(s.tileCycles) + " cycles, more than compute phases leave them");
            for (auto const part : {s.compute, s.internalExchange, s.globalExchange, s.stream, s.sync, s.idle, s.overlapped, s.tileCycles})
                if (part < 0) m_out.add(17, subject, "a phase is negative");
        }
    }

    void statistics(int run) // 18, 20
    {
        if (!settled(run)) return;
        // Executions and cycles by (program, ipu) according to the placed patterns, from the flat lanes.
        struct Count {
            std::int64_t executions = 0;
            Cycles cycles = 0, least = -1, most = 0;
        };
        std::map<std::pair<int, int>, Count> unrolled;
        std::map<int, std::string> phaseOfProgram;
        bool counted = false;
        for (auto const &place : d.patternPlaces) {
            if (place.run != run) continue;
            for (auto const &lane : d.events) {
                auto const &row = at(d.lanes, lane.lane);
                if (lane.pattern != place.pattern || row.timeBase != "cycle" || row.ipu < 0 || row.depth != 0
                    || (row.kind != "ipu" && row.kind != "io_tiles"))
                    continue;
                for (std::size_t i = 0; i < lane.events.size(); ++i) {
                    auto const &type = at(d.eventTypes, static_cast<int>(lane.events.type[i]));
                    if (type.program < 0) continue;
                    counted = true;
                    phaseOfProgram[type.program] = type.phase;
                    auto &count = unrolled[{type.program, row.ipu}];
                    Cycles const cycles = lane.events.duration[i];
                    count.executions += place.repeats;
                    count.cycles += cycles * place.repeats;
                    count.least = count.least < 0 ? cycles : std::min(count.least, cycles);
                    count.most = std::max(count.most, cycles);
                }
            }
        }
        std::map<int, std::map<std::string, Cycles>> byPhase; // by ipu
        std::set<std::pair<int, int>> told;
        for (auto const &stat : d.stepStats) {
            if (stat.run != run) continue;
            auto const &program = at(d.programs, stat.program);
            std::string const subject =
                "run " + number(run) + " program " + number(stat.program) + " (" + program.name + ") ipu " + number(stat.ipu);
            auto const known = phaseOfProgram.find(stat.program);
            std::string const phase = known != phaseOfProgram.end() ? known->second : std::string(phaseOfProgramKind(program.kind));
            byPhase[stat.ipu][phase] += stat.cycles - stat.overlapped;
            told.insert({stat.program, stat.ipu});
            if (!counted || !asScheduled(run)) continue;
            auto const events = unrolled.find({stat.program, stat.ipu});
            if (events == unrolled.end()) {
                if (program.kind == "execute" && stat.executions > 0)
                    m_out.add(18, subject, "ran " + number(stat.executions) + " times but has no event");
                continue;
            }
            if (stat.executions != events->second.executions)
                m_out.add(20, subject,
                          "ran " + number(stat.executions) + " times, the timeline shows " + number(events->second.executions));
            if (stat.cycles != events->second.cycles)
                m_out.add(20, subject, "took " + number(stat.cycles) + " cycles, the timeline shows " + number(events->second.cycles));
            if (stat.cyclesMin != events->second.least || stat.cyclesMax != events->second.most)
                m_out.add(20, subject, "its least and most cycles are not those of the timeline");
        }
        if (told.empty()) return;
        for (auto const &[key, count] : unrolled)
            if (asScheduled(run) && !told.count(key) && count.executions > 0)
                m_out.add(20, "run " + number(run) + " program " + number(key.first) + " ipu " + number(key.second),
                          "is on the timeline but not in the statistics");
        for (auto const &s : d.ipuSplits) {
            if (s.run != run) continue;
            auto &sums = byPhase[s.ipu];
            std::pair<char const *, Cycles> const phases[] = {{"compute", s.compute},
                                                              {"internal_exchange", s.internalExchange},
                                                              {"global_exchange", s.globalExchange},
                                                              {"stream", s.stream},
                                                              {"sync", s.sync}};
            for (auto const &[phase, cycles] : phases)
                if (sums[phase] != cycles)
                    m_out.add(20, "run " + number(run) + " ipu " + number(s.ipu),
                              std::string(phase) + " takes " + number(cycles) + " cycles, its programs " + number(sums[phase]));
        }
    }

    ReportData const &d;
    Violations &m_out;
    std::map<std::pair<int, int>, EventColumns const *> m_events;
};

} // namespace

void checkTime(ReportData const &data, Violations &out) { TimeCheck(data, out).run(); }

} // namespace tilewright::report::check
