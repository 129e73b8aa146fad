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

/// What a job is for. Who shows it says it in words: toText().
enum class JobKind {
    Quiet, ///< of moments: shown nowhere
    Compile,
    Train,
    Predict,
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
    KeepRuns ///< once begun it is done, also when the window is closed meanwhile
};
QString toText(JobKind kind); ///< translated; "" for Quiet

/// One piece of long work on the pool, as the status bar and the console show it.
struct JobInfo {
    int id = 0;
    JobKind kind = JobKind::Quiet;
    QString name;  ///< toText(kind)
    QString phase; ///< of the engine, English
    double fraction = 0;
    double elapsedSeconds = 0;
};

/// What work gives; when it finds no memory, the error says so.
template <typename T, typename Work> Result<T> withinMemory(Work const &work)
{
    try {
        return work();
    } catch (std::bad_alloc const &) {
        return outOfHostMemory("memory", Message::of("the task"));
    }
}

/// Runs engine calls on a pool of threads and brings their results back by queued call.
///
/// A job belongs to a `context`: when that goes away the job is cancelled, and what it brings is dropped; so `done` may
/// use its view freely. `work` runs on another thread and may outlive the context: it holds values and shared pointers,
/// never `this` (tests/architecture looks). A newer job of the same context and non-empty `slot` cancels the older one,
/// whose result is dropped. Signals are blocked in the worker threads (the host kernels move the stack pointer, so no
/// signal handler may run there).
class JobRunner : public QObject {
    Q_OBJECT
public:
    /// `start`: how the system is asked for threads. When it gives none, a job is done at once, where it was asked for.
    explicit JobRunner(QObject *parent = nullptr, ThreadStarter start = tryStartThread);
    /// Cancels everything and waits for it.
    ~JobRunner() override;

    /// `done` gets Result<T> on this object's thread, also on errors, but not after a replacement and not without its
    /// context. The job's progress is throttled to 20 Hz.
    template <typename T> int compute(QObject const *context, JobKind kind, QString const &slot,
                                      std::function<Result<T>(JobContext const &)> work, std::function<void(Result<T>)> done)
    {
        return run(context, kind, slot, [work = std::move(work), done = std::move(done)](JobContext const &job) -> Finish {
            auto result = std::make_shared<Result<T>>(withinMemory<T>([&] { return work(job); }));
            return [done, result] { done(std::move(*result)); };
        });
    }

    /// The same for work that says itself what is to be done with what it found.
    using Finish = std::function<void()>;
    int run(QObject const *context, JobKind kind, QString const &slot, std::function<Finish(JobContext const &)> work);

    void cancel(int id);
    /// Cancels the job of that slot; its result is dropped.
    void cancelSlot(QObject const *context, QString const &slot);
    void cancelAll();
    /// Cancels everything, waits for it and drops all results: before what the jobs refer to goes away.
    void finishAll();
    bool busy() const;
    QList<JobInfo> jobs() const;
signals:
    /// A job was given up, and nothing of it is left; only of one that does not catch this itself (compute() does).
    void ranOutOfMemory(tilewright::Diagnostic const &what);
    void changed(); ///< a job began, went on or ended; at most 20 times a second
private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::views
