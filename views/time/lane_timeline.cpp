#include "views/time/lane_timeline.h"

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

void add(PhaseTicks &sum, PhaseTicks const &more, std::int64_t times = 1)
{
    for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += more[p] * times;
}

} // namespace

LaneTimeline::LaneTimeline(std::vector<LanePlacement> placements) : m_placements(std::move(placements))
{
    std::erase_if(m_placements, [](LanePlacement const &p) { return !p.block || p.block->size() == 0 || p.repeats <= 0; });
    PhaseTicks busy{};
    for (auto &placement : m_placements) {
        // A period shorter than its block would make time go backwards.
        placement.period = std::max({placement.period, placement.block->lastEnd(), std::int64_t{1}});
        m_first.push_back(m_size);
        m_busy.push_back(busy);
        m_size += placement.block->size() * placement.repeats;
        add(busy, placement.block->busyOf(placement.block->size()), placement.repeats);
    }
    m_first.push_back(m_size);
    m_busy.push_back(busy);
}

LaneTimeline::Place LaneTimeline::placeOf(std::int64_t event) const
{
    Place place;
    if (m_placements.size() > 1) place.placement = at(std::ranges::upper_bound(m_first, event) - m_first.begin()) - 1;
    place.index = event - m_first[place.placement];
    auto const &placement = m_placements[place.placement];
    if (placement.repeats > 1) {
        place.repetition = place.index / placement.block->size();
        place.index -= place.repetition * placement.block->size();
    }
    return place;
}

std::int64_t LaneTimeline::base(Place const &place) const
{
    auto const &placement = m_placements[place.placement];
    return placement.start + place.repetition * placement.period;
}

std::int64_t LaneTimeline::number(Place const &place) const
{
    if (place.placement >= m_placements.size()) return m_size;
    return m_first[place.placement] + place.repetition * m_placements[place.placement].block->size() + place.index;
}

/// The same position with an index inside its block: the end of one copy is the beginning of the next.
LaneTimeline::Place LaneTimeline::normal(Place place) const
{
    if (place.placement < m_placements.size() && place.index >= m_placements[place.placement].block->size()) {
        place.index = 0;
        if (++place.repetition >= m_placements[place.placement].repeats) {
            place.repetition = 0;
            ++place.placement;
        }
    }
    return place;
}

LaneTimeline::Place LaneTimeline::lowerPlace(std::int64_t time, Place from) const
{
    if (from.placement >= m_placements.size()) return from;
    auto const next = std::upper_bound(m_placements.begin() + static_cast<std::ptrdiff_t>(from.placement) + 1, m_placements.end(), time,
                                       [](std::int64_t t, LanePlacement const &p) { return t < p.start; });
    Place place;
    place.placement = at(next - m_placements.begin()) - 1;
    auto const &placement = m_placements[place.placement];
    if (placement.repeats > 1 && time > placement.start)
        place.repetition = std::min((time - placement.start) / placement.period, placement.repeats - 1);
    bool const same = place.placement == from.placement && place.repetition == from.repetition;
    place.index = placement.block->lowerBound(time - base(place), same ? from.index : 0);
    return normal(place);
}

TimeSpan LaneTimeline::span(std::int64_t event) const
{
    Place const place = placeOf(event);
    auto const &block = *m_placements[place.placement].block;
    std::int64_t const begin = base(place) + block.start(place.index);
    return {begin, begin + block.duration(place.index)};
}

int LaneTimeline::type(std::int64_t event) const
{
    Place const place = placeOf(event);
    return m_placements[place.placement].block->type(place.index);
}

LanePhase LaneTimeline::phase(std::int64_t event) const
{
    Place const place = placeOf(event);
    return m_placements[place.placement].block->phase(place.index);
}

LanePhase LaneTimeline::phaseOfType(int type) const
{
    return m_placements.empty() ? LanePhase::Other : m_placements.front().block->phaseOfType(type);
}

std::int64_t LaneTimeline::indexInBlock(std::int64_t event) const { return placeOf(event).index; }

LaneLod const *LaneTimeline::blockOf(std::int64_t event) const
{
    return event >= 0 && event < m_size ? m_placements[placeOf(event).placement].block.get() : nullptr;
}

std::int64_t LaneTimeline::repetition(std::int64_t event) const { return placeOf(event).repetition; }

std::int64_t LaneTimeline::lowerBound(std::int64_t time) const { return m_placements.empty() ? 0 : number(lowerPlace(time, {})); }

std::int64_t LaneTimeline::firstNotEnded(std::int64_t time) const
{
    std::int64_t const next = lowerBound(time);
    return next > 0 && span(next - 1).end > time ? next - 1 : next;
}

std::int64_t LaneTimeline::eventAt(std::int64_t time) const
{
    std::int64_t const event = firstNotEnded(time);
    return event < m_size && span(event).begin <= time ? event : -1;
}

