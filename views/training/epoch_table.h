#pragma once

#include "views/common/table_model.h"
#include "views/runcontrol/run_controller.h"

#include <memory>
#include <vector>

namespace tilewright::views {

/// Fills a pane with a row per epoch: loss, every metric, seconds here and modelled if known. Returns the shown rows: figures of the
/// running epoch may be replaced in place.
std::shared_ptr<std::vector<LiveEpoch>> fillEpochTable(TablePane &pane, std::vector<LiveEpoch> const &epochs);

} // namespace tilewright::views
