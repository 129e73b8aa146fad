#include "views/execution/execution_data.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include "views/common/format.h"
#include "views/wording/stage_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <limits>
#include <set>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr int kMostWithLayers = 8;             ///< IPUs: each has a lane of its layers in the flat mode
constexpr std::size_t kMostStepsMarked = 4096; ///< of one pattern: more are never told apart

LanePhase phaseOf(std::string const &phase)
{
    if (phase == "compute") return LanePhase::Compute;
    if (phase == "internal_exchange") return LanePhase::InternalExchange;
    if (phase == "global_exchange") return LanePhase::GlobalExchange;
    if (phase == "stream") return LanePhase::Stream;
    if (phase == "sync") return LanePhase::Sync;
    if (phase == "idle") return LanePhase::Idle;
    return LanePhase::Other;
}

/// The host does few things; each has a colour that means the like on the device.
Token hostToken(std::string const &name)
{
    static std::map<std::string, Token, std::less<>> const tokens{{"Compile", Token::Control},
                                                                  {"Load", Token::Control},
                                                                  {"Attach", Token::Control},
                                                                  {"Epoch", Token::Forward},
                                                                  {"Validation", Token::Recompute},
                                                                  {"Execute", Token::Compute},
                                                                  {"Copy to the device", Token::Stream},
                                                                  {"Gather micro-batch", Token::InternalExchange},
                                                                  {"Draw data", Token::Gradients},
                                                                  {"Read data", Token::Gradients}};
    auto const it = tokens.find(name);
    return it == tokens.end() ? Token::Buffers : it->second;
}

/// What the host does for the device has the phase of that, and is no step of a program.
bool isHostCall(report::EventTypeRow const &type)
{
    return type.phase == "host" || ((type.phase == "stream" || type.phase == "compute") && type.program < 0 && type.op < 0);
}

EventStyle styleOf(report::EventTypeRow const &type)
{
    EventStyle style;
    style.name = stageLabel(type.name);
    style.token = phaseToken(std::string_view(type.phase));
    style.thin = type.phase == "sync";
    style.hatched = type.phase == "idle";
    // Stage tasks are markers that end with the name of their pass.
    if (type.phase == "marker") style.token = passToken(type.name.substr(type.name.rfind(' ') + 1));
    if (isHostCall(type)) style.name = hostEventName(type.name);
    if (type.phase == "host") style.token = hostToken(type.name);
    return style;
}

EventStyle styleOf(ExecutionBlocks const &blocks, NestedType const &type)
{
    EventStyle style;
    style.name = nestedName(blocks, type);
    style.token = Token::Control;
    if (type.pass == "forward" || type.pass == "backward" || type.pass == "recompute" || type.pass == "update")
        style.token = passToken(type.pass);
    return style;
}

/// What each event type moves in and out of the tiles of one IPU of the replica, and what each vector sums to.
class Amounts {
public:
    explicit Amounts(ReportSnapshot const &report) : m_report(report) {}
    EventAmounts const &of(int ipuInReplica, report::EventColumns const &events)
    {
        auto &amounts = m_byIpu[ipuInReplica];
        auto const &data = m_report.data();
        if (amounts.bytesIn.empty()) {
            for (auto const &type : data.eventTypes) {
                // The barrier before an exchange goes by the same program and moves nothing.
                bool const moves = type.phase == "internal_exchange" || type.phase == "global_exchange" || type.phase == "stream";
                int const row = moves && type.program >= 0 ? m_report.exchangeOf(type.program) : -1;
                amounts.bytesIn.push_back(row < 0 ? 0 : sum(data.exchanges[at(row)].receivedVec, ipuInReplica));
                amounts.bytesOut.push_back(row < 0 ? 0 : sum(data.exchanges[at(row)].sentVec, ipuInReplica));
            }
        }
        for (std::int64_t const vec : events.vec) {
            if (vec < 0) continue;
            if (vec >= static_cast<std::int64_t>(amounts.tileCycles.size())) amounts.tileCycles.resize(at(vec) + 1, -1);
            if (amounts.tileCycles[at(vec)] < 0) amounts.tileCycles[at(vec)] = sum(static_cast<int>(vec), ipuInReplica);
        }
        return amounts;
    }

private:
    std::int64_t sum(int vec, int ipu) const
    {
        if (vec < 0) return 0;
        auto const &values = m_report.tileVec(vec);
        auto const perIpu = static_cast<std::size_t>(m_report.tilesPerIpu()), first = static_cast<std::size_t>(ipu) * perIpu;
        std::int64_t total = 0;
        for (std::size_t t = first; t < std::min(values.size(), first + perIpu); ++t) total += values[t];
        return total;
    }
    ReportSnapshot const &m_report;
    std::map<int, EventAmounts> m_byIpu;
};

