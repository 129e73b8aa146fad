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

std::int64_t countEventsBefore(LaneTimeline const &events, std::vector<char> const &flags, std::int64_t event)
{
    auto const marked = [&](int type) {
        return type >= 0 && type < static_cast<int>(flags.size()) && flags[static_cast<std::size_t>(type)];
    };
    std::int64_t count = 0;
    events.stretches(0, event, [&](LaneTimeline::Stretch const &part) {
        std::int64_t one = 0;
        if (part.from == 0 && part.to == part.block->size()) {
            auto const &byType = part.block->countByType();
            for (std::size_t type = 0; type < byType.size(); ++type)
                if (marked(static_cast<int>(type))) one += byType[type];
        } else {
            for (std::int64_t e = part.from; e < part.to; ++e) one += marked(part.block->type(e));
        }
        count += one * part.times;
    });
    return count;
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
