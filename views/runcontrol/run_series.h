#pragma once

#include "views/runcontrol/run_controller.h"

#include <vector>

namespace tilewright::report {
struct ReportData;
}

namespace tilewright::views {

class ReportSnapshot;

/// The run of a report for the dashboard: the newest one that trained or has series; -1: none.
int trainingRun(report::ReportData const &data);
/// Series of a run in live form: with Keras's names ("loss", "accuracy", "val_loss"), x in steps or epochs.
std::vector<LiveSeries> reportSeries(ReportSnapshot const &report, int run);
/// The last step of all series by step; 0: none.
double lastStep(std::vector<LiveSeries> const &series);
/// Steps of a whole epoch: from the report, else computed from its steps and epochs; 0: unknown.
std::int64_t stepsPerEpochOf(report::ReportData const &data, std::vector<LiveSeries> const &series);

/// Epoch rows made from series by epoch.
std::vector<LiveEpoch> epochsOf(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch);
/// What the training of a report has done so far, in the form of a run of this window, so that views have one source for both. exists is
/// false if the report has no training; speed is not included (events are read by jobs).
LiveRun runOfReport(ReportSnapshot const &report);

} // namespace tilewright::views
