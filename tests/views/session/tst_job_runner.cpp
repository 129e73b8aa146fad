#include "tests/support/test_registry.h"
#include "views/session/job_runner.h"

#include <QtTest>

#include <atomic>
#include <csignal>
#include <pthread.h>
#include <thread>

using namespace tilewright;
using namespace tilewright::views;

class TstJobRunner : public QObject {
    Q_OBJECT
private slots:
    void theResultComesBackOnTheCallersThread()
    {
        JobRunner runner;
        int value = 0;
        QThread *where = nullptr;
        runner.compute<int>(QStringLiteral("x"), {}, [](JobContext const &) -> Result<int> { return 42; },
                            [&](Result<int> result) {
                                value = *result;
                                where = QThread::currentThread();
                            });
        QCOMPARE(value, 0); // not before the event loop turns
        QTRY_COMPARE(value, 42);
        QCOMPARE(where, QThread::currentThread());
        QVERIFY(!runner.busy());
    }
    void aNewerJobOfTheSlotDropsTheOlder()
    {
        JobRunner runner;
        std::atomic<bool> stopped = false;
        QList<int> results;
        runner.compute<int>(QStringLiteral("old"), QStringLiteral("s"), [&](JobContext const &job) -> Result<int> {
            while (!job.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
            stopped = true;
            return 1;
        }, [&](Result<int> r) { results << *r; });
        runner.compute<int>(QStringLiteral("new"), QStringLiteral("s"), [](JobContext const &) -> Result<int> { return 2; }, [&](Result<int> r) { results << *r; });
        QTRY_VERIFY(!runner.busy());
        QVERIFY(stopped);
        QCOMPARE(results, QList<int>{2});
    }
    void cancelReachesTheJobWithinASecond()
    {
        JobRunner runner;
        bool cancelled = false;
        int const id = runner.compute<int>(QStringLiteral("long"), {}, [](JobContext const &job) -> Result<int> {
            while (!job.cancelled()) {
                job.report("Phase", 0.5);
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
            return cancelledError("test");
        }, [&](Result<int> r) { cancelled = !r.ok() && r.error().kind == ErrorKind::Cancelled; });
        QTRY_VERIFY(!runner.jobs().isEmpty() && runner.jobs().first().phase == QLatin1String("Phase"));
        QCOMPARE(runner.jobs().first().fraction, 0.5);
        runner.cancel(id);
        QTRY_VERIFY_WITH_TIMEOUT(cancelled, 1000);
    }
    void jobsHaveEverySignalBlocked()
    {
        JobRunner runner;
        int blocked = -1;
        runner.compute<int>(QStringLiteral("mask"), {}, [](JobContext const &) -> Result<int> {
            sigset_t mask;
            pthread_sigmask(SIG_SETMASK, nullptr, &mask);
            return sigismember(&mask, SIGTERM) + sigismember(&mask, SIGINT);
        }, [&](Result<int> r) { blocked = *r; });
        QTRY_COMPARE(blocked, 2);
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        QCOMPARE(sigismember(&mask, SIGUSR1), 0); // the caller's own mask is as it was
    }
    void goingAwayWithAJobRunningWaitsForIt()
    {
        std::atomic<bool> ended = false;
        {
            JobRunner runner;
            runner.run(QStringLiteral("x"), {}, [&](JobContext const &job) -> JobRunner::Finish {
                while (!job.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                ended = true;
                return {};
            });
        }
        QVERIFY(ended);
    }
};

TW_REGISTER_TEST(TstJobRunner);
#include "tst_job_runner.moc"
