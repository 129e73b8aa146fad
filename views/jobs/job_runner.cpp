#include "views/jobs/job_runner.h"

#include "views/jobs/inbox.h"
#include "views/jobs/pool_work.h"

#include <QCoreApplication>
#include <QThread>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>

#include <pthread.h>

namespace tilewright::views {

namespace {

using Clock = std::chrono::steady_clock;

/// What the pool's thread and the user's thread share of a job.
struct Shared {
    std::stop_source stop;
    std::atomic<bool> dropped = false; ///< its result is not wanted any more
    std::mutex mutex;                  ///< of what follows
    std::string phase;
    double fraction = 0;
};

/// Runs take hours and wait at their gate while paused: they have threads of their own, so that nothing waits for them.
bool takesLong(JobKind kind) { return kind == JobKind::Train || kind == JobKind::Compile; }

/// A person, or what they made, waits for it: nothing else holds it up.
bool isUrgent(JobKind kind) { return kind == JobKind::OpenProject || kind == JobKind::SaveProject || kind == JobKind::KeepRuns; }

/// Done also when nobody waits for what it brings.
bool isOwed(JobKind kind) { return kind == JobKind::SaveProject || kind == JobKind::KeepRuns; }

void blockEverySignal()
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

} // namespace

QString toText(JobKind kind)
{
    auto const words = [](char const *text) { return QCoreApplication::translate("views", text); };
    switch (kind) {
    case JobKind::Quiet: return {};
    case JobKind::Compile: return words(QT_TRANSLATE_NOOP("views", "Compile"));
    case JobKind::Train: return words(QT_TRANSLATE_NOOP("views", "Train"));
    case JobKind::Predict: return words(QT_TRANSLATE_NOOP("views", "Predict"));
    case JobKind::Evaluate: return words(QT_TRANSLATE_NOOP("views", "Evaluate"));
    case JobKind::Verify: return words(QT_TRANSLATE_NOOP("views", "Verify"));
    case JobKind::Tune: return words(QT_TRANSLATE_NOOP("views", "Tune"));
    case JobKind::TryChanges: return words(QT_TRANSLATE_NOOP("views", "Trying proposed changes"));
    case JobKind::TryRemedies: return words(QT_TRANSLATE_NOOP("views", "Trying changes that make it fit"));
    case JobKind::ReadReport: return words(QT_TRANSLATE_NOOP("views", "Open report"));
    case JobKind::ReadBaseline: return words(QT_TRANSLATE_NOOP("views", "Open report to compare"));
    case JobKind::ReadRuns: return words(QT_TRANSLATE_NOOP("views", "Reading reports of past runs"));
    case JobKind::ReadData: return words(QT_TRANSLATE_NOOP("views", "Reading the data"));
    case JobKind::ReadContents: return words(QT_TRANSLATE_NOOP("views", "Reading the memory of the tiles"));
    case JobKind::ReadEvidence: return words(QT_TRANSLATE_NOOP("views", "Reading evidence"));
    case JobKind::AddUp: return words(QT_TRANSLATE_NOOP("views", "Adding up"));
    case JobKind::Compare: return words(QT_TRANSLATE_NOOP("views", "Comparing"));
    case JobKind::Facts: return words(QT_TRANSLATE_NOOP("views", "Facts of the selection"));
    case JobKind::Timeline: return words(QT_TRANSLATE_NOOP("views", "Timeline"));
    case JobKind::LayOut: return words(QT_TRANSLATE_NOOP("views", "Laying out the program"));
    case JobKind::OpenProject: return words(QT_TRANSLATE_NOOP("views", "Opening the project"));
    case JobKind::SaveProject: return words(QT_TRANSLATE_NOOP("views", "Saving the project"));
    case JobKind::KeepRuns: return words(QT_TRANSLATE_NOOP("views", "Keep runs"));
    }
    return {};
}

struct JobRunner::Impl {
    struct Job {
        JobKind kind = JobKind::Quiet;
        QObject const *context = nullptr;
        QString slot;
        std::shared_ptr<Shared> shared = std::make_shared<Shared>();
        Clock::time_point started = Clock::now();
        QMetaObject::Connection lives; ///< to the context's end
    };
    std::map<int, Job> jobs;
    int next = 1;
    QTimer *timer = nullptr;
    QThreadPool runs, urgent, pool;
    ThreadStarter start;
    Inbox &inbox = Inbox::ofWindow();