void addRates(ExecutionBlocks &blocks, BlockKey const &key, report::EventColumns const &events, EventAmounts const &amounts)
{
    std::vector<double> in(events.size()), out(events.size());
    double const none = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t e = 0; e < events.size(); ++e) {
        auto const type = at(events.type[e]);
        auto const rate = [&](std::vector<std::int64_t> const &bytes) {
            if (type >= bytes.size() || bytes[type] == 0 || events.duration[e] <= 0) return none;
            return static_cast<double>(bytes[type]) / static_cast<double>(events.duration[e]);
        };
        in[e] = rate(amounts.bytesIn);
        out[e] = rate(amounts.bytesOut);
    }
    blocks.rates[key] = {std::make_shared<SeriesLod const>(std::move(in)), std::make_shared<SeriesLod const>(std::move(out))};
}

void addNesting(ExecutionBlocks &blocks, BlockKey const &key, report::EventColumns const &events, std::vector<int> const &opOfType,
                Nesting const &nesting)
{
    for (auto const &spans : nesting.spans(events, opOfType)) {
        OwnedEvents columns;
        for (auto const &span : spans) columns.add(span.begin, span.end - span.begin, blocks.firstNested() + span.type);
        blocks.nesting[key].push_back(OwnedEvents::block(std::move(columns), blocks.phases));
    }
}

/// The critical path in a lane. With one IPU all of its lane is that path: a line over everything says nothing.
std::shared_ptr<LaneTimeline const> criticalOf(Blocks const &blocks, int row, RunPlaces const &run)
{
    return ipuLanes(blocks->report->data()).size() > 1 ? placed(blocks->criticals, row, run) : nullptr;
}

/// The lanes of `wanted` in tree order with their parents among them.
ExecutionLanes lanesOf(Blocks const &blocks, RunPlaces const &run, std::function<bool(report::LaneRow const &)> const &wanted)
{
    auto const &data = blocks->report->data();
    ExecutionLanes lanes;
    lanes.set.styles = blocks->styles;
    std::vector<int> placeOf(data.lanes.size(), -1);
    std::function<void(int)> const add = [&](int row) {
        auto const &source = data.lanes[at(row)];
        if (wanted(source)) {
            auto const events = placed(blocks->lanes, row, run);
            bool const group = !events && std::ranges::any_of(data.lanes, [&](report::LaneRow const &l) { return l.parent == row; });
            if (events || group) {
                Lane lane;
                lane.name = laneName(source);
                lane.parent = source.parent >= 0 ? placeOf[at(source.parent)] : -1;
                lane.events = events;
                lane.marks = criticalOf(blocks, row, run);
                lane.height = source.kind == "ipu" ? kRowHeight + kGap : kCompactRow;
                placeOf[at(row)] = static_cast<int>(lanes.set.lanes.size());
                if (source.kind == "ipu" && events) lanes.overview.push_back(events);
                lanes.set.lanes.push_back(std::move(lane));
                lanes.laneOf.push_back(row);
            }
        }
        for (int child = 0; child < static_cast<int>(data.lanes.size()); ++child)
            if (data.lanes[at(child)].parent == row) add(child);
    };
    for (int row = 0; row < static_cast<int>(data.lanes.size()); ++row)
        if (data.lanes[at(row)].parent < 0) add(row);
    return lanes;
}

} // namespace

