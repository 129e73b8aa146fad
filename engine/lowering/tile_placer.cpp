#include "engine/lowering/tile_placer.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace tilewright::lowering {

namespace {

constexpr Bytes kBeyond = Bytes{1} << 60; ///< greater than the size of any model
constexpr Bytes kLeastAlignment = 8;
constexpr int kStretch = 16;                             ///< steps
constexpr std::size_t kMostKnown = std::size_t{1} << 30; ///< pairs of classes to remember, two bits each
constexpr std::size_t kMostByAddress = 4096;             ///< items

std::size_t stretchOf(int step) { return static_cast<std::size_t>(step / kStretch); }

} // namespace

void AddressRanges::add(Range range)
{
    // Fast path: most items come after the others or continue at the end of the last one.
    if (m_ranges.empty() || m_ranges.back().end < range.begin) {
        m_ranges.push_back(range);
        return;
    }
    if (m_ranges.back().begin <= range.begin) {
        m_ranges.back().end = std::max(m_ranges.back().end, range.end);
        return;
    }
    auto const first = std::ranges::lower_bound(m_ranges, range.begin, {}, &Range::end);
    auto last = first;
    for (; last != m_ranges.end() && last->begin <= range.end; ++last) {
        range.begin = std::min(range.begin, last->begin);
        range.end = std::max(range.end, last->end);
    }
    if (first == last) {
        m_ranges.insert(first, range);
        return;
    }
    *first = range;
    m_ranges.erase(first + 1, last);
}

TilePlacer::TilePlacer(Liveness const &liveness, target::Chip const &chip) : m_liveness(liveness), m_chip(chip)
{
    m_spans.reserve(liveness.classes.size());
    for (auto const &intervals : liveness.classes)
        m_spans.push_back(intervals.empty() ? Span{} : Span{intervals.front().first, intervals.back().end, intervals.size() == 1});
    m_leaves = std::bit_ceil(stretchOf(static_cast<int>(liveness.steps.size())) + 1);
    m_all.resize(2 * m_leaves);
    m_any.resize(2 * m_leaves);
    m_edges.resize(m_leaves);
    auto const scattered = static_cast<std::size_t>(std::ranges::count(m_spans, false, &Span::whole));
    if (scattered * m_spans.size() <= kMostKnown) m_meetings.resize(m_spans.size());
    m_groupOf.assign(m_spans.size(), -1);
}

void TilePlacer::reset(std::vector<Placement> const &items)
{
    auto const scattered =
        std::ranges::count_if(items, [&](Placement const &item) { return !m_spans[static_cast<std::size_t>(item.livenessClass)].whole; });
    m_byAddress = items.size() <= kMostByAddress && !m_meetings.empty() && 2 * static_cast<std::size_t>(scattered) >= items.size();
    m_entries.clear();
    m_always.clear();
    for (auto const node : m_usedNodes) {
        m_all[node].clear();
        m_any[node].clear();
    }
    m_usedNodes.clear();
    for (auto const stretch : m_usedEdges) m_edges[stretch].clear();
    m_usedEdges.clear();
    for (auto *groups : {&m_scattered, &m_whole}) {
        for (auto const &group : *groups) m_groupOf[static_cast<std::size_t>(group.livenessClass)] = -1;
        groups->clear();
    }
}

TileLayout TilePlacer::place(std::vector<Placement> items)
{
    reset(items);
    for (auto &item : items) placeOne(item);
    std::ranges::sort(items, [](Placement const &a, Placement const &b) {
        return std::tuple(a.offset, a.bytes, a.variable) < std::tuple(b.offset, b.bytes, b.variable);
    });
    explainGaps(items);
    return {std::move(items)};
}

std::optional<TileLayout> TilePlacer::moved(TileLayout const &placed, std::vector<Placement> own) const
{
    Bytes const border = m_chip.nonInterleavedBytes;
    auto const &items = placed.items;
    auto const variables = std::ranges::find_if(items, [](Placement const &item) { return item.variable >= 0; });
    if (!std::ranges::all_of(variables, items.end(), [](Placement const &item) { return item.variable >= 0; })) return std::nullopt;
    Bytes const before =
        variables == items.begin() ? 0 : roundUp(std::prev(variables)->offset + std::prev(variables)->bytes, kLeastAlignment);
    Bytes after = 0;
    for (auto &item : own) {
        if (item.alignment != kLeastAlignment) return std::nullopt;
        item.offset = after;
        item.region = MemoryRegion::NonInterleaved;
        after = roundUp(after + item.bytes, kLeastAlignment);
    }
    if (std::max(before, after) > border) return std::nullopt;
    auto layout = TileLayout{std::move(own)};
    layout.items.reserve(layout.items.size() + static_cast<std::size_t>(items.end() - variables));
    for (auto it = variables; it != items.end(); ++it) {
        auto item = *it;
        bool const aligned = item.alignment == kLeastAlignment;
        if (item.region == MemoryRegion::Overflowed || (item.region == MemoryRegion::Interleaved && aligned)) return std::nullopt;
        if (item.region == MemoryRegion::NonInterleaved) {
            item.offset += after - before;
            if (!aligned || std::max(it->offset, item.offset) + item.bytes > border) return std::nullopt;
        }
        item.gap = GapReason::None;
        layout.items.push_back(item);
    }
    explainGaps(layout.items);
    return layout;
}

