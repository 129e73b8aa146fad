#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tilewright::project {
struct Project;
}
namespace tilewright::runtime {
struct HeldWeights;
struct TrainingState;
} // namespace tilewright::runtime

namespace tilewright::views {

class Console;
class Document;
class JobRunner;

enum class RunState { Idle, Compiling, Running, Paused, Stopping };
enum class RunMode { Fused, Tile };
enum class TrainFrom { Start, Last }; ///< initial weights, or those that the project holds

/// What a compile came to, for the views.
struct CompileInfo {
    bool done = false;
    QString cache, cacheReason; ///< hit, miss, off
    double seconds = 0;         ///< host, measured
    struct Phase {
        QString name;
        double seconds = 0;
    };
    std::vector<Phase> phases;
    struct Pass {
        QString name;
        double seconds = 0;
        std::int64_t before = 0, after = 0;
    };
    std::vector<Pass> passes;
    bool fits = true;
    std::optional<Diagnostic> outOfMemory;
    bool emulated = true;
    double cyclesPerStep = 0, samplesPerSecond = 0, emulatedSecondsPerStep = 0; ///< modelled
    std::int64_t vertices = 0, exchanges = 0, flopsPerStep = 0, hostBytes = -1; ///< host: that the compile took, measured; -1: not known
    std::int64_t stepsPerEpoch = 0;
    struct Ipu {
        Bytes worstTileBytes = 0, limitBytes = 0, totalBytes = 0;
        int worstTile = 0;
    };
    std::vector<Ipu> ipus;
};

/// One value per step or epoch while a run goes on. Bounded: beyond kLivePoints of older values only the extremes stay, with
/// what they stand for.
struct LiveSeries {
    QString name; ///< "loss", "accuracy", "val_loss"
    bool perEpoch = false;
    std::vector<double> x, y; ///< step number; NaN for missing
    /// By point, once some have been thinned (empty before): the mean of the values that it stands for, and how many they are.
    /// Extremes are no sample of a curve: its smooth line is one of means.
    std::vector<double> means = {}, counts = {};
};
inline constexpr int kLivePoints = 20000;

struct LiveEpoch {
    int epoch = 0;
    std::int64_t steps = 0;
    double loss = 0;
    std::vector<std::pair<QString, double>> metrics; ///< validation included
    double hostSeconds = 0, emulatedSeconds = 0;
    bool deviceMeasured = false; ///< the emulated time, on tiles; else modelled
    bool complete = true;
};

/// How fast this computer was, up to a time of the run.
struct SpeedPoint {
    double seconds = 0, stepsPerSecond = 0; ///< measured here, without pauses
    std::int64_t step = 0;
};
inline constexpr double kSpeedWindow = 60; ///< seconds of a run whose speed is kept

/// The state of the run on show, read on the GUI thread.
struct LiveRun {
    bool exists = false;
    QString title, kind = "train"; ///< train, evaluate
    RunMode mode = RunMode::Fused;
    RunState state = RunState::Idle;
    CompileInfo compile;
    QString attached;
    std::int64_t step = 0, stepsPerEpoch = 0, epochs = 0, firstStep = 0;
    double hostSeconds = 0, emulatedSeconds = 0; ///< measured here; of the device
    bool deviceMeasured = false;                 ///< the latter, on tiles; else modelled
    double stepsPerSecond = 0;                   ///< over the last second, measured here
    std::vector<SpeedPoint> speed;               ///< of the last minute
    std::vector<LiveSeries> series;
    std::vector<LiveEpoch> epochTable;
    std::optional<Diagnostic> error;                 ///< why it ended early
    std::vector<Diagnostic> warnings;                ///< once it is over
    std::vector<Diagnostic> unkept;                  ///< why the weights are not where they should be, and where they are
    std::shared_ptr<project::Project const> project; ///< as it runs
    quint64 revision = 0;                            ///< of the document, as it runs
    QString ended;                                   ///< done, stopped, failed; "" while it goes on
    QString reportPath;
    /// Of all steps that it is to take; 0: not known.
    double progress() const;
};

/// A sample of the test data with what the trained model says of it.
struct SamplePrediction {
    std::int64_t record = 0;
    int label = -1, predicted = -1;
    double confidence = 0;
    bool wrong = false; ///< anywhere
    std::vector<float> values;
    /// Of a model that gives a class for each position of a sequence: all of them (`label` and `predicted` are then those of
    /// the first wrong position, else of the first).
    std::vector<int> labels, classes;
};
struct PredictionInfo {
    std::vector<std::vector<std::int64_t>> confusion; ///< by label, by predicted class
    std::vector<SamplePrediction> samples;            ///< wrong ones first
    Shape sampleShape;
    std::int64_t count = 0, right = 0; ///< samples; those without an error
    std::int64_t positions = 1;        ///< classes that a sample is given: one, or one for each position of a sequence
    std::int64_t rightPositions = 0;   ///< of count * positions
    std::int64_t step = 0;             ///< of the weights
};

/// Where a tile-mode run stands, and what lies in the tile that is looked at.
struct TileValues {
    int tile = -1;
    int program = -1; ///< of the report: the leaf that has just run
    std::int64_t superstep = 0;
    std::vector<std::byte> bytes; ///< the tile's image up to its highest used address
};

/// Compiles and runs the document on a worker thread; one run at a time. It knows nothing of who shows it: what a run brings for
/// others (its report, its entry, errors) is said by signals.
class RunController : public QObject {
    Q_OBJECT
public:
    RunController(Document &document, JobRunner &jobs, Console &console, QObject *parent = nullptr);
    ~RunController() override; ///< Requires: no run is active (the session sees to it)

