#pragma once

#include "views/runcontrol/run_controller.h"

#include <QString>

#include <optional>
#include <span>

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

/// Progress of a run, for headline and progress bar. Host times are measured here, emulated ones modelled.
struct TrainingFacts {
    bool exists = false;
    RunState state = RunState::Idle;
    QString runState;                   ///< done, stopped, failed, interrupted; "" while it goes on
    std::int64_t epoch = 0, epochs = 0; ///< 1-based; 0: unknown
    std::int64_t step = 0, steps = 0;   ///< of all steps; 0: unknown
    std::optional<double> loss;         ///< mean of the current epoch so far, afterwards of the last one
    int trend = 0;                      ///< of the loss: -1 falls, 0 flat or unknown, 1 rises
    QString metric;
    std::optional<double> metricValue;
    double epochSecondsHere = 0, epochSecondsDevice = 0; ///< 0: unknown
    bool deviceMeasured = false;                         ///< device time measured on tiles; else from the schedule
    double remainingSecondsHere = -1;                    ///< -1: unknown
    bool tileMode = false;
};

/// The epoch that is under way: running means of its steps so far, as Keras prints them. Headline and table of epochs show these.
std::optional<LiveEpoch> runningEpoch(LiveRun const &live);
TrainingFacts factsOf(LiveRun const &live);

/// -1 if the mean of the last quarter is below that of the previous quarter by more than a hundredth and by more than three standard
/// errors; 1 if above; else 0.
int trendOf(std::span<double const> values);
/// The same for the means of the last two epochs.
int trendOfEpochs(std::span<double const> means);

/// "epoch 3/5 · loss 0.071 ↓ · accuracy 0.980 · 1.1 s/epoch here, 0.9 s modelled".
QString trainingHeadline(TrainingFacts const &facts);
/// "step 1,204 of 4,690 · 26 % · 12 s left here".
QString progressText(TrainingFacts const &facts);
/// Whether the project's loss is over classes, so that predictions have a class.
bool isClassifier(project::Project const &project);
/// 0 … 1.
double progressOf(TrainingFacts const &facts);

} // namespace tilewright::views