QString nestedName(ExecutionBlocks const &blocks, NestedType const &type) { return opLabel(blocks.report->data().ops[at(type.op)]); }

std::shared_ptr<LaneTimeline const> stepStarts(RunPlaces const &run)
{
    std::int64_t const step = run.scale.ticksPerStep;
    if (step <= 0) return nullptr;
    std::vector<LanePlacement> placements;
    for (auto const &place : run.places) {
        OwnedEvents starts;
        for (std::int64_t at = 0; at + step <= place.period && starts.start.size() < kMostStepsMarked; at += step) starts.add(at, 0, 0);
        if (starts.start.empty()) starts.add(0, 0, 0);
        placements.push_back({OwnedEvents::block(std::move(starts), {}), place.startCycle, place.repeats, place.period});
    }
    return placements.empty() ? nullptr : std::make_shared<LaneTimeline const>(std::move(placements));
}

QString stepName(RunPlaces const &run, std::int64_t time)
{
    auto const &scale = run.scale;
    return Words::tr("step %1").arg(
        QLocale().toString(static_cast<qlonglong>(scale.firstStep + (time + scale.ticksPerStep / 2) / scale.ticksPerStep + 1)));
}

void markSteps(LaneSet &set, RunPlaces const &run)
{
    set.gridLines = stepStarts(run);
    if (set.gridLines) set.gridLabel = [run](std::int64_t time) { return stepName(run, time); };
}

void OwnedEvents::add(std::int64_t at, std::int64_t length, std::int64_t eventType)
{
    start.push_back(at);
    duration.push_back(length);
    type.push_back(eventType);
}

std::shared_ptr<LaneLod const> OwnedEvents::block(OwnedEvents events, std::vector<LanePhase> phases)
{
    auto const kept = std::make_shared<OwnedEvents const>(std::move(events));
    return std::make_shared<LaneLod const>(EventSpans{kept->start, kept->duration, kept->type}, std::move(phases), kept);
}

namespace {
/// Events are read from the file when they are wanted: while a report grows they may have types that the tables, read before, lack.
bool isEpoch(report::ReportData const &data, int type)
{
    if (type < 0 || type >= static_cast<int>(data.eventTypes.size())) return false;
    auto const &name = data.eventTypes[at(type)].name;
    return name == "Epoch" || name == "Validation";
}

/// The events of a lane; those of types that the tables lack are unnamed.
std::shared_ptr<LaneLod const> laneOf(ExecutionBlocks const &blocks, Kept<report::EventColumns> const &events)
{
    int const unnamed = blocks.unnamed();
    auto const lacks = [unnamed](std::int64_t type) { return type < 0 || type >= unnamed; };
    if (std::ranges::none_of(events->type, lacks))
        return std::make_shared<LaneLod const>(EventSpans{events->start, events->duration, events->type}, blocks.phases, events.shared());
    OwnedEvents owned{events->start, events->duration, events->type};
    std::ranges::replace_if(owned.type, lacks, unnamed);
    return OwnedEvents::block(std::move(owned), blocks.phases);
}

/// What the host did is recorded while a run goes on.
void addHostLane(ExecutionBlocks &blocks, BlockKey const &key, Kept<report::EventColumns> const &events)
{
    auto const &data = blocks.report->data();
    int const lane = key.second;
    blocks.lanes[key] = laneOf(blocks, events);
    if (data.lanes[at(lane)].name == "Calls")
        blocks.stepTimes = stepTimes(*events, executeType(data), data.runs.empty() ? 0 : data.runs.front().steps);
    for (std::size_t e = 0; e < std::min(events->size(), events->argument.size()); ++e)
        if (isEpoch(data, static_cast<int>(events->type[e]))) blocks.epochs[lane][static_cast<std::int64_t>(e)] = events->argument[e];
}
} // namespace

EventLooks eventLooks(report::ReportData const &data)
{
    EventLooks looks;
    for (auto const &type : data.eventTypes) {
        looks.styles.push_back(styleOf(type));
        looks.phases.push_back(phaseOf(type.phase));
    }
    return looks;
}

