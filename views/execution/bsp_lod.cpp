#include "views/execution/bsp_lod.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tilewright::views {

namespace {

constexpr std::int64_t kNodes = 4096; // of the lowest level; bounds memory for any number of events

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

void addScaled(float *to, float const *from, float times, int top, int bottom)
{
    for (int r = top; r < bottom; ++r) to[r] += from[r] * times;
}

void addConstant(float *to, float value, int top, int bottom)
{
    for (int r = top; r < bottom; ++r) to[r] += value;
}

} // namespace

void BspBlock::Sums::clear()
{
    std::ranges::fill(compute, 0.0f);
    std::ranges::fill(exchange, 0.0f);
}

BspBlock::BspBlock(std::shared_ptr<LaneLod const> events, std::span<std::int64_t const> vec, TileValues const &values,
                   std::vector<int> order)
    : m_events(std::move(events)), m_rows(static_cast<int>(order.size()))
{
    std::int64_t const n = m_events->size();
    m_vector.assign(at(n), -1);
    std::unordered_map<std::int64_t, std::int32_t> known;
    for (std::int64_t e = 0; e < n && e < static_cast<std::int64_t>(vec.size()); ++e) {
        std::int64_t const id = vec[at(e)];
        if (id < 0 || kind(e) == Neither) continue;
        auto const [it, fresh] = known.emplace(id, static_cast<std::int32_t>(known.size()));
        m_vector[at(e)] = it->second;
        if (!fresh) continue;
        auto const source = values(id);
        for (int const tile : order)
            m_values.push_back(static_cast<std::size_t>(tile) < source.size() ? static_cast<float>(source[static_cast<std::size_t>(tile)])
                                                                              : 0.0f);
    }
    while ((n >> m_shift) > kNodes) ++m_shift;
    Sums sums(m_rows);
    std::int64_t nodes = n >> m_shift; // complete ones only
    for (int which = 0; which < 2; ++which)
        if (nodes > 0) m_levels[which].emplace_back().resize(at(nodes * m_rows));
    for (std::int64_t node = 0; node < nodes; ++node) {
        sums.clear();
        for (std::int64_t e = node << m_shift; e < (node + 1) << m_shift; ++e) addEvent(e, 1, 0, m_rows, sums);
        std::ranges::copy(sums.compute, m_levels[0].back().begin() + node * m_rows);
        std::ranges::copy(sums.exchange, m_levels[1].back().begin() + node * m_rows);
    }
    while (nodes >= 8) {
        nodes /= 8;
        for (auto &levels : m_levels) {
            std::vector<float> next(at(nodes * m_rows));
            for (std::int64_t node = 0; node < nodes * 8; ++node)
                addScaled(next.data() + node / 8 * m_rows, levels.back().data() + node * m_rows, 1, 0, m_rows);
            levels.push_back(std::move(next));
        }
    }
}

BspBlock::Kind BspBlock::kind(std::int64_t event) const
{
    switch (m_events->phase(event)) {
    case LanePhase::Compute: return Compute;
    case LanePhase::InternalExchange:
    case LanePhase::GlobalExchange: return Exchange;
    default: return Neither;
    }
}

float const *BspBlock::rowOf(std::int64_t event) const
{
    auto const vector = m_vector[at(event)];
    return vector < 0 ? nullptr : m_values.data() + static_cast<std::ptrdiff_t>(vector) * m_rows;
}

void BspBlock::addEvent(std::int64_t event, float times, int top, int bottom, Sums &sums) const
{
    Kind const which = kind(event);
    if (which == Neither) return;
    float *to = (which == Compute ? sums.compute : sums.exchange).data();
    if (float const *row = rowOf(event)) addScaled(to, row, times, top, bottom);
    else addConstant(to, times * static_cast<float>(m_events->duration(event)), top, bottom);
}

