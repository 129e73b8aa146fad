#pragma once

#include "engine/core/internal_error.h"
#include "engine/core/job_context.h"
#include "engine/core/parallel.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace tilewright::views {

/// Purpose of a job. toText() gives its words.
enum class JobKind {
    Quiet, ///< very short: not displayed
    Compile,
    Train,
    Predict,
    Evaluate,
    Verify,
    Tune,
    TryChanges,
    TryRemedies,
    ReadReport,
    ReadBaseline,
    ReadRuns,
    ReadData,
    ReadContents,
    ReadEvidence,
    AddUp,
    Compare,
    Facts,
    Timeline,
    LayOut,
    OpenProject,
    SaveProject,
    KeepRuns ///< finishes once begun, even if the window closes
};
QString toText(JobKind kind); ///< translated; "" for Quiet

/// One long job on the pool, for status bar and console.
struct JobInfo {
    int id = 0;
    JobKind kind = JobKind::Quiet;
    QString name;  ///< toText(kind)
    QString phase; ///< of the engine, English
    double fraction = 0;
    double elapsedSeconds = 0;
};

/// The result of a job's work, or the error of the exception that ended it: missing memory, or a failed internal check.
template <typename Work> auto guardedJob(Work const &work) { return guarded("window", Message::of("the result of the job"), work); }

/// Runs engine calls on a pool of threads and returns their results by queued calls.
///
/// A job belongs to a `context`. When the context is destroyed, the job is cancelled and its result dropped, so `done` may use its view
/// freely. `work` runs on another thread and may outlive the context: it captures values and shared pointers, never `this` (checked by
/// tests/architecture). A newer job with the same context and non-empty `slot` cancels the older one and drops its result. Signals are
/// blocked in the worker threads (the host kernels move the stack pointer, so no signal handler may run there).
class JobRunner : public QObject {
    Q_OBJECT
public:
    /// `start`: function that starts threads. If the system gives none, a job runs immediately on the caller's thread.
    explicit JobRunner(QObject *parent = nullptr, ThreadStarter start = tryStartThread);
    /// Cancels and waits for all jobs.
    ~JobRunner() override;

    /// `done` receives Result<T> on this object's thread, including errors, but not after a replacement or without its context. Progress is
    /// throttled to 20 Hz.
    template <typename T> int compute(QObject const *context, JobKind kind, QString const &slot,
                                      std::function<Result<T>(JobContext const &)> work, std::function<void(Result<T>)> done)
    {
        return run(context, kind, slot, [work = std::move(work), done = std::move(done)](JobContext const &job) -> Finish {
            auto result = std::make_shared<Result<T>>(guardedJob([&] { return work(job); }));
            return [done, result] { done(std::move(*result)); };
        });
    }

    /// The same for work that returns its own continuation.
    using Finish = std::function<void()>;
    int run(QObject const *context, JobKind kind, QString const &slot, std::function<Finish(JobContext const &)> work);

    void cancel(int id);
    /// Cancels the job of that slot and drops its result.
    void cancelSlot(QObject const *context, QString const &slot);
    /// Cancels and waits for all jobs and drops their results. Call it before destroying objects that jobs refer to.
    void finishAll();
    bool busy() const;
    QList<JobInfo> jobs() const;
signals:
    /// An exception ended a job (missing memory, a failed internal check); only of one that does not catch this itself, as compute() does.
    void gaveUp(tilewright::Diagnostic const &why);
    void changed(); ///< a job began, went on or ended; at most 20 times a second
private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::views