Result<std::shared_ptr<ExecutionBlocks const>> growBlocks(Blocks const &before, ReportPtr const &report, JobContext const &job)
{
    auto const &data = report->data();
    auto const &old = before->report->data();
    if (data.eventTypes.size() != old.eventTypes.size() || data.lanes.size() != old.lanes.size()
        || data.patterns.size() != old.patterns.size() || data.criticals.size() != old.criticals.size()
        || data.stageTasks.size() != old.stageTasks.size())
        return buildBlocks(report, job);
    auto blocks = std::make_shared<ExecutionBlocks>(*before);
    blocks->report = report;
    for (int lane = 0; lane < static_cast<int>(data.lanes.size()); ++lane) {
        if (data.lanes[at(lane)].timeBase != "ns") continue;
        if (job.cancelled()) return cancelledError(report->path().toStdString());
        if (auto const events = report->events(0, lane); events->size() > 0) addHostLane(*blocks, {0, lane}, events);
    }
    return std::shared_ptr<ExecutionBlocks const>(blocks);
}

Result<std::shared_ptr<ExecutionBlocks const>> buildBlocks(ReportPtr const &report, JobContext const &job)
{
    auto blocks = std::make_shared<ExecutionBlocks>();
    auto const &data = report->data();
    blocks->report = report;
    std::vector<int> opOfType;
    std::vector<char> isCompute;
    auto looks = eventLooks(data);
    blocks->phases = std::move(looks.phases);
    blocks->styles = std::move(looks.styles);
    for (auto const &type : data.eventTypes) {
        bool const ofProgram = type.op < 0 && type.program >= 0 && type.program < static_cast<int>(data.programs.size());
        opOfType.push_back(type.phase == "sync" ? report::kNone : ofProgram ? data.programs[at(type.program)].op : type.op);
        isCompute.push_back(type.phase == "compute");
    }
    blocks->phases.push_back(LanePhase::Other);
    blocks->styles.push_back({});
    Nesting const nesting(data);
    blocks->nested = nesting.types();
    for (int const op : opOfType) blocks->nestedAbove.push_back(nesting.above(op));
    for (auto const &type : blocks->nested) {
        blocks->phases.push_back(LanePhase::Other);
        blocks->styles.push_back(styleOf(*blocks, type));
    }
    Amounts amounts(*report);
    int const perReplica = std::max(1, data.target.ipusPerReplica);
    for (int pattern = 0; pattern < std::max<int>(1, static_cast<int>(data.patterns.size())); ++pattern)
        for (int lane = 0; lane < static_cast<int>(data.lanes.size()); ++lane) {
            if (job.cancelled()) return cancelledError(report->path().toStdString());
            job.report("zoom levels",
                       (pattern * static_cast<double>(data.lanes.size()) + lane)
                           / static_cast<double>(std::max<std::size_t>(1, data.patterns.size() * data.lanes.size())));
            auto const kept = report->events(pattern, lane);
            auto const &events = *kept;
            if (events.size() == 0) continue;
            BlockKey const key{pattern, lane};
            if (data.lanes[at(lane)].timeBase == "ns") {
                addHostLane(*blocks, key, kept);
                continue;
            }
            blocks->lanes[key] = laneOf(*blocks, kept);
            if (data.lanes[at(lane)].kind != "ipu") continue;
            auto const &ofIpu = amounts.of(std::max(0, data.lanes[at(lane)].ipu) % perReplica, events);
            blocks->sums[key] = std::make_shared<EventSums const>(kept, ofIpu, isCompute);
            addRates(*blocks, key, events, ofIpu);
            addNesting(*blocks, key, events, opOfType, nesting);
        }
    std::map<BlockKey, OwnedEvents> criticals;
    for (auto const &row : data.criticals)
        criticals[{row.pattern, row.lane}].add(row.startCycle, row.endCycle - row.startCycle, row.eventType);
    for (auto &[key, columns] : criticals) blocks->criticals[key] = OwnedEvents::block(std::move(columns), blocks->phases);
    std::map<int, std::map<int, std::int64_t>> starts; // by pattern, by slot: earliest beginning
    for (auto const &task : data.stageTasks) {
        auto const [it, fresh] = starts[task.pattern].emplace(task.slot, task.startCycle);
        if (!fresh) it->second = std::min(it->second, task.startCycle);
    }
    for (auto const &[pattern, ofSlot] : starts) {
        std::set<std::int64_t> sorted;
        for (auto const &[slot, start] : ofSlot) sorted.insert(start);
        OwnedEvents columns;
        for (std::int64_t const start : sorted) columns.add(start, 0, 0);
        blocks->slotStarts[pattern] = OwnedEvents::block(std::move(columns), {});
    }
    return std::shared_ptr<ExecutionBlocks const>(blocks);
}