void BspBlock::add(std::int64_t from, std::int64_t to, double times, int top, int bottom, bool coarse, Sums &sums) const
{
    auto const factor = static_cast<float>(times);
    std::int64_t const half = nodeEvents() / 2, whole = m_levels[0].empty() ? 0 : (m_events->size() >> m_shift) << m_shift;
    if (coarse) {
        // To the nearest boundary, at least one node, so that a narrow column shows its surroundings.
        std::int64_t const first = std::min(((from + half) >> m_shift) << m_shift, std::max<std::int64_t>(0, whole - nodeEvents()));
        std::int64_t const last = std::max(((to + half) >> m_shift) << m_shift, first + nodeEvents());
        if (last <= whole) {
            double const share = static_cast<double>(to - from) / static_cast<double>(last - first);
            return add(first, last, times * share, top, bottom, false, sums);
        }
    }
    std::int64_t a = from, b = to;
    std::int64_t const node = nodeEvents();
    for (; a < b && (a & (node - 1) || b - a < node || a + node > whole); ++a) addEvent(a, factor, top, bottom, sums);
    while (a < b && (b & (node - 1))) addEvent(--b, factor, top, bottom, sums);
    if (a >= b) return;
    a >>= m_shift;
    b >>= m_shift;
    for (std::size_t level = 0; a < b; ++level) {
        bool const highest = level + 1 >= m_levels[0].size();
        auto const take = [&](std::int64_t i) {
            addScaled(sums.compute.data(), m_levels[0][level].data() + i * m_rows, factor, top, bottom);
            addScaled(sums.exchange.data(), m_levels[1][level].data() + i * m_rows, factor, top, bottom);
        };
        std::int64_t const above = highest ? 0 : static_cast<std::int64_t>(m_levels[0][level + 1].size()) / m_rows * 8;
        for (; a < b && (highest || a % 8 != 0 || b - a < 8 || a + 8 > above); ++a) take(a);
        while (a < b && (b % 8 != 0)) take(--b);
        a /= 8;
        b /= 8;
    }
}

void BspBlock::addClipped(std::int64_t event, TimeSpan span, int top, int bottom, Sums &sums) const
{
    Kind const which = kind(event);
    if (which == Neither) return;
    // A tile works from the beginning of the phase until its own end, then waits for the slowest.
    float const skipped = static_cast<float>(std::max<std::int64_t>(0, span.begin - m_events->start(event)));
    float const room = static_cast<float>(std::min(span.end, m_events->end(event)) - std::max(span.begin, m_events->start(event)));
    if (room <= 0) return;
    float *to = (which == Compute ? sums.compute : sums.exchange).data();
    float const *row = rowOf(event);
    if (!row) return addConstant(to, room, top, bottom);
    for (int r = top; r < bottom; ++r) to[r] += std::clamp(row[r] - skipped, 0.0f, room);
}

void BspTimeline::sum(TimeSpan span, int top, int bottom, bool coarse, BspBlock::Sums &sums) const
{
    std::int64_t first = events->firstNotEnded(span.begin), last = events->lowerBound(span.end);
    auto const clipped = [&](std::int64_t event) {
        TimeSpan const where = events->span(event);
        events->stretches(event, event + 1, [&](LaneTimeline::Stretch const &part) {
            std::int64_t const shift = where.begin - part.block->start(part.from);
            if (auto const &block = blocks[part.placement])
                block->addClipped(part.from, {span.begin - shift, span.end - shift}, top, bottom, sums);
        });
    };
    if (first < last && events->span(first).begin < span.begin) clipped(first++);
    if (first < last && events->span(last - 1).end > span.end) clipped(--last);
    events->stretches(first, last, [&](LaneTimeline::Stretch const &part) {
        if (auto const &block = blocks[part.placement])
            block->add(part.from, part.to, static_cast<double>(part.times), top, bottom, coarse, sums);
    });
}

std::vector<int> tileOrder(TileOrder order, int tiles, std::vector<std::int64_t> const &place, std::vector<std::int64_t> const &load)
{
    std::vector<int> rows(static_cast<std::size_t>(tiles));
    std::iota(rows.begin(), rows.end(), 0);
    auto const by = [&](std::vector<std::int64_t> const &keys, bool largestFirst) {
        auto const key = [&](int tile) { return static_cast<std::size_t>(tile) < keys.size() ? keys[static_cast<std::size_t>(tile)] : 0; };
        std::ranges::stable_sort(rows, [&](int a, int b) { return largestFirst ? key(a) > key(b) : key(a) < key(b); });
    };
    if (order == TileOrder::Place) by(place, false);
    if (order == TileOrder::Load) by(load, true);
    return rows;
}

} // namespace tilewright::views