    static void drop(Job &job)
    {
        job.shared->stop.request_stop();
        job.shared->dropped = true;
    }
};

JobRunner::JobRunner(QObject *parent, ThreadStarter start) : QObject(parent), m(std::make_unique<Impl>())
{
    m->start = std::move(start);
    m->runs.setMaxThreadCount(4);
    m->urgent.setMaxThreadCount(4);
    // What was replaced needs a moment to notice: a few more threads than cores keep that from holding up the new.
    m->pool.setMaxThreadCount(std::max(4, QThread::idealThreadCount() + 2));
    m->timer = new QTimer(this);
    m->timer->setInterval(50);
    connect(m->timer, &QTimer::timeout, this, &JobRunner::changed);
}

JobRunner::~JobRunner()
{
    finishAll();
    m->inbox.forget(this);
}

void JobRunner::finishAll()
{
    for (auto &[id, job] : m->jobs) Impl::drop(job);
    m->runs.waitForDone();
    m->urgent.waitForDone();
    m->pool.waitForDone();
    for (auto &[id, job] : m->jobs) disconnect(job.lives);
    m->jobs.clear();
    m->timer->stop();
}

int JobRunner::run(QObject const *context, JobKind kind, QString const &slot, std::function<Finish(JobContext const &)> work)
{
    cancelSlot(context, slot);
    int const id = m->next++;
    auto &job = m->jobs[id];
    job.kind = kind;
    job.context = context;
    job.slot = slot;
    if (context)
        job.lives = connect(context, &QObject::destroyed, this, [this, id] {
            auto const it = m->jobs.find(id);
            if (it == m->jobs.end()) return;
            Impl::drop(it->second);
            it->second.context = nullptr;
        });
    auto *inbox = &m->inbox;
    std::function<void()> const body = [this, id, kind, inbox, shared = job.shared, work = std::move(work)] {
        Finish finish;
        if (!shared->dropped || isOwed(kind)) {
            JobContext given;
            given.stop = shared->stop.get_token();
            given.progress = [shared](std::string_view phase, double fraction) {
                std::lock_guard const lock(shared->mutex);
                shared->phase = phase;
                shared->fraction = fraction;
            };
            try {
                finish = work(given);
            } catch (std::exception const &) {
                finish = [this, why = currentException("window", Message::of("the result of the job"))] { emit gaveUp(why); };
            }
        }
        inbox->post(this, [this, id, finish = std::move(finish)] {
            auto const it = m->jobs.find(id);
            if (it == m->jobs.end()) return;
            bool const wanted = !it->second.shared->dropped;
            disconnect(it->second.lives);
            m->jobs.erase(it);
            if (m->jobs.empty()) m->timer->stop();
            if (wanted && finish) finish();
            emit changed();
        });
    };
    // QThreadPool loses what the system has no thread for; so it is asked first. Without one the window waits, and nothing is lost.
    if (auto probe = m->start([] {}); probe.joinable()) {
        probe.join();
        startOn(takesLong(kind)      ? m->runs
                    : isUrgent(kind) ? m->urgent
                                     : m->pool,
                [body] {
                    blockEverySignal();
                    body();
                });
    } else {
        body();
    }
    if (!m->timer->isActive()) m->timer->start();
    emit changed();
    return id;
}

void JobRunner::cancel(int id)
{
    if (auto const it = m->jobs.find(id); it != m->jobs.end()) it->second.shared->stop.request_stop();
}

void JobRunner::cancelSlot(QObject const *context, QString const &slot)
{
    if (slot.isEmpty()) return;
    for (auto &[id, job] : m->jobs)
        if (job.context == context && job.slot == slot) Impl::drop(job);
}

bool JobRunner::busy() const { return !m->jobs.empty(); }

QList<JobInfo> JobRunner::jobs() const
{
    QList<JobInfo> list;
    for (auto const &[id, job] : m->jobs) {
        if (job.shared->dropped) continue;
        JobInfo info;
        info.id = id;
        info.kind = job.kind;
        info.name = toText(job.kind);
        {
            std::lock_guard const lock(job.shared->mutex);
            info.phase = QString::fromStdString(job.shared->phase);
            info.fraction = job.shared->fraction;
        }
        info.elapsedSeconds = std::chrono::duration<double>(Clock::now() - job.started).count();
        list << info;
    }
    return list;
}

} // namespace tilewright::views
