#include "views/execution/event_sums.h"

#include <algorithm>

namespace tilewright::views {

namespace {

std::int64_t valueAt(std::vector<std::int64_t> const &values, std::int64_t index)
{
    return index >= 0 && index < static_cast<std::int64_t>(values.size()) ? values[static_cast<std::size_t>(index)] : 0;
}

} // namespace

EventSums::EventSums(Kept<report::EventColumns> events, EventAmounts amounts, std::vector<char> isCompute)
    : m_events(std::move(events)), m_amounts(std::move(amounts)), m_isCompute(std::move(isCompute))
{
    Totals sum{};
    for (std::int64_t e = 0; e < static_cast<std::int64_t>(m_events->size()); ++e) {
        if (e % kEvery == 0) m_totals.push_back(sum);
        Totals const more = of(e);
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
    }
}

EventSums::Totals EventSums::of(std::int64_t event) const
{
    auto const e = static_cast<std::size_t>(event);
    std::int64_t const type = m_events->type[e];
    bool const compute = type >= 0 && type < static_cast<std::int64_t>(m_isCompute.size()) && m_isCompute[static_cast<std::size_t>(type)];
    return {compute ? valueAt(m_amounts.tileCycles, m_events->vec[e]) : 0, valueAt(m_amounts.bytesIn, type),
            valueAt(m_amounts.bytesOut, type)};
}

EventSums::Totals EventSums::before(std::int64_t count) const
{
    if (m_totals.empty() || count <= 0) return {};
    std::int64_t const mark = std::min((count - 1) / kEvery, static_cast<std::int64_t>(m_totals.size()) - 1);
    Totals sum = m_totals[static_cast<std::size_t>(mark)];
    for (std::int64_t e = mark * kEvery; e < std::min(count, static_cast<std::int64_t>(m_events->size())); ++e) {
        Totals const more = of(e);
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += more[k];
    }
    return sum;
}

} // namespace tilewright::views
