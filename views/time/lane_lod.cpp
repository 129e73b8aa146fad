#include "views/time/lane_lod.h"

#include <numeric>

namespace tilewright::views {

namespace {

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

bool isSound(EventSpans const &e)
{
    if (e.duration.size() != e.start.size() || e.type.size() != e.start.size()) return false;
    for (std::size_t i = 0; i < e.start.size(); ++i) {
        if (e.duration[i] < 0 || e.type[i] < 0) return false;
        if (i > 0 && e.start[i] < e.start[i - 1] + e.duration[i - 1]) return false;
    }
    return true;
}

} // namespace

LaneLod::LaneLod(EventSpans events, std::vector<LanePhase> phaseOfType, std::shared_ptr<void const> keep)
    : m_events(events), m_phaseOfType(std::move(phaseOfType)), m_keep(std::move(keep))
{
    if (!isSound(m_events)) repair();
    extend(0);
}

LanePhase LaneLod::phaseOfType(int type) const
{
    return type >= 0 && type < static_cast<int>(m_phaseOfType.size()) ? m_phaseOfType[static_cast<std::size_t>(type)] : LanePhase::Other;
}

void LaneLod::own()
{
    if (m_owned) return;
    m_start.assign(m_events.start.begin(), m_events.start.end());
    m_duration.assign(m_events.duration.begin(), m_events.duration.end());
    m_type.assign(m_events.type.begin(), m_events.type.end());
    m_owned = true;
    m_keep.reset();
}

void LaneLod::repair()
{
    std::size_t const n = std::min({m_events.start.size(), m_events.duration.size(), m_events.type.size()});
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return m_events.start[a] < m_events.start[b]; });
    for (std::size_t const i : order) {
        std::int64_t const start = m_events.start[i];
        if (!m_start.empty()) m_duration.back() = std::min(m_duration.back(), start - m_start.back());
        m_start.push_back(start);
        m_duration.push_back(std::max<std::int64_t>(0, m_events.duration[i]));
        m_type.push_back(std::max<std::int64_t>(0, m_events.type[i]));
    }
    m_owned = true;
    m_keep.reset();
    m_events = {m_start, m_duration, m_type};
}

void LaneLod::append(EventSpans events)
{
    std::int64_t const before = size();
    own();
    m_start.insert(m_start.end(), events.start.begin(), events.start.end());
    m_duration.insert(m_duration.end(), events.duration.begin(), events.duration.end());
    m_type.insert(m_type.end(), events.type.begin(), events.type.end());
    m_events = {m_start, m_duration, m_type};
    extend(before);
}

/// Updates all levels for new events from index `from`.
void LaneLod::extend(std::int64_t from)
{
    std::int64_t const n = size();
    for (std::int64_t i = from; i < n; ++i) {
        auto const type = at(this->type(i));
        if (type >= m_typeCount.size()) m_typeCount.resize(type + 1);
        ++m_typeCount[type];
    }
    std::int64_t const nodes = (n + 7) >> kShift;
    m_busy.resize(at(nodes));
    for (std::int64_t node = from >> kShift; node < nodes; ++node) {
        PhaseTicks sum{};
        if (node > 0) {
            sum = m_busy[at(node - 1)];
            for (std::int64_t i = (node - 1) << kShift; i < node << kShift; ++i) sum[static_cast<std::size_t>(phase(i))] += duration(i);
        }
        m_busy[at(node)] = sum;
    }
    std::int64_t below = n, first = from;
    for (std::size_t k = 0; below > 1; ++k) {
        if (k == m_levels.size()) {
            m_levels.emplace_back();
            first = 0;
        }
        Level *const lower = k > 0 ? &m_levels[k - 1] : nullptr;
        Level &level = m_levels[k];
        std::int64_t const count = (below + 7) >> kShift;
        level.start.resize(at(count));
        level.best.resize(at(count));
        level.ticks.resize(at(count));
        first >>= kShift;
        for (std::int64_t node = first; node < count; ++node) {
            std::int64_t const begin = node << kShift, end = std::min(below, begin + 8);
            std::int64_t best = begin;
            auto const ticks = [&](std::int64_t i) { return lower ? lower->ticks[at(i)] : duration(i); };
            for (std::int64_t i = begin + 1; i < end; ++i)
                if (ticks(i) > ticks(best)) best = i;
            level.start[at(node)] = lower ? lower->start[at(begin)] : start(begin);
            level.ticks[at(node)] = ticks(best);
            level.best[at(node)] = lower ? lower->best[at(best)] : Level::Best{best, type(best)};
        }
        below = count;
    }
    // While events are appended, the newest wait until half as many again exist, so that the whole is built only a few times.
    if (n >= m_bins.size() + m_bins.size() / 2) m_bins.build(m_events.start, m_events.duration, m_events.type);
}