std::shared_ptr<LaneTimeline const> placed(BlockMap const &blocks, int lane, RunPlaces const &run)
{
    std::vector<LanePlacement> placements;
    for (auto const &place : run.places)
        if (auto const it = blocks.find({place.pattern, lane}); it != blocks.end())
            placements.push_back({it->second, place.startCycle, place.repeats, place.period});
    return placements.empty() ? nullptr : std::make_shared<LaneTimeline const>(std::move(placements));
}

std::vector<int> ipuLanes(report::ReportData const &data)
{
    std::vector<int> lanes;
    for (int lane = 0; lane < static_cast<int>(data.lanes.size()); ++lane)
        if (data.lanes[at(lane)].kind == "ipu") lanes.push_back(lane);
    std::ranges::stable_sort(lanes, {}, [&](int lane) { return data.lanes[at(lane)].ipu; });
    return lanes;
}

namespace {

/// The bars of a level above the steps of an IPU's lane; without events if the report has none.
Lane nestedLane(Blocks const &blocks, int row, RunPlaces const &run, Nesting::Level level)
{
    BlockMap ofLevel;
    for (auto const &place : run.places)
        if (auto const it = blocks->nesting.find({place.pattern, row}); it != blocks->nesting.end() && it->second[at(level)]->size() > 0)
            ofLevel[{place.pattern, row}] = it->second[at(level)];
    Lane lane;
    bool const layers = level == Nesting::Layer;
    lane.name = layers ? Words::tr("layer") : Words::tr("operation");
    lane.tip = layers ? Words::tr("Layers, coloured by pass") : Words::tr("Operations of the layer above, coloured by pass");
    lane.events = placed(ofLevel, row, run);
    return lane;
}

/// Below each IPU, the layers whose steps it runs. Many IPUs keep the height for themselves.
void addLayers(ExecutionLanes &lanes, Blocks const &blocks, RunPlaces const &run)
{
    auto const ipus = ipuLanes(blocks->report->data());
    if (static_cast<int>(ipus.size()) > kMostWithLayers) return;
    for (int const row : ipus) {
        auto const it = std::ranges::find(lanes.laneOf, row);
        auto lane = nestedLane(blocks, row, run, Nesting::Layer);
        if (it == lanes.laneOf.end() || !lane.events) continue;
        int const ipu = static_cast<int>(it - lanes.laneOf.begin());
        lane.parent = ipu;
        for (auto &other : lanes.set.lanes)
            if (other.parent > ipu) ++other.parent;
        lanes.set.lanes.insert(lanes.set.lanes.begin() + ipu + 1, std::move(lane));
        lanes.laneOf.insert(lanes.laneOf.begin() + ipu + 1, row);
    }
}

} // namespace