    LiveRun const &live() const;
    /// The training on show, or the last one of this project while a compile is what live() tells of.
    LiveRun const &lastRun() const;
    RunState state() const;
    bool isActive() const { return state() != RunState::Idle; }
    bool isPaused() const { return state() == RunState::Paused; }

    void compile();
    /// From the last weights where that is wanted and possible, as `train --resume last` does: epochs count from the beginning.
    void train(RunMode mode, TrainFrom from = TrainFrom::Start);
    /// Whether the project holds trained weights that its model, as it is now, can take.
    bool canContinue() const;
    void lookForWeights(); ///< its file may hold other ones
    /// Whether the weights are still known whose place the last training took or is to take.
    bool knowsReplaced() const;
    /// Ends that training, gives the project those weights back and goes on from them.
    void continueReplaced();
    void evaluate();
    void pause();
    void resume();
    void stopAfterStep(); ///< finishes the execution that has begun; checkpoint and report are written
    void step();          ///< paused: one step more, then pause again
    void superstep();     ///< tile mode, paused: one superstep more
    /// Ends the run here and goes on with it in a process of its own; returns why that cannot be done, or "".
    QString detach();

    std::shared_ptr<runtime::TrainingState const> trained() const; ///< by the last run of this project; null: none yet

    /// Lets a run that waits at its gate go on to its end: before the session goes away.
    void release();
    /// Follows one tile of a tile-mode run: -1 none. tileValuesChanged when the run stops, or stands and another tile is followed.
    void watchTile(int tile);
    TileValues const &tileValues() const;
    /// Predictions of the trained weights over test data, on request (views ask while they are visible).
    void requestPredictions();
    std::shared_ptr<PredictionInfo const> predictions() const;

signals:
    void stateChanged();
    void compiled(); ///< live().compile is there; the report opens by itself
    void advanced(); ///< new steps; at most 30 times a second
    void epochFinished();
    void finished();
    void predictionsChanged();
    void tileValuesChanged();
    /// The report of the run can be read, or has more than before: of the document as it was at that revision.
    void reportMade(QString const &path, quint64 revision);
    void reportFound(QString const &path); ///< that of a run that goes on in a process of its own
    void begun();                          ///< the run is in the project's history, or the running one of a project without a file
    void
    recorded(); ///< a run or a compile is over, and the entry of one that leaves any is in the project's history or among the unsaved runs
    void errorRaised(tilewright::Diagnostic const &error);
    /// What is no error, but a person should know before it is too late.
    void noticed(tilewright::Diagnostic const &warning);
    void weightsChanged(); ///< what canContinue() says may be another
    void viewWanted(QString const &viewId);

private:
    void drain(); ///< takes over what the run has brought since the last time
    void drainLast();
    void finishRun(QString const &report, quint64 revision);
    void setHeld(std::optional<runtime::HeldWeights> held, bool inFile);
    void goBack();
    void takeState(std::shared_ptr<runtime::TrainingState const> state);
    void startDetached();
    void raise(Diagnostic const &error);
    struct Impl;
    std::unique_ptr<Impl> m;
};

QString toText(RunState state); ///< translated

} // namespace tilewright::views