std::int64_t LaneLod::lowerBound(std::int64_t time, std::int64_t from) const
{
    std::int64_t const n = size();
    if (from >= n) return n;
    if (start(from) >= time) return from;
    // Ascend while the next node still starts before `time`, then descend: near targets are found quickly.
    std::int64_t i = from; // start(i) < time
    std::size_t up = 0;
    for (; up < m_levels.size(); ++up) {
        auto const &starts = m_levels[up].start;
        int const shift = kShift * static_cast<int>(up + 1);
        std::int64_t const next = (i >> shift) + 1;
        if (next >= static_cast<std::int64_t>(starts.size()) || starts[at(next)] >= time) break;
        i = next << shift;
    }
    for (std::size_t k = std::min(up + 1, m_levels.size()); k-- > 0;) {
        auto const &starts = m_levels[k].start;
        int const shift = kShift * static_cast<int>(k + 1);
        std::int64_t node = i >> shift;
        std::int64_t const before = node;
        while (node + 1 < static_cast<std::int64_t>(starts.size()) && starts[at(node + 1)] < time) ++node;
        if (node != before) i = node << shift;
    }
    while (i < n && start(i) < time) ++i;
    return i;
}

LaneLod::Longest LaneLod::longest(std::int64_t first, std::int64_t last) const
{
    if (first == 0 && last == size() && !m_levels.empty())
        return {m_levels.back().best.front().index, m_levels.back().ticks.front(), m_levels.back().best.front().type};
    // Ascends while whole nodes remain between the two ends; partial nodes at either end are merged on the way. No branch depends on the
    // data, because
    // the winner is not predictable.
    std::int64_t ticks = -1, best = first, a = first, b = last;
    int bestLevel = -1;
    for (int level = -1;; ++level) {
        std::int64_t const *length = level < 0 ? m_events.duration.data() : m_levels[static_cast<std::size_t>(level)].ticks.data();
        std::int64_t winner = -1;
        auto const scan = [&](std::int64_t from, std::int64_t to) {
            for (std::int64_t i = from; i < to; ++i) {
                bool const longer = length[i] > ticks;
                ticks = longer ? length[i] : ticks;
                winner = longer ? i : winner;
            }
        };
        bool const top = b - a < 16 || level + 1 >= static_cast<int>(m_levels.size());
        if (top) {
            scan(a, b);
        } else {
            std::int64_t const head = (a + 7) & ~std::int64_t{7}, tail = b & ~std::int64_t{7};
            scan(a, head);
            scan(tail, b);
            a = head >> kShift;
            b = tail >> kShift;
        }
        if (winner >= 0) {
            best = winner;
            bestLevel = level;
        }
        if (top) break;
    }
    if (bestLevel < 0) return {best, ticks, type(best)};
    auto const &found = m_levels[static_cast<std::size_t>(bestLevel)].best[at(best)];
    return {found.index, ticks, found.type};
}

PhaseTicks LaneLod::busyOf(std::int64_t count) const
{
    if (count <= 0 || size() == 0) return {};
    std::int64_t const node = std::min((count - 1) >> kShift, static_cast<std::int64_t>(m_busy.size()) - 1);
    PhaseTicks sum = m_busy[at(node)];
    for (std::int64_t i = node << kShift; i < std::min(count, size()); ++i) sum[static_cast<std::size_t>(phase(i))] += duration(i);
    return sum;
}

PhaseTicks LaneLod::busyBefore(std::int64_t time) const
{
    std::int64_t const next = lowerBound(time);
    PhaseTicks sum = busyOf(next);
    if (next > 0 && end(next - 1) > time) sum[static_cast<std::size_t>(phase(next - 1))] -= end(next - 1) - time;
    return sum;
}

} // namespace tilewright::views
