#pragma once

#include "views/plots/curve_panel.h"
#include "views/runs/run_series.h"

#include <vector>

namespace tilewright::views {

enum class CurveGroup { Loss, Metrics };
/// Curves over steps. Values by epoch stand at the epoch's last step (over epochs when nothing is known by step) and
/// are dashed; training values by epoch are left out where the same is known by step.
std::vector<Curve> trainingCurves(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch, CurveGroup group);
/// True when the curves of trainingCurves are over epochs.
bool isByEpoch(std::vector<LiveSeries> const &series);

/// Epochs as rows, made of series by epoch where a run left no table.
std::vector<LiveEpoch> epochsOf(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch);

} // namespace tilewright::views
