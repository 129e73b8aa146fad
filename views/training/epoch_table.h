#pragma once

#include "views/common/table_model.h"
#include "views/runcontrol/run_controller.h"

namespace tilewright::views {

/// Fills a pane with a row per epoch: loss, every metric, seconds here and modelled if known.
void fillEpochTable(TablePane &pane, std::vector<LiveEpoch> const &epochs);

} // namespace tilewright::views
