#pragma once

#include "engine/core/job_context.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace tilewright::views {

/// One piece of long work on the pool, as the status bar and the console show it.
struct JobInfo {
    int id = 0;
    QString name;  ///< translated
    QString phase; ///< of the engine, English
    double fraction = 0;
    double elapsedSeconds = 0;
};

/// Runs engine calls off the user's thread and brings their results back by queued call. A newer job of the
/// same non-empty `slot` cancels the older one, whose result is dropped. Signals are blocked in the worker
/// threads (the host kernels move the stack pointer, so no signal handler may run there).
class JobRunner : public QObject {
    Q_OBJECT
public:
    explicit JobRunner(QObject *parent = nullptr);
    /// Cancels everything and waits for it.
    ~JobRunner() override;

    /// `work` runs on the pool and returns what runs then on this object's thread (nothing runs when it was
    /// cancelled or replaced meanwhile). The job's progress is throttled to 30 Hz.
    using Finish = std::function<void()>;
    int run(QString const &name, QString const &slot, std::function<Finish(JobContext const &)> work);

    /// For work with a result: `done` gets Result<T>, also on errors, but not after a replacement.
    template <typename T>
    int compute(QString const &name, QString const &slot, std::function<Result<T>(JobContext const &)> work,
                std::function<void(Result<T>)> done)
    {
        return run(name, slot, [work = std::move(work), done = std::move(done)](JobContext const &job) -> Finish {
            auto result = std::make_shared<Result<T>>(work(job));
            return [done, result] { done(std::move(*result)); };
        });
    }

    void cancel(int id);
    void cancelSlot(QString const &slot);
    void cancelAll();
    /// Cancels everything, waits for it and drops all results: before what the jobs refer to goes away.
    void finishAll();
    bool busy() const;
    QList<JobInfo> jobs() const;
signals:
    void changed(); ///< a job began, went on or ended; at most 30 times a second
private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::views
