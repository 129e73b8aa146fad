#pragma once

#include "views/plots/curve_panel.h"
#include "views/runcontrol/run_series.h"

#include <vector>

namespace tilewright::views {

enum class CurveGroup { Loss, Metrics };
/// Curves over steps. Values by epoch are at the epoch's last step (over epochs if steps are unknown) and dashed. Training values by epoch
/// are omitted if they are also known by step.
std::vector<Curve> trainingCurves(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch, CurveGroup group);
/// Whether the curves of trainingCurves are over epochs.
bool isByEpoch(std::vector<LiveSeries> const &series);

} // namespace tilewright::views
