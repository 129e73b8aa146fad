#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "views/runcontrol/applied_configuration.h"

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
enum class TrainFrom { Start, Last }; ///< initial weights, or the weights in the project

/// Results of a compile for the views.
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
    std::int64_t vertices = 0, exchanges = 0, flopsPerStep = 0,
                 hostBytes = -1; ///< hostBytes: host memory of the compile, measured; -1: unknown
    std::int64_t stepsPerEpoch = 0;
    struct Ipu {
        Bytes worstTileBytes = 0, limitBytes = 0, totalBytes = 0;
        int worstTile = 0;
    };
    std::vector<Ipu> ipus;
};

/// One value per step or epoch during a run. Bounded: beyond kLivePoints, older values are thinned to their extremes, with the means they
/// represent.
struct LiveSeries {
    QString name; ///< "loss", "accuracy", "val_loss"
    bool perEpoch = false;
    std::vector<double> x, y; ///< step number; NaN for missing
    /// Per point after thinning (empty before): mean and number of the represented values. Extremes are not a sample of the curve: its
    /// smoothed line uses means.
    std::vector<double> means = {}, counts = {};
};
inline constexpr int kLivePoints = 20000;

struct LiveEpoch {
    int epoch = 0;
    std::int64_t steps = 0;
    double loss = 0;
    std::vector<std::pair<QString, double>> metrics; ///< including validation
    double hostSeconds = 0, emulatedSeconds = 0;
    bool deviceMeasured = false; ///< emulated time measured on tiles; else modelled
    bool complete = true;
    bool running = false; ///< means of its steps so far
};

/// Speed of this computer up to a time of the run.
struct SpeedPoint {
    double seconds = 0, stepsPerSecond = 0; ///< measured here, without pauses
    std::int64_t step = 0;
};
inline constexpr double kSpeedWindow = 60; ///< seconds of a run for which the speed is kept

/// The state of the displayed run, read on the GUI thread.
struct LiveRun {
    bool exists = false;
    QString title, kind = "train"; ///< train, evaluate
    RunMode mode = RunMode::Fused;
    RunState state = RunState::Idle;
    CompileInfo compile;
    QString attached;
    std::int64_t step = 0, stepsPerEpoch = 0, epochs = 0, firstStep = 0;
    double hostSeconds = 0, emulatedSeconds = 0; ///< measured on this computer; of the device
    bool deviceMeasured = false;                 ///< emulatedSeconds measured on tiles; else modelled
    double stepsPerSecond = 0;                   ///< over the last second, measured on this computer
    std::vector<SpeedPoint> speed;               ///< of the last minute
    std::vector<LiveSeries> series;
    std::vector<LiveEpoch> epochTable;
    std::optional<Diagnostic> error;                 ///< reason of an early end
    std::vector<Diagnostic> warnings;                ///< after the end
    std::vector<Diagnostic> unkept;                  ///< why weights are not at their destination, and where they are
    std::shared_ptr<project::Project const> project; ///< the project of the run
    quint64 revision = 0;                            ///< the document's revision of the run
    QString ended;                                   ///< done, stopped, failed; "" while running
    QString reportPath;
    /// Share of all steps; 0: unknown.
    double progress() const;
};

/// A test sample with the prediction of the trained model.
struct SamplePrediction {
    std::int64_t record = 0;
    int label = -1, predicted = -1;
    double confidence = 0;
    bool wrong = false; ///< at any position
    std::vector<float> values;
    /// For a model that predicts a class for each position of a sequence: all of them (`label` and `predicted` are then those of the first
    /// wrong position, else of the first).
    std::vector<int> labels, classes;
};
struct PredictionInfo {
    std::vector<std::vector<std::int64_t>> confusion; ///< by label, by predicted class
    std::vector<SamplePrediction> samples;            ///< wrong ones first
    Shape sampleShape;
    std::int64_t count = 0, right = 0; ///< samples; samples without an error
    std::int64_t positions = 1;        ///< predicted classes per sample: one, or one per position of a sequence
    std::int64_t rightPositions = 0;   ///< of count * positions
    std::int64_t step = 0;             ///< of the weights
};