bool TilePlacer::meet(std::int32_t a, std::int32_t b) const
{
    if (a == b) return true;
    auto const &one = m_spans[static_cast<std::size_t>(a)], &other = m_spans[static_cast<std::size_t>(b)];
    if (one.begin >= other.end || other.begin >= one.end) return false;
    if (one.whole && other.whole) return true;
    return intersects(m_liveness.classes[static_cast<std::size_t>(a)], m_liveness.classes[static_cast<std::size_t>(b)]);
}

/// The same, computed once for a class with several live intervals.
bool TilePlacer::together(std::int32_t a, std::int32_t b)
{
    if (a == 0 || b == 0 || a == b) return true;
    auto const &one = m_spans[static_cast<std::size_t>(a)], &other = m_spans[static_cast<std::size_t>(b)];
    if (one.begin >= other.end || other.begin >= one.end) return false;
    if (one.whole && other.whole) return true;
    if (m_meetings.empty()) return meet(a, b);
    // Of two classes with several intervals, the row belongs to the first.
    if (one.whole || (!other.whole && b < a)) std::swap(a, b);
    auto &row = m_meetings[static_cast<std::size_t>(a)];
    auto const at = static_cast<std::size_t>(b);
    if (row.known.empty()) {
        row.known.resize(m_spans.size());
        row.meets.resize(m_spans.size());
    }
    if (!row.known[at]) {
        row.known[at] = true;
        row.meets[at] = meet(a, b);
    }
    return row.meets[at];
}

template <typename Edge, typename Cover, typename Above>
void TilePlacer::divide(Span const &span, Edge const &edge, Cover const &cover, Above const &above) const
{
    auto const first = stretchOf(span.begin), last = stretchOf(span.end - 1);
    bool const cutFirst = span.begin % kStretch != 0, cutLast = span.end % kStretch != 0;
    if (cutFirst || (cutLast && first == last)) edge(first);
    if (cutLast && first != last) edge(last);
    std::size_t const begin = first + (cutFirst || (cutLast && first == last)), end = last + 1 - (cutLast && first != last);
    for (std::size_t low = begin + m_leaves, high = std::max(begin, end) + m_leaves; low < high; low /= 2, high /= 2) {
        if (low % 2) cover(low++);
        if (high % 2) cover(--high);
    }
    // All are between the first and the last range; the paths of those two to the root cover everything above.
    std::size_t stretches = 2;
    for (auto low = (first + m_leaves) / 2, high = (last + m_leaves) / 2; low > 0; low /= 2, high /= 2, stretches *= 2)
        for (auto const node : {low, high}) {
            auto const from = node * stretches - m_leaves;
            if (from < begin || from + stretches > end) above(node);
            if (low == high) break;
        }
}

/// Items that are live together with an item, in addition to those that are always live.
void TilePlacer::collect(Placement const &item)
{
    m_obstacles.clear();
    auto const add = [&](AddressRanges const &ranges) {
        m_obstacles.insert(m_obstacles.end(), ranges.list().begin(), ranges.list().end());
    };
    auto const addThose = [&](std::vector<Group> const &groups) {
        for (auto const &group : groups)
            if (item.livenessClass == 0 || together(item.livenessClass, group.livenessClass)) add(group.ranges);
    };
    addThose(m_scattered);
    auto const &span = m_spans[static_cast<std::size_t>(item.livenessClass)];
    if (item.livenessClass != 0 && span.whole) collectDuring(span);
    else addThose(m_whole);
    std::ranges::sort(m_obstacles, {}, &Range::begin);
}

void TilePlacer::collectDuring(Span const &span)
{
    auto const add = [&](AddressRanges const &ranges) {
        m_obstacles.insert(m_obstacles.end(), ranges.list().begin(), ranges.list().end());
    };
    divide(
        span,
        [&](std::size_t stretch) {
            for (auto const &other : m_edges[stretch])
                if (other.span.begin < span.end && span.begin < other.span.end) m_obstacles.push_back(other.range);
            add(m_all[stretch + m_leaves]);
        },
        [&](std::size_t node) { add(m_any[node]); }, [&](std::size_t node) { add(m_all[node]); });
}

