#pragma once

#include "engine/runtime/checkpoint_file.h"
#include "views/document/document.h"
#include "views/jobs/inbox.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/runcontrol/run_worker.h"

#include <QElapsedTimer>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QTimer;

// Shared by the files of a run: its start (run_start.cpp) and its course (run_controller.cpp).
namespace tilewright::views {

class Console;

struct RunController::Impl {
    Document &document;
    JobRunner &jobs;
    Console &console;
    AppliedConfiguration configuration;
    std::shared_ptr<project::Project const> program; ///< of the program that began last
    bool applies = false;                            ///< apply the edited configuration when the run has ended
    LiveRun live;
    std::shared_ptr<RunGate> gate;
    int job = 0;
    QTimer *timer = nullptr;
    QElapsedTimer clock;
    std::vector<std::pair<qint64, std::int64_t>> pace;        ///< (ms, step) of the last second
    std::shared_ptr<runtime::TrainingState const> state;      ///< of the last run of this project
    std::shared_ptr<project::Project const> running, trained; ///< the running project; the project of `state`
    std::optional<runtime::HeldWeights> held;                 ///< by the project: in its file, or in `state`
    bool heldInFile = false;
    bool imported = false;                                  ///< `state` came with a model file and is in no project file yet
    mutable std::pair<quint64, std::optional<bool>> takes;  ///< by revision of the document: whether `held` fits its model
    std::shared_ptr<runtime::TrainingState const> replaced; ///< the weights replaced by the last training
    bool goingBack = false;                                 ///< restore them when the run has ended
    LiveRun lastRun;                                        ///< the last training while something else is displayed
    std::shared_ptr<PredictionInfo const> predictions;
    TileValues tile;
    bool wantPredictions = false, detaching = false;
    bool pauseAsked = false;                       ///< by a person; single steps pause too
    bool predicting = false, predictAgain = false; ///< a job runs; newer weights wait for it
    QElapsedTimer predictionClock;                 ///< since the last prediction began or ended
    qint64 predictionMs = 300;                     ///< duration of the last one (initially a guess)

    Inbox &inbox = Inbox::ofWindow();

    Impl(Document &d, JobRunner &j, Console &c) : document(d), jobs(j), console(c), configuration(d, c, nullptr) {}
};

} // namespace tilewright::views