/// Position of a paused tile-mode run, and the content of the watched tile.
struct TileValues {
    int tile = -1;
    int program = -1;                      ///< of the report: the last executed leaf
    std::int64_t superstep = 0;            ///< supersteps since the start of the run
    std::int64_t earliest = 0, latest = 0; ///< those to which the run can go back, and to which it had come
    std::vector<std::byte> bytes;          ///< the tile's image up to its highest used address
};

/// Compiles and runs the document on a worker thread, one run at a time. Independent of views: signals announce the results of a run
/// (report, entry, errors).
class RunController : public QObject {
    Q_OBJECT
public:
    RunController(Document &document, JobRunner &jobs, Console &console, QObject *parent = nullptr);
    ~RunController() override; ///< Requires: no run is active (the session ensures it)

    LiveRun const &live() const;
    /// The displayed training, or the project's last one while live() describes a compile.
    LiveRun const &lastRun() const;
    RunState state() const;
    bool isActive() const { return state() != RunState::Idle; }
    bool isPaused() const { return state() == RunState::Paused; }

    /// The configuration of its programs.
    AppliedConfiguration &configuration();
    AppliedConfiguration const &configuration() const;
    /// Applies the edited IPU configuration: at once, or when the running program has ended, which this requests. Fails with the first
    /// error of the configuration; then nothing changes.
    Status applyConfiguration();
    /// The project of a program that begins now, with a notice if edits of the configuration are not applied.
    AppliedConfiguration::Program beginProgram();
    /// The project of the program that began last; null: none.
    std::shared_ptr<project::Project const> program() const;

    void compile();
    /// With TrainFrom::Last, starts from the last weights if possible, like `train --resume last`: epochs count from the beginning.
    void train(RunMode mode, TrainFrom from = TrainFrom::Start);
    /// Whether the project holds trained weights that fit its current model.
    bool canContinue() const;
    void lookForWeights(); ///< its file may hold new ones
    /// Whether the weights that the last training replaced, or will replace, are still known.
    bool knowsReplaced() const;
    /// Stops that training, restores those weights in the project and continues from them.
    void continueReplaced();
    void pause();
    void resume();
    void stopAfterStep(); ///< finishes the current execution; writes checkpoint and report
    void step();          ///< paused: runs one step, then pauses again
    void superstep();     ///< tile mode, paused: runs one superstep
    void backStep();      ///< tile mode, paused: returns to the end of the step before, at most two steps back
    void backSuperstep(); ///< tile mode, paused: returns to the superstep before
    /// Stops the run here and continues it in a process of its own. Returns the reason if that is not possible, or "".
    QString detach();

    std::shared_ptr<runtime::TrainingState const> trained() const; ///< by the last run of this project, or imported with it; null: none
    /// Weights that came with the file of another program, for the project just opened.
    void holdImported(std::shared_ptr<runtime::TrainingState const> weights);
    /// Whether they are in no file of ours yet. `false`: they are, from now on.
    bool hasUnsavedImport() const;
    void setImportSaved();

    /// Releases a run that waits at its gate, so that it ends before the session is destroyed.
    void release();
    /// Watches one tile of a tile-mode run; -1: none. Emits tileValuesChanged when the run pauses, or when the tile changes while it is
    /// paused.
    void watchTile(int tile);
    TileValues const &tileValues() const;
    /// Requests predictions of the trained weights for test data (views call it while visible).
    void requestPredictions();
    std::shared_ptr<PredictionInfo const> predictions() const;

signals:
    void stateChanged();
    void compiled(); ///< live().compile is available; the report opens automatically
    void advanced(); ///< new steps; at most 30 times a second
    void epochFinished();
    void finished();
    void predictionsChanged();
    void tileValuesChanged();
    /// The run's report can be read, or has more data; it belongs to the document's given revision.
    void reportMade(QString const &path, quint64 revision);
    void reportFound(QString const &path); ///< the report of a run that continues in a process of its own
    void begun();                          ///< the run is in the project's history, or the running one of a project without a file
    void recorded(); ///< a run or compile ended, and its entry (if any) is in the project's history or among the unsaved runs
    void errorRaised(tilewright::Diagnostic const &error);
    /// A warning that the user should see at once.
    void noticed(tilewright::Diagnostic const &warning);
    void weightsChanged(); ///< canContinue() may have changed
    void viewWanted(QString const &viewId);

private:
    void drain(); ///< takes over new data of the run
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
