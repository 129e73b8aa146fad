#pragma once

#include "views/plots/curve_panel.h"
#include "views/session/run_controller.h"

#include <vector>

namespace tilewright::report {
struct ReportData;
}

namespace tilewright::views {

class ReportSnapshot;

/// The run of a report that a dashboard shows: the newest one that trained or has series; -1: none.
int trainingRun(report::ReportData const &data);
/// Series of a run in the live form: names as Keras has them ("loss", "accuracy", "val_loss"), x in steps or epochs.
std::vector<LiveSeries> reportSeries(ReportSnapshot const &report, int run);
/// Steps per epoch, from the steps and epochs a report knows; 0: not known.
std::int64_t stepsPerEpochOf(std::vector<LiveSeries> const &series);

enum class CurveGroup { Loss, Metrics };
/// Curves over steps. Values by epoch stand at the epoch's last step (over epochs when nothing is known by step) and
/// are dashed; training values by epoch are left out where the same is known by step.
std::vector<Curve> trainingCurves(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch, CurveGroup group);
/// True when the curves of trainingCurves are over epochs.
bool isByEpoch(std::vector<LiveSeries> const &series);

/// Epochs as rows, made of series by epoch where a run left no table.
std::vector<LiveEpoch> epochsOf(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch);

} // namespace tilewright::views