ExecutionLanes flatLanes(Blocks const &blocks, RunPlaces const &run)
{
    auto lanes = lanesOf(blocks, run, [](report::LaneRow const &lane) { return lane.timeBase != "ns"; });
    addLayers(lanes, blocks, run);
    std::vector<int> const rows = lanes.laneOf;
    auto const isLayer = [first = blocks->firstNested(), set = lanes.set.lanes](int lane, std::int64_t event) {
        auto const &events = set[at(lane)].events;
        return events && event < events->size() && events->type(event) >= first;
    };
    // Flows of the current event: those that begin or end while it is under way.
    lanes.set.flows = [blocks, run, rows, isLayer](int lane, std::int64_t event) {
        std::vector<LaneFlow> flows;
        if (isLayer(lane, event)) return flows;
        auto const &all = blocks->report->data();
        auto const timeline = placed(blocks->lanes, rows[at(lane)], run);
        if (!timeline || event >= timeline->size()) return flows;
        TimeSpan const span = timeline->span(event);
        std::int64_t const inside = run.inPattern(span.begin), base = span.begin - inside;
        int const pattern = run.places.empty() ? 0 : run.places.front().pattern;
        for (auto const &flow : all.flows) {
            if (flow.pattern != pattern || flows.size() >= 64) continue;
            bool const from = flow.fromLane == rows[at(lane)] && flow.fromTime >= inside && flow.fromTime <= inside + span.length();
            bool const to = flow.toLane == rows[at(lane)] && flow.toTime >= inside && flow.toTime <= inside + span.length();
            if (!from && !to) continue;
            auto const place = [&](int row) { return static_cast<int>(std::ranges::find(rows, row) - rows.begin()); };
            int const a = place(flow.fromLane), b = place(flow.toLane);
            if (a >= static_cast<int>(rows.size()) || b >= static_cast<int>(rows.size())) continue;
            flows.push_back({a, b, base + flow.fromTime, base + flow.toTime, bytesText(flow.bytes)});
        }
        return flows;
    };
    markSteps(lanes.set, run);
    return lanes;
}

ExecutionLanes flameLanes(Blocks const &blocks, RunPlaces const &run)
{
    auto const &data = blocks->report->data();
    ExecutionLanes lanes;
    lanes.set.styles = blocks->styles;
    for (int const row : ipuLanes(data)) {
        auto const events = placed(blocks->lanes, row, run);
        if (!events) continue;
        int const parent = static_cast<int>(lanes.set.lanes.size());
        lanes.overview.push_back(events);
        for (auto const level : {Nesting::Layer, Nesting::Operation}) {
            auto lane = nestedLane(blocks, row, run, level);
            if (!lane.events) continue;
            if (level == Nesting::Layer) lane.name = laneName(data.lanes[at(row)]);
            else lane.parent = parent;
            lanes.set.lanes.push_back(std::move(lane));
            lanes.laneOf.push_back(row);
        }
        Lane steps;
        steps.name = static_cast<int>(lanes.set.lanes.size()) > parent ? Words::tr("step") : laneName(data.lanes[at(row)]);
        steps.tip = Words::tr("Steps of the program, coloured by phase");
        steps.parent = static_cast<int>(lanes.set.lanes.size()) > parent ? parent : -1;
        steps.events = events;
        steps.marks = criticalOf(blocks, row, run);
        steps.height = kRowHeight;
        lanes.set.lanes.push_back(std::move(steps));
        lanes.laneOf.push_back(row);
    }
    markSteps(lanes.set, run);
    return lanes;
}

ExecutionLanes hostLanes(Blocks const &blocks)
{
    RunPlaces recording;
    std::int64_t end = 1;
    for (auto const &[key, block] : blocks->lanes)
        if (key.first == 0 && blocks->report->data().lanes[at(key.second)].timeBase == "ns") end = std::max(end, block->lastEnd());
    recording.places.push_back({report::kNone, 0, 0, 0, 1, end, 0});
    auto lanes = lanesOf(blocks, recording, [](report::LaneRow const &lane) { return lane.timeBase == "ns"; });
    for (auto const &lane : lanes.set.lanes)
        if (lane.events) lanes.overview.push_back(lane.events);
    lanes.set.label = [blocks, rows = lanes.laneOf, named = lanes.set](int lane, std::int64_t event) {
        auto const &events = named.lanes[at(lane)].events;
        QString const name = named.style(events->type(event)).name;
        auto const numbers = blocks->epochs.find(rows[at(lane)]);
        if (numbers == blocks->epochs.end()) return name;
        auto const number = numbers->second.find(events->indexInBlock(event));
        return number == numbers->second.end() ? name : QStringLiteral("%1 %2").arg(name).arg(number->second);
    };
    return lanes;
}

} // namespace tilewright::views