/// Lowest address in [from, to) with enough room between the obstacles; -1: none.
Bytes TilePlacer::find(Placement const &item, Bytes from, Bytes to)
{
    if (m_byAddress) return findByAddress(item, from, to);
    Bytes at = roundUp(from, item.alignment);
    auto const &always = m_always.list();
    auto there = std::ranges::upper_bound(always, at, {}, &Range::end);
    auto other = m_obstacles.begin();
    while (there != always.end() || other != m_obstacles.end()) {
        bool const isAlways = other == m_obstacles.end() || (there != always.end() && there->begin < other->begin);
        auto const &next = isAlways ? *there++ : *other++;
        if (next.begin >= at + item.bytes || next.begin >= to) break;
        if (next.end > at) at = roundUp(next.end, item.alignment);
    }
    return at + item.bytes <= to ? at : -1;
}

/// The same among all placed items.
Bytes TilePlacer::findByAddress(Placement const &item, Bytes from, Bytes to)
{
    Bytes at = roundUp(from, item.alignment);
    for (auto const &[range, livenessClass] : m_entries) {
        if (range.begin >= at + item.bytes || range.begin >= to) break;
        if (range.end > at && together(item.livenessClass, livenessClass)) at = roundUp(range.end, item.alignment);
    }
    return at + item.bytes <= to ? at : -1;
}

void TilePlacer::placeOne(Placement &item)
{
    Bytes const border = m_chip.nonInterleavedBytes, top = m_chip.bytesPerTile;
    if (!m_byAddress) collect(item);
    Bytes at = -1;
    if (item.region == MemoryRegion::Interleaved) {
        at = find(item, border, top);
        if (at < 0) at = find(item, 0, border); // a preference: otherwise loads take 64 bits
    } else {
        at = find(item, 0, border);
        if (at < 0 && !item.executable) at = find(item, border, top);
        if (at < 0 && !item.executable) at = find(item, 0, top); // across the border
    }
    if (at < 0) {
        at = find(item, top, kBeyond);
        item.region = MemoryRegion::Overflowed;
    } else {
        item.region = at >= border ? MemoryRegion::Interleaved : MemoryRegion::NonInterleaved;
    }
    item.offset = at;
    take(item);
}

void TilePlacer::take(Placement const &item)
{
    // No item begins between an item's end and the next multiple of the smallest alignment.
    Range const range{item.offset, roundUp(item.offset + item.bytes, kLeastAlignment)};
    if (m_byAddress) {
        auto const place = std::ranges::upper_bound(m_entries, range.begin, {}, [](Entry const &entry) { return entry.range.begin; });
        m_entries.insert(place, {range, item.livenessClass});
        return;
    }
    if (item.livenessClass == 0) return m_always.add(range);
    auto const c = static_cast<std::size_t>(item.livenessClass);
    Taken const taken{range, m_spans[c]};
    auto &groups = taken.span.whole ? m_whole : m_scattered;
    if (m_groupOf[c] < 0) {
        m_groupOf[c] = static_cast<std::int32_t>(groups.size());
        groups.push_back({item.livenessClass, {}});
    }
    groups[static_cast<std::size_t>(m_groupOf[c])].ranges.add(range);
    if (!taken.span.whole) return;
    // Every node with a range in m_all has one in m_any.
    auto const addAny = [&](std::size_t node) {
        if (m_any[node].list().empty()) m_usedNodes.push_back(node);
        m_any[node].add(range);
    };
    divide(
        taken.span,
        [&](std::size_t stretch) {
            if (m_edges[stretch].empty()) m_usedEdges.push_back(stretch);
            m_edges[stretch].push_back(taken);
            addAny(stretch + m_leaves);
        },
        [&](std::size_t node) {
            m_all[node].add(range);
            addAny(node);
        },
        addAny);
}

void TilePlacer::explainGaps(std::vector<Placement> &items) const
{
    Bytes used = 0;
    for (auto &item : items) {
        if (item.offset > used) {
            bool const crosses = used < m_chip.nonInterleavedBytes && item.offset >= m_chip.nonInterleavedBytes;
            bool const atEnd = used <= m_chip.bytesPerTile && item.offset >= m_chip.bytesPerTile;
            if (crosses || atEnd) item.gap = GapReason::RegionEnd;
            else if (item.offset - used < item.alignment) item.gap = GapReason::Alignment;
            else item.gap = GapReason::Fragmentation;
        }
        used = std::max(used, item.offset + item.bytes);
    }
}

} // namespace tilewright::lowering