std::int64_t LaneTimeline::sameType(std::int64_t event, int direction) const
{
    if (event < 0 || event >= m_size) return -1;
    int const wanted = type(event);
    // Beyond the block and a whole copy of its neighbour, everything repeats.
    std::int64_t const reach = 2 * blockOf(event)->size() + 1;
    for (std::int64_t i = event + direction, steps = 0; i >= 0 && i < m_size && steps < reach; i += direction, ++steps)
        if (type(i) == wanted) return i;
    return -1;
}

void LaneTimeline::stretches(std::int64_t first, std::int64_t last, std::function<void(Stretch const &)> const &visit) const
{
    first = std::max<std::int64_t>(first, 0);
    last = std::min(last, m_size);
    while (first < last) {
        Place const place = placeOf(first);
        auto const &placement = m_placements[place.placement];
        std::int64_t const n = placement.block->size();
        Stretch part{placement.block.get(), place.index, n, 1, base(place), place.placement, first};
        std::int64_t const rest = std::min(last, m_first[place.placement + 1]) - first;
        if (place.index == 0 && rest >= n) part.times = rest / n;
        else part.to = std::min(n, place.index + rest);
        visit(part);
        first += (part.to - part.from) * part.times;
    }
}

std::int64_t LaneTimeline::longest(std::int64_t first, std::int64_t last) const
{
    std::int64_t best = first, ticks = -1;
    if (Place const place = placeOf(first); m_placements[place.placement].repeats > 1) {
        // If a whole copy is inside, nothing in the same placement is longer than its longest event.
        auto const &placement = m_placements[place.placement];
        std::int64_t const n = placement.block->size(), whole = place.index == 0 ? first : first - place.index + n;
        if (whole + n <= last && last <= m_first[place.placement + 1]) return whole + placement.block->longest(0, n).index;
    }
    stretches(first, last, [&](Stretch const &part) {
        auto const found = part.block->longest(part.from, part.to);
        if (found.ticks <= ticks) return;
        ticks = found.ticks;
        best = part.event + found.index - part.from;
    });
    return best;
}

PhaseTicks LaneTimeline::busyBefore(std::int64_t time) const
{
    if (m_placements.empty() || time <= m_placements.front().start) return {};
    auto const next = std::ranges::upper_bound(m_placements, time, {}, &LanePlacement::start);
    std::size_t const p = at(next - m_placements.begin()) - 1;
    auto const &placement = m_placements[p];
    std::int64_t const repetition = std::min((time - placement.start) / placement.period, placement.repeats - 1);
    PhaseTicks sum = m_busy[p];
    if (repetition > 0) add(sum, placement.block->busyOf(placement.block->size()), repetition);
    add(sum, placement.block->busyBefore(time - placement.start - repetition * placement.period));
    return sum;
}

PhaseTicks LaneTimeline::busy(TimeSpan span) const
{
    if (span.isEmpty()) return {};
    PhaseTicks sum = busyBefore(span.end);
    add(sum, busyBefore(span.begin), -1);
    return sum;
}

std::vector<std::int64_t> LaneTimeline::countByType() const
{
    std::vector<std::int64_t> counts;
    for (auto const &placement : m_placements) {
        auto const &block = placement.block->countByType();
        if (block.size() > counts.size()) counts.resize(block.size());
        for (std::size_t type = 0; type < block.size(); ++type) counts[type] += block[type] * placement.repeats;
    }
    return counts;
}

TimeSpan LaneTimeline::extent() const { return m_size == 0 ? TimeSpan{} : TimeSpan{span(0).begin, span(m_size - 1).end}; }

namespace {

struct DenseStart {
    int column = 0;
    std::int64_t event = 0, index = 0; ///< event of the lane, index in the block
};

/// Adds boxes while columns hold so many short events that a slightly later boundary is not visible. Returns the number of events in them.
/// Time 0
/// of the block is at `from`.
std::int64_t denseColumns(LaneLod const &block, int level, std::int64_t from, DenseStart const &at, ColumnGrid const &grid,
                          std::vector<LaneBox> &boxes)
{
    std::int64_t index = at.index, bin = block.bins().binFrom(level, index, block.start(index));
    std::int64_t const shift = at.event - at.index;
    for (int column = at.column; column + 2 <= grid.width(); ++column) {
        auto const dense = block.bins().column(level, index, bin, grid.start(column + 1) - from, grid.start(column + 2) - from);
        if (!dense) break;
        LaneLod::Longest longest{dense->longest, dense->ticks, dense->type};
        if (dense->head > index)
            if (auto const head = block.longest(index, dense->head); head.ticks >= longest.ticks) longest = head;
        boxes.push_back({column, column + 1, shift + index, dense->to - index, shift + longest.index, longest.type});
        index = dense->to;
        bin = dense->bin;
    }
    return index - at.index;
}

/// The same if columns hold whole copies of a block: boundaries move to those of copies. `first`: index of the placement's first event.
std::int64_t denseCopies(LanePlacement const &placement, std::int64_t first, DenseStart const &at, ColumnGrid const &grid,
                         std::vector<LaneBox> &boxes)
{
    auto const &block = *placement.block;
    std::int64_t const n = block.size();
    auto const longest = block.longest(0, n);
    std::int64_t event = at.event;
    for (int column = at.column; column + 2 <= grid.width(); ++column) {
        std::int64_t const copy =
            (grid.start(column + 1) - placement.start + placement.period - 1) / placement.period; // the first one after the boundary
        std::int64_t const to = first + copy * n, whole = first + (event - first + n - 1) / n * n;
        bool const dense = whole + n <= to && to - event >= LaneBins::kDense;
        if (copy >= placement.repeats || !dense || placement.start + copy * placement.period + block.start(0) >= grid.start(column + 2))
            break;
        boxes.push_back({column, column + 1, event, to - event, whole + longest.index, longest.type});
        event = to;
    }
    return event - at.event;
}

} // namespace

