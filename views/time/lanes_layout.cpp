#include "views/time/lanes_layout.h"

#include <map>

namespace tilewright::views {

void LanesLayout::setLanes(LaneSet const &set)
{
    std::map<QString, Flags> known;
    for (auto const &flags : m_flags) known.emplace(flags.path, flags);
    m_flags.clear();
    for (int lane = 0; lane < static_cast<int>(set.lanes.size()); ++lane) {
        auto const &source = set.lanes[static_cast<std::size_t>(lane)];
        Flags flags;
        flags.path = set.path(lane);
        flags.height = source.height;
        if (auto const it = known.find(flags.path); it != known.end()) {
            flags = it->second;
            if (!flags.sized) flags.height = source.height;
        }
        flags.parent = source.parent;
        m_flags.push_back(flags);
    }
    arrange();
}

void LanesLayout::arrange()
{
    m_rows.clear();
    m_pinnedHeight = m_height = 0;
    auto const shown = [&](int lane) {
        if (flag(lane).hidden) return false;
        for (int parent = flag(lane).parent; parent >= 0; parent = flag(parent).parent)
            if (flag(parent).collapsed || flag(parent).hidden) return false;
        return true;
    };
    for (bool const pinned : {true, false})
        for (int lane = 0; lane < static_cast<int>(m_flags.size()); ++lane) {
            if (flag(lane).pinned != pinned || (pinned ? flag(lane).hidden : !shown(lane))) continue;
            int &height = pinned ? m_pinnedHeight : m_height;
            m_rows.push_back({lane, height, heightOf(lane), pinned});
            height += heightOf(lane);
        }
}

int LanesLayout::heightOf(int lane) const
{
    auto const &flags = flag(lane);
    return flags.sized ? flags.height : static_cast<int>(flags.height * m_stretch);
}

void LanesLayout::stretch(int room)
{
    m_stretch = 1;
    arrange();
    int fixed = 0, growing = 0; // lanes sized by a person keep their size
    for (auto const &row : m_rows) (flag(row.lane).sized ? fixed : growing) += row.height;
    if (growing == 0) return;
    m_stretch = std::max(1.0, static_cast<double>(room - fixed) / growing);
    arrange();
}

void LanesLayout::setHeight(int lane, int pixels)
{
    m_flags[static_cast<std::size_t>(lane)].sized = true;
    m_flags[static_cast<std::size_t>(lane)].height = std::clamp(pixels, kLeastHeight, kLargestHeight);
    arrange();
}

void LanesLayout::toggleCollapsed(int lane)
{
    m_flags[static_cast<std::size_t>(lane)].collapsed = !flag(lane).collapsed;
    arrange();
}

void LanesLayout::togglePinned(int lane)
{
    m_flags[static_cast<std::size_t>(lane)].pinned = !flag(lane).pinned;
    arrange();
}

void LanesLayout::hide(int lane)
{
    m_flags[static_cast<std::size_t>(lane)].hidden = true;
    arrange();
}

void LanesLayout::showAll()
{
    for (auto &flags : m_flags) flags.hidden = false;
    arrange();
}

int LanesLayout::hiddenLanes() const
{
    return static_cast<int>(std::ranges::count_if(m_flags, [](Flags const &f) { return f.hidden; }));
}

LanesLayout::Row const *LanesLayout::rowAt(int y, int scroll) const
{
    for (auto const &row : m_rows) {
        int const top = LanesLayout::top(row, scroll, m_pinnedHeight);
        if (y >= top && y < top + row.height && (row.pinned || y >= m_pinnedHeight)) return &row;
    }
    return nullptr;
}

LanesLayout::Row const *LanesLayout::borderAt(int y, int scroll, int nearness) const
{
    for (auto const &row : m_rows) {
        int const bottom = LanesLayout::top(row, scroll, m_pinnedHeight) + row.height;
        if (std::abs(y - bottom) <= nearness && (row.pinned || bottom > m_pinnedHeight)) return &row;
    }
    return nullptr;
}

LanesLayout::Row const *LanesLayout::rowOf(int lane) const
{
    for (auto const &row : m_rows)
        if (row.lane == lane) return &row;
    return nullptr;
}

} // namespace tilewright::views
