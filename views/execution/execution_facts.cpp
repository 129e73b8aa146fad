#include "views/execution/execution_facts.h"
#include "views/common/words.h"
#include "views/wording/insight_text.h"
#include "views/wording/labels.h"
#include "views/wording/stage_words.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <unordered_map>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

constexpr std::int64_t kMostScanned = 2000000; // events examined for a shortest duration

double share(std::int64_t part, std::int64_t whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

/// Of all exchanges and streams: not what the host sends alone.
QString receivedSentText(Bytes received, Bytes sent) { return Words::tr("%1 received, %2 sent").arg(bytesText(received), bytesText(sent)); }

template <typename T> T const *rowOf(std::vector<T> const &rows, int index)
{
    return index >= 0 && index < static_cast<int>(rows.size()) ? &rows[at(index)] : nullptr;
}

PhaseTicks ticksOf(report::IpuSplitRow const &split)
{
    return {split.compute, split.internalExchange, split.globalExchange, split.stream, split.sync, split.idle, 0};
}

void add(PhaseTicks &sum, PhaseTicks const &more)
{
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += more[p];
}

/// Cycles by tile of an event, only of its IPU; empty if the event has no vector.
std::vector<std::int64_t> tilesOf(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events,
                                  std::int64_t event, int *first)
{
    auto const &report = *blocks.report;
    auto const *row = rowOf(report.data().lanes, lane);
    if (!row || row->kind != "ipu") return {};
    LaneLod const *block = events.blockOf(event);
    for (auto const &place : run.places) {
        auto const it = blocks.lanes.find({place.pattern, lane});
        if (it == blocks.lanes.end() || it->second.get() != block) continue;
        auto const kept = report.events(place.pattern, lane);
        auto const &columns = *kept;
        auto const index = at(events.indexInBlock(event));
        if (index >= columns.vec.size() || columns.vec[index] < 0) return {};
        auto const &values = report.tileVec(static_cast<int>(columns.vec[index]));
        int const perIpu = report.tilesPerIpu(), ipu = std::max(0, row->ipu) % std::max(1, report.data().target.ipusPerReplica);
        auto const begin = std::min(values.size(), at(static_cast<std::int64_t>(ipu) * perIpu)),
                   end = std::min(values.size(), begin + at(perIpu));
        if (first) *first = ipu * perIpu;
        return {values.begin() + static_cast<std::ptrdiff_t>(begin), values.begin() + static_cast<std::ptrdiff_t>(end)};
    }
    return {};
}

} // namespace

QString phaseName(LanePhase phase)
{
    switch (phase) {
    case LanePhase::Compute: return Words::tr("compute");
    case LanePhase::InternalExchange: return Words::tr("exchange in the IPU");
    case LanePhase::GlobalExchange: return Words::tr("exchange between IPUs");
    case LanePhase::Stream: return Words::tr("streams");
    case LanePhase::Sync: return Words::tr("sync");
    case LanePhase::Idle: return Words::tr("idle (in no program)");
    case LanePhase::Other: return Words::tr("other");
    }
    return {};
}

QString runName(report::RunRow const &run, report::ReportData const &data)
{
    if (run.kind == "profile") return scheduleTitle(data);
    QString const kind = run.kind == "train" ? Words::tr("Training")
        : run.kind == "evaluate"             ? Words::tr("Evaluation")
        : run.kind == "predict"              ? Words::tr("Prediction")
                                             : QString::fromStdString(run.kind);
    return Words::tr("%1, %2 (%3)").arg(kind, runStepsText(run), runModeLabel(run.mode));
}

int slowestTile(ReportSnapshot const &report, int run)
{
    auto const &waits = report.runTileMetric(run, "caused_wait");
    auto const most = std::ranges::max_element(waits);
    return most == waits.end() || *most <= 0 ? -1 : static_cast<int>(most - waits.begin());
}

