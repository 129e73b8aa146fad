#pragma once

#include "views/common/table_model.h"
#include "views/liveness/live_facts.h"
#include "views/reports/report_ptr.h"

#include <memory>
#include <vector>

namespace tilewright::views {

/// A table for a TablePane; `variables` maps its rows (-1: no variable), `steps` those of the peaks.
struct LiveTable {
    std::vector<Column> columns;
    int rows = 0;
    std::shared_ptr<void const> keep;
    std::vector<int> variables, steps;
};
using LiveReport = ReportPtr;
/// Variables live at `step`; `only`: those that become live there, or die right after it.
enum class LiveRows { Everything, Born, Dying };
LiveTable liveTable(LiveReport const &report, std::vector<LiveItem> const &items, int step, LiveRows only, std::set<int> const &without);
LiveTable changeTable(LiveReport const &report, std::vector<LiveChange> changes);
LiveTable peakTable(LiveReport const &report, std::vector<int> const &steps, std::vector<std::int64_t> const &curve);

} // namespace tilewright::views
