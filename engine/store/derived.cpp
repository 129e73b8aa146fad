#include "engine/store/derived.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace tilewright::store {

using namespace report;

Result<std::vector<TileValue>> tileValues(ReportReader const &reader, int vec)
{
    TW_ASSIGN(auto const values, reader.tileVec(vec));
    TW_ASSIGN(auto const target, reader.target());
    TW_ASSIGN(auto const places, reader.rows<TilePlaceRow>());
    int const perIpu = std::max(1, target.tilesPerIpu);
    std::vector<TileValue> all(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto &one = all[i];
        one.tile = static_cast<int>(i);
        one.ipu = one.tile / perIpu;
        one.index = one.tile % perIpu;
        if (static_cast<std::size_t>(one.index) < places.size()) {
            one.x = places[static_cast<std::size_t>(one.index)].x;
            one.y = places[static_cast<std::size_t>(one.index)].y;
        }
        one.value = values[i];
    }
    return all;
}

Result<std::vector<PlacedItem>> placedOn(ReportReader const &reader, int tile)
{
    TW_ASSIGN(auto const layouts, reader.tileLayouts());
    std::vector<PlacedItem> placed;
    if (tile < 0 || static_cast<std::size_t>(tile) >= layouts.size() || layouts[static_cast<std::size_t>(tile)] < 0) return placed;
    TW_ASSIGN(auto const items, reader.layout(layouts[static_cast<std::size_t>(tile)]));
    Bytes top = 0;
    for (auto const &item : items) {
        placed.push_back({item, std::max<Bytes>(0, item.offset - top)});
        top = std::max(top, item.offset + item.bytes);
    }
    return placed;
}

Result<std::vector<LiveVariable>> liveAt(ReportReader const &reader, int step, int tile)
{
    TW_ASSIGN(auto const classes, reader.rows<LivenessClassRow>());
    TW_ASSIGN(auto const intervals, reader.rows<LivenessIntervalRow>());
    TW_ASSIGN(auto const variables, reader.rows<VariableRow>());
    TW_ASSIGN(auto const layouts, reader.tileLayouts());
    // The interval of each class around the step; [-1, -1) = not live.
    std::vector<std::pair<int, int>> around(classes.size(), {kNone, kNone});
    for (auto const &i : intervals)
        if (i.firstStep <= step && step < i.endStep && i.livenessClass >= 0 && static_cast<std::size_t>(i.livenessClass) < around.size())
            around[static_cast<std::size_t>(i.livenessClass)] = {i.firstStep, i.endStep};
    std::map<int, std::int64_t> tilesWith; // by layout
    for (std::size_t t = 0; t < layouts.size(); ++t)
        if (layouts[t] >= 0 && (tile < 0 || static_cast<int>(t) == tile)) ++tilesWith[layouts[t]];
    std::map<std::tuple<int, MemoryCategory, bool>, LiveVariable> sums;
    for (auto const &[id, tiles] : tilesWith) {
        TW_ASSIGN(auto const items, reader.layout(id));
        for (auto const &item : items) {
            auto const c = static_cast<std::size_t>(item.livenessClass);
            if (item.livenessClass < 0 || c >= classes.size()) continue;
            bool const always = classes[c].alwaysLive;
            auto const [born, dies] = around[c];
            if (!always && dies == kNone) continue;
            auto &sum = sums[{item.variable, item.category, always}];
            sum.variable = item.variable;
            sum.category = item.category;
            sum.alwaysLive = always;
            sum.bytes += item.bytes * tiles;
            if (!always) {
                sum.born = sum.dies == kNone ? born : std::min(sum.born, born);
                sum.dies = std::max(sum.dies, dies);
            }
            if (item.variable >= 0 && static_cast<std::size_t>(item.variable) < variables.size())
                sum.lastUse = variables[static_cast<std::size_t>(item.variable)].lastUseStep;
        }
    }
    std::vector<LiveVariable> all;
    for (auto const &[key, sum] : sums) all.push_back(sum);
    std::stable_sort(all.begin(), all.end(), [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
    return all;
}

Result<std::vector<LivePoint>> livePoints(ReportReader const &reader, std::string const &scope, int scopeId)
{
    TW_ASSIGN(auto const curve, reader.liveCurve(scope, scopeId));
    std::vector<LivePoint> points;
    for (auto const bytes : curve.notAlwaysLive) points.push_back({static_cast<int>(points.size()), curve.alwaysLive, bytes});
    return points;
}

Result<TimelineCursor> TimelineCursor::open(ReportReader const &reader, int run, int lane, std::int64_t from, std::int64_t to)
{
    TimelineCursor cursor;
    cursor.m_from = from;
    cursor.m_to = to;
    TW_ASSIGN(auto const lanes, reader.rows<LaneRow>());
    if (lane < 0 || static_cast<std::size_t>(lane) >= lanes.size()) return cursor;
    std::vector<PatternPlaceRow> rows;
    if (lanes[static_cast<std::size_t>(lane)].timeBase == "ns") {
        rows.push_back({run, 0, 0, 0, 1, 0, 0});
    } else {
        TW_ASSIGN(rows, reader.rows<PatternPlaceRow>());
    }
    std::map<int, std::shared_ptr<EventColumns const>> known;
    for (auto const &row : rows) {
        if (row.run != run || row.repeats < 1) continue;
        auto &events = known[row.pattern];
        if (!events) {
            TW_ASSIGN(auto loaded, reader.events(row.pattern, lane));
            events = std::make_shared<EventColumns const>(std::move(loaded));
        }
        if (events->size() == 0) continue;
        // Damaged files hold absurd times; in range, no sum below overflows.
        constexpr std::int64_t kFar = std::int64_t{1} << 60;
        if (row.startCycle < -kFar || row.startCycle > kFar || row.period < 0 || row.period > kFar
            || (row.period > 0 && row.repeats > kFar / row.period) || (row.period == 0 && row.repeats > 1))
            return makeError(ErrorKind::Invalid, "store.corrupt", "pattern_place", Message::of("a pattern is placed outside any time"),
                             Message::of("Write the report again."));
        Place place{row, events, 0};
        for (std::size_t i = 0; i < events->size(); ++i) place.length = std::max(place.length, events->start[i] + events->duration[i]);
        cursor.m_places.push_back(std::move(place));
    }
    return cursor;
}

bool TimelineCursor::next(TimelineEvent &event)
{
    for (; m_place < m_places.size(); ++m_place, m_event = 0, m_repeat = -1) {
        auto const &place = m_places[m_place];
        auto const &row = place.row;
        if (m_repeat < 0) {
            // The first copy that can reach into the window.
            auto const behind = m_from - row.startCycle - place.length;
            m_repeat = row.period > 0 && m_from > row.startCycle && behind > 0 ? behind / row.period : 0;
        }
        for (; m_repeat < row.repeats; ++m_repeat, m_event = 0) {
            std::int64_t const offset = row.startCycle + m_repeat * row.period;
            if (offset >= m_to) break;
            auto const &events = *place.events;
            while (m_event < events.size()) {
                std::size_t const i = m_event++;
                std::int64_t const start = offset + events.start[i], duration = events.duration[i];
                bool const touches = start < m_to && (start + duration > m_from || (duration == 0 && start >= m_from));
                if (!touches) continue;
                event = {row.firstStep + m_repeat,       start, duration, static_cast<int>(events.type[i]), events.argument[i],
                         static_cast<int>(events.vec[i])};
                return true;
            }
        }
    }
    return false;
}

} // namespace tilewright::store