QString executionHeadline(ExecutionBlocks const &blocks, RunPlaces const &run)
{
    auto const &data = blocks.report->data();
    PhaseTicks sum{};
    std::int64_t all = 0;
    for (auto const &split : data.ipuSplits)
        if (split.run == run.run) { add(sum, ticksOf(split)); }
    all = std::accumulate(sum.begin(), sum.end(), std::int64_t{0});
    if (all == 0) { // not recorded (yet): computed from the lanes
        for (int const lane : ipuLanes(data))
            if (auto const events = placed(blocks.lanes, lane, run)) {
                add(sum, events->busy(run.extent));
                all += run.extent.length();
            }
        sum[static_cast<std::size_t>(LanePhase::Idle)] = 0;
        sum[static_cast<std::size_t>(LanePhase::Idle)] = all - std::accumulate(sum.begin(), sum.end(), std::int64_t{0});
    }
    auto const part = [&](LanePhase phase) { return share(sum[static_cast<std::size_t>(phase)], all); };
    QStringList parts{Words::tr("compute %1").arg(shareText(part(LanePhase::Compute))),
                      Words::tr("exchange %1").arg(shareText(part(LanePhase::InternalExchange) + part(LanePhase::GlobalExchange))),
                      Words::tr("sync %1").arg(shareText(part(LanePhase::Sync))),
                      Words::tr("stream %1").arg(shareText(part(LanePhase::Stream)))};
    if (part(LanePhase::Idle) >= 0.0005) parts << QStringLiteral("%1 %2").arg(phaseName(LanePhase::Idle), shareText(part(LanePhase::Idle)));
    int recorded = run.run;
    if (recorded < 0 && !data.runs.empty()) recorded = 0;
    if (int const tile = slowestTile(*blocks.report, recorded); tile >= 0) parts << Words::tr("slowest: tile %1").arg(tile);
    auto const *row = rowOf(data.runs, run.run);
    bool const measured = row && report::originOfRun(data.figures, *row) == "measured";
    return parts.join(QStringLiteral(" · ")) + QLatin1Char(' ')
        + (run.exact || measured ? QStringLiteral("(%1)").arg(cyclesOrigin(measured)) : Words::tr("(modelled, with assumed loop counts)"));
}

QString hostHeadline(ExecutionLanes const &lanes)
{
    // Activity of the training thread; the other threads wait for it or work for it.
    for (auto const &lane : lanes.set.lanes) {
        if (!lane.events || lane.events->size() == 0) continue;
        TimeSpan const all = lane.events->extent();
        std::map<int, std::int64_t> ticks;
        lane.events->stretches(0, lane.events->size(), [&](LaneTimeline::Stretch const &part) {
            for (std::int64_t e = part.from; e < part.to; ++e) ticks[part.block->type(e)] += part.block->duration(e) * part.times;
        });
        std::vector<std::pair<std::int64_t, int>> most;
        for (auto const &[type, time] : ticks)
            if (!lanes.set.style(type).name.isEmpty()) most.emplace_back(time, type);
        std::ranges::sort(most, std::greater{});
        QStringList parts{Words::tr("%1 recorded").arg(secondsText(static_cast<double>(all.length()) * 1e-9))};
        for (std::size_t i = 0; i < std::min<std::size_t>(3, most.size()); ++i)
            parts << QStringLiteral("%1 %2").arg(lanes.set.style(most[i].second).name, shareText(share(most[i].first, all.length())));
        return parts.join(QStringLiteral(" · ")) + QLatin1Char(' ') + Words::tr("(measured on this computer)");
    }
    return {};
}