std::vector<LaneBox> LaneTimeline::boxes(ColumnGrid const &grid) const
{
    std::vector<LaneBox> boxes;
    this->boxes(grid, boxes);
    return boxes;
}

void LaneTimeline::boxes(ColumnGrid const &grid, std::vector<LaneBox> &boxes) const
{
    boxes.clear();
    TimeSpan const window = grid.axis().window;
    if (m_size == 0 || window.isEmpty()) return;
    std::int64_t event = firstNotEnded(window.begin);
    if (event >= m_size) return;
    Place place = placeOf(event);
    int free = 0; // columns before it are taken
    int const width = grid.width();
    std::int64_t const ticksPerColumn = window.length() / width;
    while (place.placement < m_placements.size()) {
        LaneLod const *block = m_placements[place.placement].block.get();
        std::int64_t const from = base(place);
        std::int64_t const start = from + block->start(place.index), end = start + block->duration(place.index);
        if (start >= window.end || free >= width) break;
        int const column = std::max(free, grid.column(start, free));
        std::int64_t const border = grid.start(column + 1);
        if (end < border) {
            std::size_t const before = boxes.size();
            auto const &placement = m_placements[place.placement];
            int const level = block->bins().levelFor(ticksPerColumn);
            std::int64_t passed = 0;
            if (placement.repeats > 1 && 2 * placement.period <= ticksPerColumn)
                passed = denseCopies(placement, m_first[place.placement], {column, event, place.index}, grid, boxes);
            else if (level >= 0) passed = denseColumns(*block, level, from, {column, event, place.index}, grid, boxes);
            if (boxes.size() > before) {
                free = boxes.back().x1;
                event += passed;
                if (place.index + passed < block->size()) place.index += passed;
                else place = placeOf(event);
                continue;
            }
        }
        if (end >= border) {
            int const endColumn = grid.column(end);
            boxes.push_back({column, endColumn, event, 1, event, block->type(place.index)});
            free = endColumn;
            ++event;
            if (++place.index == block->size()) place = normal(place);
            continue;
        }
        // All events that start in this column share it; only a last one that reaches its own column is separate.
        Place next = place;
        if (from + block->start(block->size() - 1) >= border) next.index = block->lowerBound(border - from, place.index);
        else next = lowerPlace(border, place);
        bool sameCopy = next.placement == place.placement && next.repetition == place.repetition;
        std::int64_t last = sameCopy ? event + next.index - place.index : number(next);
        if (last - 1 > event) {
            Place const before = next.index > 0 ? Place{next.placement, next.repetition, next.index - 1} : placeOf(last - 1);
            std::int64_t const lastEnd = base(before) + m_placements[before.placement].block->end(before.index);
            if (column + 2 <= width && lastEnd >= grid.start(column + 2)) {
                next = before;
                --last;
                sameCopy = next.placement == place.placement && next.repetition == place.repetition;
            }
        }
        std::int64_t best = event;
        int bestType = 0;
        if (sameCopy) {
            auto const found = block->longest(place.index, next.index);
            best += found.index - place.index;
            bestType = found.type;
        } else {
            best = longest(event, last);
            bestType = type(best);
        }
        boxes.push_back({column, column + 1, event, last - event, best, bestType});
        free = column + 1;
        event = last;
        place = next;
    }
}

std::vector<MergedRun> mergedRuns(std::vector<LaneBox> const &boxes, int nearness)
{
    std::vector<MergedRun> runs;
    for (auto const &box : boxes) {
        if (box.count < 2) continue;
        if (!runs.empty() && box.x0 - runs.back().x1 <= nearness) {
            runs.back().x1 = box.x1;
            runs.back().count += box.count;
        } else {
            runs.push_back({box.x0, box.x1, box.count});
        }
    }
    return runs;
}

} // namespace tilewright::views
