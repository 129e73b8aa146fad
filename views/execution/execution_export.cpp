#include "views/execution/execution_export.h"

#include <array>

namespace tilewright::views {

ExportTable eventTable(LaneSet const &set, TimeSpan window, QString const &name)
{
    static constexpr std::array<char const *, kLanePhases> phases{
        "compute", "internal_exchange", "global_exchange", "stream", "sync", "idle", "other"};
    ExportTable table;
    table.name = name;
    table.columns = {QStringLiteral("lane"), QStringLiteral("start"), QStringLiteral("duration"), QStringLiteral("type"),
                     QStringLiteral("phase")};
    std::int64_t left = kExportedEvents;
    for (std::size_t l = 0; l < set.lanes.size(); ++l) {
        auto const &events = set.lanes[l].events;
        if (!events) continue;
        QString const lane = set.path(static_cast<int>(l));
        std::int64_t const last = events->lowerBound(window.end);
        for (std::int64_t event = events->firstNotEnded(window.begin); event < last && left > 0; ++event, --left) {
            TimeSpan const span = events->span(event);
            table.rows.append({lane, QString::number(span.begin), QString::number(span.length()), set.labelOf(static_cast<int>(l), event),
                               QString::fromLatin1(phases[static_cast<std::size_t>(events->phase(event))])});
        }
    }
    if (left == 0) table.name += QStringLiteral("_first_%1").arg(kExportedEvents);
    return table;
}

} // namespace tilewright::views
