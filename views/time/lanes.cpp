#include "views/time/lanes.h"

namespace tilewright::views {

EventStyle const &LaneSet::style(int type) const
{
    static EventStyle const unknown;
    return type >= 0 && type < static_cast<int>(styles.size()) ? styles[static_cast<std::size_t>(type)] : unknown;
}

QString LaneSet::labelOf(int lane, std::int64_t event) const
{
    if (label) return label(lane, event);
    return style(lanes[static_cast<std::size_t>(lane)].events->type(event)).name;
}

int LaneSet::depth(int lane) const
{
    int depth = 0;
    for (int l = lanes[static_cast<std::size_t>(lane)].parent; l >= 0; l = lanes[static_cast<std::size_t>(l)].parent) ++depth;
    return depth;
}

bool LaneSet::hasChildren(int lane) const
{
    for (auto const &other : lanes)
        if (other.parent == lane) return true;
    return false;
}

QString LaneSet::path(int lane) const
{
    QString path = lanes[static_cast<std::size_t>(lane)].name;
    for (int l = lanes[static_cast<std::size_t>(lane)].parent; l >= 0; l = lanes[static_cast<std::size_t>(l)].parent)
        path = lanes[static_cast<std::size_t>(l)].name + QStringLiteral(" / ") + path;
    return path;
}

EventCount countEvents(LaneSet const &set, std::vector<char> const &flags)
{
    EventCount count;
    for (auto const &lane : set.lanes) {
        if (!lane.events) continue;
        auto const byType = lane.events->countByType();
        for (std::size_t type = 0; type < byType.size(); ++type) {
            count.all += byType[type];
            if (type < flags.size() && flags[type]) count.marked += byType[type];
        }
    }
    return count;
}

} // namespace tilewright::views
