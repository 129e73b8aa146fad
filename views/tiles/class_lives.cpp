#include "views/tiles/class_lives.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::views {

ClassLives::ClassLives(std::span<report::LivenessClassRow const> classes, std::span<report::LivenessIntervalRow const> intervals, int steps)
    : m_steps(steps)
{
    for (auto const &row : classes) m_always.push_back(row.alwaysLive);
    std::vector<std::tuple<int, int, int>> sorted;
    for (auto const &row : intervals)
        if (row.livenessClass >= 0 && row.livenessClass < this->classes() && row.firstStep < row.endStep)
            sorted.emplace_back(row.livenessClass, row.firstStep, row.endStep);
    std::sort(sorted.begin(), sorted.end());
    m_first.assign(m_always.size() + 1, 0);
    for (auto const &[c, first, end] : sorted) {
        m_intervals.emplace_back(first, end);
        m_first[static_cast<std::size_t>(c) + 1] = static_cast<int>(m_intervals.size());
    }
    for (std::size_t c = 1; c < m_first.size(); ++c) m_first[c] = std::max(m_first[c], m_first[c - 1]); // classes without intervals
}

std::span<std::pair<int, int> const> ClassLives::of(int c) const
{
    if (c < 0 || c >= classes()) return {};
    auto const i = static_cast<std::size_t>(c);
    return std::span(m_intervals).subspan(static_cast<std::size_t>(m_first[i]), static_cast<std::size_t>(m_first[i + 1] - m_first[i]));
}

std::pair<int, int> ClassLives::around(int c, int step) const
{
    auto const all = of(c);
    auto const after = std::upper_bound(all.begin(), all.end(), step, [](int s, auto const &interval) { return s < interval.first; });
    if (after == all.begin()) return {-1, -1};
    auto const &interval = *(after - 1);
    return step < interval.second ? interval : std::pair(-1, -1);
}

std::vector<LayoutUse> layoutUses(std::span<int const> tileLayout)
{
    std::map<int, LayoutUse> uses;
    for (std::size_t t = 0; t < tileLayout.size(); ++t) {
        if (tileLayout[t] < 0) continue;
        auto &use = uses[tileLayout[t]];
        if (use.tiles.empty()) use.tile = static_cast<int>(t);
        use.tiles.push_back(static_cast<int>(t));
    }
    std::vector<LayoutUse> all;
    for (auto &[layout, use] : uses) all.push_back(std::move(use));
    return all;
}

} // namespace tilewright::views