Facts runFacts(Blocks const &blocks, RunPlaces const &run)
{
    auto const &data = blocks->report->data();
    auto const *row = rowOf(data.runs, run.run);
    Facts facts;
    if (!row || run.live) {
        facts = rangeFacts(blocks, run, run.extent);
        facts.title = run.live ? Words::tr("Running now: the modelled schedule of a step, unrolled") : scheduleTitle(data);
        return facts;
    }
    facts.title = runName(*row, data);
    std::int64_t tileCycles = 0, overlapped = 0, bytesIn = 0, bytesOut = 0, executions = 0;
    for (auto const &split : data.ipuSplits)
        if (split.run == run.run) {
            add(facts.busy, ticksOf(split));
            facts.ticks += row->cycles;
            tileCycles += split.tileCycles;
            overlapped += split.overlapped;
        }
    double weighted = 0, weightedData = 0;
    std::int64_t computeCycles = 0, exchangeCycles = 0;
    for (auto const &stat : data.stepStats) {
        if (stat.run != run.run) continue;
        bytesIn += stat.bytesIn;
        bytesOut += stat.bytesOut;
        executions += stat.executions;
        auto const *program = rowOf(data.programs, stat.program);
        std::string_view const phase = program ? report::phaseOfProgramKind(program->kind) : std::string_view();
        if (phase == "compute") {
            weighted += stat.tileBalance * static_cast<double>(stat.cycles);
            computeCycles += stat.cycles;
        } else if (phase == "internal_exchange" || phase == "global_exchange") {
            weightedData += stat.dataBalance * static_cast<double>(stat.cycles);
            exchangeCycles += stat.cycles;
        }
    }
    std::int64_t const clock = data.target.clockHz;
    auto &rows = facts.rows;
    rows.emplace_back(Words::tr("Time (%1)").arg(cyclesOrigin(report::originOfRun(data.figures, *row) == "measured")),
                      cyclesWithTime(row->cycles, clock));
    if (row->hostNs > 0) rows.emplace_back(Words::tr("Time (measured)"), secondsText(static_cast<double>(row->hostNs) * 1e-9));
    rows.emplace_back(Words::tr("Steps, samples"),
                      Words::tr("%Ln step(s), %1", nullptr, static_cast<int>(row->steps))
                          .arg(Words::tr("%Ln sample(s)", nullptr, static_cast<int>(row->samples))));
    if (row->steps > 0) rows.emplace_back(Words::tr("One step"), cyclesWithTime(row->cycles / row->steps, clock));
    rows.emplace_back(Words::tr("IPU utilisation"),
                      Words::tr("%1 of the cycles compute").arg(shareText(share(facts.busy[0], facts.ticks))));
    std::int64_t const tiles = blocks->report->tilesPerIpu();
    if (facts.ticks > 0 && tiles > 0)
        rows.emplace_back(
            Words::tr("Tile utilisation"),
            Words::tr("%1 of all tiles' cycles (parallel efficiency)")
                .arg(shareText(static_cast<double>(tileCycles) / (static_cast<double>(facts.ticks) * static_cast<double>(tiles)))));
    if (computeCycles > 0)
        rows.emplace_back(
            Words::tr("Tile balance"),
            Words::tr("%1 (mean of slowest, weighted by cycles)").arg(shareText(weighted / static_cast<double>(computeCycles))));
    if (exchangeCycles > 0) rows.emplace_back(Words::tr("Data balance"), shareText(weightedData / static_cast<double>(exchangeCycles)));
    rows.emplace_back(Words::tr("Bytes of the tiles"), receivedSentText(bytesIn, bytesOut));
    rows.emplace_back(Words::tr("Programs executed"), countText(executions));
    if (overlapped > 0) rows.emplace_back(Words::tr("Overlapped with compute"), cyclesText(overlapped));
    if (row->verifyError) rows.emplace_back(Words::tr("Largest difference from the fused kernels"), numberText(*row->verifyError));
    return facts;
}

Facts rangeFacts(Blocks const &blocks, RunPlaces const &run, TimeSpan range)
{
    Facts facts;
    auto const &data = blocks->report->data();
    facts.title = Words::tr("%1 from %2").arg(durationText(range.length(), run.scale), timeText(range.begin, run.scale));
    std::int64_t count = 0, longest = 0, shortest = std::numeric_limits<std::int64_t>::max(), scanned = 0, total = 0;
    EventSums::Totals totals{};
    for (int const lane : ipuLanes(data)) {
        auto const events = placed(blocks->lanes, lane, run);
        if (!events) continue;
        add(facts.busy, events->busy(range));
        facts.ticks += range.length();
        std::int64_t const first = events->lowerBound(range.begin), last = events->lowerBound(range.end);
        count += last - first;
        if (first < last) longest = std::max(longest, events->span(events->longest(first, last)).length());
        events->stretches(first, last, [&](LaneTimeline::Stretch const &part) {
            PhaseTicks const until = part.block->busyOf(part.to), before = part.block->busyOf(part.from);
            for (std::size_t p = 0; p < until.size(); ++p) total += (until[p] - before[p]) * part.times;
            for (std::int64_t e = part.from; e < part.to && scanned < kMostScanned; ++e, ++scanned)
                shortest = std::min(shortest, part.block->duration(e));
            for (auto const &[key, block] : blocks->lanes) {
                if (block.get() != part.block || key.second != lane) continue;
                auto const it = blocks->sums.find(key);
                if (it == blocks->sums.end()) continue;
                auto const high = it->second->before(part.to), low = it->second->before(part.from);
                for (std::size_t k = 0; k < totals.size(); ++k) totals[k] += (high[k] - low[k]) * part.times;
            }
        });
    }
    auto &rows = facts.rows;
    rows.emplace_back(Words::tr("Range"), Words::tr("%1 to %2").arg(timeText(range.begin, run.scale), timeText(range.end, run.scale)));
    rows.emplace_back(Words::tr("IPU utilisation"),
                      Words::tr("%1 of the cycles compute").arg(shareText(share(facts.busy[0], facts.ticks))));
    std::int64_t const tiles = blocks->report->tilesPerIpu();
    if (facts.ticks > 0 && tiles > 0)
        rows.emplace_back(Words::tr("Tile utilisation"),
                          Words::tr("%1 of all tiles' cycles (parallel efficiency)")
                              .arg(shareText(static_cast<double>(totals[EventSums::TileCycles])
                                             / (static_cast<double>(facts.ticks) * static_cast<double>(tiles)))));
    rows.emplace_back(Words::tr("Bytes of the tiles"), receivedSentText(totals[EventSums::BytesIn], totals[EventSums::BytesOut]));
    rows.emplace_back(Words::tr("Events that begin here"), countText(count));
    if (count > 0)
        rows.emplace_back(
            Words::tr("Shortest, mean, longest"),
            Words::tr("%1 · %2 · %3 cycles")
                .arg(scanned < kMostScanned ? countText(shortest) : Words::tr("not known"), countText(total / count), countText(longest)));
    return facts;
}

