#include "views/session/job_runner.h"

#include "engine/core/parallel.h"
#include "views/session/inbox.h"

#include <QTimer>

#include <chrono>
#include <csignal>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include <pthread.h>

namespace tilewright::views {

namespace {

using Clock = std::chrono::steady_clock;

struct Shared {
    std::mutex mutex;
    std::string phase;
    double fraction = 0;
};

} // namespace

struct JobRunner::Impl {
    struct Job {
        QString name, slot;
        std::stop_source stop;
        std::shared_ptr<Shared> shared = std::make_shared<Shared>();
        Clock::time_point started = Clock::now();
        bool dropped = false; ///< its result is not wanted any more
        std::thread thread;
    };
    std::map<int, Job> jobs;
    int next = 1;
    QTimer *timer = nullptr;
    Inbox &inbox = Inbox::ofWindow();
};

JobRunner::JobRunner(QObject *parent) : QObject(parent), m(std::make_unique<Impl>())
{
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
    cancelAll();
    for (auto &[id, job] : m->jobs) {
        if (job.thread.joinable()) job.thread.join();
        job.dropped = true;
    }
    m->timer->stop();
}

int JobRunner::run(QString const &name, QString const &slot, std::function<Finish(JobContext const &)> work)
{
    cancelSlot(slot);
    int const id = m->next++;
    auto &job = m->jobs[id];
    job.name = name;
    job.slot = slot;
    auto shared = job.shared;
    auto stop = job.stop.get_token();
    // Started with every signal blocked: the thread inherits the mask.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::function<void()> const body = [this, id, shared, stop, work = std::move(work)] {
        JobContext context;
        context.stop = stop;
        context.progress = [shared](std::string_view phase, double fraction) {
            std::lock_guard const lock(shared->mutex);
            shared->phase = phase;
            shared->fraction = fraction;
        };
        auto finish = work(context);
        m->inbox.post(this, [this, id, finish = std::move(finish)] {
            auto const it = m->jobs.find(id);
            if (it == m->jobs.end()) return;
            if (it->second.thread.joinable()) it->second.thread.join(); // ended: it only had to post this
            bool const wanted = !it->second.dropped;
            m->jobs.erase(it);
            if (m->jobs.empty()) m->timer->stop();
            if (wanted && finish) finish();
            emit changed();
        });
    };
    job.thread = tryStartThread(body);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!job.thread.joinable()) body(); // the system gives no thread: the window waits, nothing is lost
    if (!m->timer->isActive()) m->timer->start();
    emit changed();
    return id;
}

void JobRunner::cancel(int id)
{
    if (auto const it = m->jobs.find(id); it != m->jobs.end()) it->second.stop.request_stop();
}

void JobRunner::cancelSlot(QString const &slot)
{
    if (slot.isEmpty()) return;
    for (auto &[id, job] : m->jobs)
        if (job.slot == slot) {
            job.stop.request_stop();
            job.dropped = true;
        }
}

void JobRunner::cancelAll()
{
    for (auto &[id, job] : m->jobs) job.stop.request_stop();
}

bool JobRunner::busy() const { return !m->jobs.empty(); }

QList<JobInfo> JobRunner::jobs() const
{
    QList<JobInfo> list;
    for (auto const &[id, job] : m->jobs) {
        if (job.dropped) continue;
        JobInfo info;
        info.id = id;
        info.name = job.name;
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
