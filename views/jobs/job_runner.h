#pragma once

#include "engine/core/host_memory.h"
#include "engine/core/job_context.h"
#include "engine/core/parallel.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <new>

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

/// Result of the work. A failed allocation becomes an error.
template <typename T, typename Work> Result<T> withinMemory(Work const &work)
{
    try {
        return work();
    } catch (std::bad_alloc const &) {
        return outOfHostMemory("memory", "what was asked for");
    }
}

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
            auto result = std::make_shared<Result<T>>(withinMemory<T>([&] { return work(job); }));
            return [done, result] { done(std::move(*result)); };
        });
    }

    /// The same for work that returns its own continuation.
    using Finish = std::function<void()>;
    int run(QObject const *context, JobKind kind, QString const &slot, std::function<Finish(JobContext const &)> work);

    void cancel(int id);
    /// Cancels the job of that slot and drops its result.
    void cancelSlot(QObject const *context, QString const &slot);
    void cancelAll();
    /// Cancels and waits for all jobs and drops their results. Call it before destroying objects that jobs refer to.
    void finishAll();
    bool busy() const;
    QList<JobInfo> jobs() const;
signals:
    /// A job ran out of memory and was dropped. Only for jobs that do not handle this (compute() does).
    void ranOutOfMemory(tilewright::Diagnostic const &what);
    void changed(); ///< a job began, progressed or ended; at most 20 times a second
private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::views