Facts eventFacts(Blocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event)
{
    Facts facts;
    auto const &report = *blocks->report;
    auto const &data = report.data();
    int const typeId = events.type(event);
    TimeSpan const span = events.span(event);
    auto &rows = facts.rows;
    auto const *laneRow = rowOf(data.lanes, lane);
    TimeScale scale = run.scale;
    scale.host = laneRow && laneRow->timeBase == "ns";
    facts.busy[static_cast<std::size_t>(events.phase(event))] = span.length();
    facts.ticks = span.length();
    int program = -1, op = -1;
    if (auto const *type = rowOf(data.eventTypes, typeId)) {
        facts.title = blocks->styles[static_cast<std::size_t>(typeId)].name;
        program = type->program;
        op = type->op;
    } else if (auto const *nested = blocks->nestedOf(typeId)) {
        facts.title = nestedName(*blocks, *nested);
        op = nested->op;
        facts.busy = {};
        if (auto const leaves = placed(blocks->lanes, lane, run)) facts.busy = leaves->busy(span);
    }
    rows.emplace_back(Words::tr("Time"), durationText(span.length(), scale));
    rows.emplace_back(Words::tr("Begins"), timeText(span.begin, scale));
    if (laneRow) rows.emplace_back(Words::tr("Lane"), laneName(*laneRow));
    if (auto const *row = rowOf(data.programs, program))
        rows.emplace_back(Words::tr("Program"),
                          QStringLiteral("%1 (%2)").arg(QString::fromStdString(row->name), QString::fromStdString(row->kind)));
    if (auto const *row = rowOf(data.ops, op)) {
        QString const layer = report.layerOf(op);
        rows.emplace_back(Words::tr("Operation"), QString::fromStdString(row->name));
        if (!layer.isEmpty())
            rows.emplace_back(Words::tr("Layer, pass"), Words::tr("%1, %2").arg(layer, QString::fromStdString(row->pass)));
    }
    int first = 0;
    auto const tiles = tilesOf(*blocks, run, lane, events, event, &first);
    if (!tiles.empty()) {
        auto const most = std::ranges::max_element(tiles);
        std::int64_t const sum = std::accumulate(tiles.begin(), tiles.end(), std::int64_t{0});
        auto const active = std::ranges::count_if(tiles, [](std::int64_t c) { return c > 0; });
        double const mean = static_cast<double>(sum) / static_cast<double>(tiles.size());
        rows.emplace_back(Words::tr("Slowest tile"),
                          Words::tr("tile %1 with %2").arg(first + (most - tiles.begin())).arg(cyclesText(*most)));
        if (*most > 0)
            rows.emplace_back(Words::tr("Tile balance"),
                              Words::tr("%1 over all, %2 over the %3 active of %4")
                                  .arg(shareText(mean / static_cast<double>(*most)),
                                       shareText(static_cast<double>(sum)
                                                 / (static_cast<double>(*most) * static_cast<double>(std::max<std::ptrdiff_t>(1, active)))),
                                       countText(active), countText(static_cast<std::int64_t>(tiles.size()))));
    }
    for (auto const &stat : data.stepStats) {
        if (stat.program != program || !laneRow || stat.ipu != laneRow->ipu || (stat.run != run.run && !(run.run < 0 && stat.run == 0)))
            continue;
        rows.emplace_back(Words::tr("Executions in the run"), countText(stat.executions));
        if (stat.executions > 0)
            rows.emplace_back(Words::tr("Shortest, mean, longest"),
                              Words::tr("%1 · %2 · %3 cycles")
                                  .arg(countText(stat.cyclesMin), countText(stat.cycles / stat.executions), countText(stat.cyclesMax)));
        if (stat.bytesIn > 0 || stat.bytesOut > 0)
            rows.emplace_back(Words::tr("Bytes each time"),
                              Words::tr("%1 in, %2 out")
                                  .arg(bytesText(stat.bytesIn / std::max<std::int64_t>(1, stat.executions)),
                                       bytesText(stat.bytesOut / std::max<std::int64_t>(1, stat.executions))));
        break;
    }
    return facts;
}

