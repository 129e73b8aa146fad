#pragma once

#include "views/runs/run_controller.h"

#include <QString>

#include <optional>
#include <span>

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

class ReportSnapshot;

/// Where a run stands, for headline and progress. Host times are measured here, emulated ones modelled.
struct TrainingFacts {
    bool exists = false;
    bool live = false; ///< of the run of this session; else out of a report
    RunState state = RunState::Idle;
    QString runState;                   ///< done, stopped, failed; of a report also running; "" while a run of this session goes on
    std::int64_t epoch = 0, epochs = 0; ///< 1-based; 0: not known
    std::int64_t step = 0, steps = 0;   ///< of all steps; 0: not known
    std::optional<double> loss;
    int trend = 0; ///< of the loss: -1 falls, 0 flat or not known, 1 rises
    QString metric;
    std::optional<double> metricValue;
    double epochSecondsHere = 0, epochSecondsDevice = 0; ///< 0: not known
    bool deviceMeasured = false;                         ///< the device's time as its tiles took it; else that of the schedule
    double remainingSecondsHere = -1;                    ///< -1: not known
    bool tileMode = false;
};

TrainingFacts factsOf(LiveRun const &live);
TrainingFacts factsOf(ReportSnapshot const &report);

/// -1 when the mean of the last quarter lies below that of the quarter before by more than a hundredth and more than
/// chance would bring (three standard errors), 1 when above.
int trendOf(std::span<double const> values);
/// The same of the last two epochs' means.
int trendOfEpochs(std::span<double const> means);

/// "epoch 3/5 · loss 0.071 ↓ · accuracy 0.980 · 1.1 s/epoch here, 0.9 s modelled".
QString trainingHeadline(TrainingFacts const &facts);
/// "step 1,204 of 4,690 · 26 % · 12 s left here".
QString progressText(TrainingFacts const &facts);
/// Whether the project's loss is one over classes, so that predictions have a class.
bool isClassifier(project::Project const &project);
/// 0 … 1.
double progressOf(TrainingFacts const &facts);

} // namespace tilewright::views
