#pragma once

#include "views/common/export.h"
#include "views/time/lanes.h"

namespace tilewright::views {

/// Events of a window by lane with exact ticks; at most kExportedEvents, and then the name says so.
ExportTable eventTable(LaneSet const &set, TimeSpan window, QString const &name);
inline constexpr std::int64_t kExportedEvents = 200000;

} // namespace tilewright::views