QString eventTip(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event)
{
    auto const &data = blocks.report->data();
    int const typeId = events.type(event);
    auto const *laneRow = rowOf(data.lanes, lane);
    TimeScale scale = run.scale;
    scale.host = laneRow && laneRow->timeBase == "ns";
    QStringList lines;
    int op = -1;
    if (auto const *type = rowOf(data.eventTypes, typeId)) {
        lines << stageLabel(type->name);
        lines << Words::tr("%1, %2").arg(phaseName(events.phase(event)), durationText(events.span(event).length(), scale));
        op = type->op;
    } else if (auto const *nested = blocks.nestedOf(typeId)) {
        lines << nestedName(blocks, *nested);
        lines << (nested->pass.empty()
                      ? durationText(events.span(event).length(), scale)
                      : Words::tr("%1, %2").arg(passLabel(nested->pass), durationText(events.span(event).length(), scale)));
        op = nested->op;
    }
    if (QString const layer = op >= 0 ? blocks.report->layerOf(op) : QString(); !layer.isEmpty()) lines << Words::tr("layer %1").arg(layer);
    int first = 0;
    if (auto const tiles = tilesOf(blocks, run, lane, events, event, &first); !tiles.empty()) {
        auto const most = std::ranges::max_element(tiles);
        lines << Words::tr("slowest: tile %1").arg(first + (most - tiles.begin()));
    }
    return lines.join(QLatin1Char('\n'));
}

QString tileTip(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event, int tile)
{
    QString const head = eventTip(blocks, run, lane, events, event);
    int first = 0;
    auto const tiles = tilesOf(blocks, run, lane, events, event, &first);
    if (tile < first || tile - first >= static_cast<int>(tiles.size())) return head + QLatin1Char('\n') + Words::tr("tile %1").arg(tile);
    std::int64_t const own = tiles[at(tile - first)], all = events.span(event).length();
    return head + QLatin1Char('\n')
        + (own >= all ? Words::tr("tile %1: busy throughout").arg(tile)
                      : Words::tr("tile %1: busy for %2 of %3, then waits").arg(tile).arg(countText(own), cyclesText(all)));
}

std::vector<TilePair> topPairs(ReportSnapshot const &report, int run, std::size_t most, Bytes *rest)
{
    auto const &data = report.data();
    std::unordered_map<int, std::int64_t> executions; // by program: on the IPU that runs it most often
    for (auto const &stat : data.stepStats)
        if (stat.run == run || (run < 0 && stat.run == 0)) executions[stat.program] = std::max(executions[stat.program], stat.executions);
    constexpr std::uint64_t kNextReplica = std::uint64_t{1} << 31;
    std::unordered_map<std::uint64_t, Bytes> sums;
    if (rest) *rest = 0;
    for (auto const &exchange : data.exchanges) {
        auto const it = executions.find(exchange.program);
        std::int64_t const times = it == executions.end() ? (executions.empty() ? 1 : 0) : it->second;
        for (auto const &pair : exchange.pairs) {
            if (pair.from < 0 || pair.to < 0) {
                if (rest) *rest += pair.bytes * times;
                continue;
            }
            bool const next = sendsToNextReplica(data, exchange, pair);
            sums[static_cast<std::uint64_t>(pair.from) << 32 | (next ? kNextReplica : 0) | static_cast<std::uint32_t>(pair.to)] +=
                pair.bytes * times;
        }
    }
    std::vector<TilePair> pairs;
    pairs.reserve(sums.size());
    for (auto const &[key, bytes] : sums)
        pairs.push_back({static_cast<int>(key >> 32), static_cast<int>(key & (kNextReplica - 1)), bytes, (key & kNextReplica) != 0});
    std::ranges::sort(pairs, [](TilePair const &a, TilePair const &b) {
        return std::tuple(-a.bytes, a.from, a.to, a.toNextReplica) < std::tuple(-b.bytes, b.from, b.to, b.toNextReplica);
    });
    if (pairs.size() > most) pairs.resize(most);
    return pairs;
}

} // namespace tilewright::views
