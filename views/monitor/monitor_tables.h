#pragma once

#include "views/common/table_model.h"
#include "views/monitor/monitor_text.h"

#include <memory>

namespace tilewright::views {

/// Fills panes from a snapshot of the registry, which they keep.
void fillIpuTable(TablePane &pane, std::shared_ptr<device::RegistryView const> const &view, std::vector<IpuRef> const &refs);
void fillRunTable(TablePane &pane, std::shared_ptr<device::RegistryView const> const &view);
void fillPairs(TablePane &pane, QString const &nameTitle, QList<std::pair<QString, QString>> const &rows);

} // namespace tilewright::views
