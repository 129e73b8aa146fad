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
/// Steps of a whole epoch: from the report, else computed from its steps and epochs; 0: unknown.
std::int64_t stepsPerEpochOf(report::ReportData const &data, std::vector<LiveSeries> const &series);

} // namespace tilewright::views
