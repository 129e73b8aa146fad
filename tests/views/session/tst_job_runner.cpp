#include "tests/support/test_registry.h"
#include "views/jobs/job_runner.h"

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
        runner.compute<int>(
            nullptr, JobKind::Facts, {}, [](JobContext const &) -> Result<int> { return 42; },
            [&](Result<int> result) {
                value = *result;
                where = QThread::currentThread();
            });
        QCOMPARE(value, 0); // not before the event loop turns
        QTRY_COMPARE(value, 42);
        QCOMPARE(where, QThread::currentThread());
        QVERIFY(!runner.busy());
    }
    /// Whether it is a result or the whole job that finds no memory: the window goes on and says it.
    void noMemoryIsAnError()
    {
        JobRunner runner;
        QString code;
        runner.compute<int>(
            nullptr, JobKind::Facts, {}, [](JobContext const &) -> Result<int> { throw std::bad_alloc(); },
            [&](Result<int> result) { code = result.ok() ? QStringLiteral("none") : QString::fromStdString(result.error().code); });
        QTRY_COMPARE(code, QStringLiteral("host.memory"));
        QStringList said;
        connect(&runner, &JobRunner::gaveUp, this, [&](Diagnostic const &what) { said << QString::fromStdString(what.code); });
        runner.run(nullptr, JobKind::Facts, {}, [](JobContext const &) -> JobRunner::Finish { throw std::bad_alloc(); });
        QTRY_COMPARE(said, QStringList{QStringLiteral("host.memory")});
        QTRY_VERIFY(!runner.busy());
    }
    void aFailedCheckEndsItsJobAlone()
    {
        JobRunner runner;
        QStringList codes;
        auto const check = []() -> Result<int> {
            TW_CHECK(false, "injected");
            return 1;
        };
        runner.compute<int>(
            nullptr, JobKind::Compile, {}, [check](JobContext const &) { return check(); },
            [&](Result<int> result) { codes << (result.ok() ? QStringLiteral("none") : QString::fromStdString(result.error().code)); });
        QTRY_COMPARE(codes, QStringList{QStringLiteral("internal.check")});
        connect(&runner, &JobRunner::gaveUp, this, [&](Diagnostic const &why) { codes << QString::fromStdString(why.code); });
        runner.run(nullptr, JobKind::Train, {}, [check](JobContext const &) -> JobRunner::Finish {
            (void)check().ok();
            return {};
        });
        QTRY_COMPARE(codes.size(), 2);
        QCOMPARE(codes.last(), QStringLiteral("internal.check"));
        QTRY_VERIFY(!runner.busy());
    }
    /// However many others go on, a project is saved.
    void whatIsUrgentWaitsForNobody()
    {
        JobRunner runner;
        std::atomic<bool> end = false;
        for (int i = 0; i < 64; ++i)
            runner.run(nullptr, JobKind::Facts, {}, [&end](JobContext const &) -> JobRunner::Finish {
                while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return {};
            });
        int done = 0;
        for (auto const kind : {JobKind::OpenProject, JobKind::SaveProject, JobKind::KeepRuns})
            runner.run(nullptr, kind, {}, [](JobContext const &) -> JobRunner::Finish { return {}; });
        runner.compute<int>(
            nullptr, JobKind::SaveProject, {}, [](JobContext const &) -> Result<int> { return 1; }, [&](Result<int> const &) { ++done; });
        QTRY_COMPARE(done, 1);
        end = true;
        QTRY_VERIFY(!runner.busy());
    }
    void aNewerJobOfTheSlotDropsTheOlder()
    {
        JobRunner runner;
        std::atomic<bool> begun = false, stopped = false;
        QList<int> results;
        runner.compute<int>(
            nullptr, JobKind::Facts, QStringLiteral("s"),
            [&](JobContext const &job) -> Result<int> {
                begun = true;
                while (!job.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                stopped = true;
                return 1;
            },
            [&](Result<int> r) { results << *r; });
        QTRY_VERIFY(begun);
        runner.compute<int>(
            nullptr, JobKind::Facts, QStringLiteral("s"), [](JobContext const &) -> Result<int> { return 2; },
            [&](Result<int> r) { results << *r; });
        QTRY_VERIFY(!runner.busy());
        QVERIFY(stopped);
        QCOMPARE(results, QList<int>{2});
    }
    void cancelReachesTheJobWithinASecond()
    {
        JobRunner runner;
        bool cancelled = false;
        int const id = runner.compute<int>(
            nullptr, JobKind::Facts, {},
            [](JobContext const &job) -> Result<int> {
                while (!job.cancelled()) {
                    job.report("Phase", 0.5);
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                }
                return cancelledError("test");
            },
            [&](Result<int> r) { cancelled = !r.ok() && r.error().kind == ErrorKind::Cancelled; });
        QTRY_VERIFY(!runner.jobs().isEmpty() && runner.jobs().first().phase == QLatin1String("Phase"));
        QCOMPARE(runner.jobs().first().fraction, 0.5);
        runner.cancel(id);
        QTRY_VERIFY_WITH_TIMEOUT(cancelled, 1000);
    }
    void jobsHaveEverySignalBlocked()
    {
        JobRunner runner;
        int blocked = -1;
        runner.compute<int>(
            nullptr, JobKind::Facts, {},
            [](JobContext const &) -> Result<int> {
                sigset_t mask;
                pthread_sigmask(SIG_SETMASK, nullptr, &mask);
                return sigismember(&mask, SIGTERM) + sigismember(&mask, SIGINT);
            },
            [&](Result<int> r) { blocked = *r; });
        QTRY_COMPARE(blocked, 2);
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        QCOMPARE(sigismember(&mask, SIGUSR1), 0); // the caller's own mask is as it was
    }
    void aJobEndsWithItsContext()
    {
        JobRunner runner;
        std::atomic<bool> begun = false, stopped = false;
        bool done = false;
        auto context = std::make_unique<QObject>();
        runner.compute<int>(
            context.get(), JobKind::Facts, QStringLiteral("s"),
            [&](JobContext const &job) -> Result<int> {
                begun = true;
                while (!job.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                stopped = true;
                return 1;
            },
            [&](Result<int>) { done = true; });
        QTRY_VERIFY(begun);
        QCOMPARE(runner.jobs().size(), 1);
        context.reset();
        QVERIFY(runner.jobs().isEmpty());
        QTRY_VERIFY(!runner.busy());
        QVERIFY(stopped);
        QVERIFY(!done);
    }
    void slotsOfTwoContextsAreTwo()
    {
        JobRunner runner;
        QObject one, two;
        QList<int> results;
        for (auto *context : {&one, &two})
            runner.compute<int>(
                context, JobKind::Facts, QStringLiteral("s"), [](JobContext const &) -> Result<int> { return 1; },
                [&](Result<int> r) { results << *r; });
        QTRY_COMPARE(results.size(), 2);
    }
    void whatWaitsForAThreadAndIsReplacedNeverRuns()
    {
        JobRunner runner;
        QObject context;
        std::atomic<bool> open = false;
        std::atomic<int> ran = 0;
        for (int i = 0; i < 64; ++i) // more than there are threads
            runner.run(nullptr, JobKind::Facts, {}, [&](JobContext const &) -> JobRunner::Finish {
                while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return {};
            });
        for (int i = 0; i < 10; ++i)
            runner.run(&context, JobKind::Facts, QStringLiteral("s"), [&](JobContext const &) -> JobRunner::Finish {
                ++ran;
                return {};
            });
        open = true;
        QTRY_VERIFY(!runner.busy());
        QCOMPARE(ran.load(), 1);
    }
    void aRunWaitsForNoOtherJob()
    {
        JobRunner runner;
        std::atomic<bool> open = false;
        bool trained = false;
        for (int i = 0; i < 64; ++i)
            runner.run(nullptr, JobKind::Facts, {}, [&](JobContext const &) -> JobRunner::Finish {
                while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return {};
            });
        runner.compute<int>(
            nullptr, JobKind::Train, {}, [](JobContext const &) -> Result<int> { return 1; }, [&](Result<int>) { trained = true; });
        QTRY_VERIFY(trained);
        open = true;
        QTRY_VERIFY(!runner.busy());
    }
    void whereTheSystemGivesNoThreadAJobIsDoneAtOnce()
    {
        JobRunner runner(nullptr, [](std::function<void()>) { return std::thread(); });
        QThread *where = nullptr;
        int value = 0;
        runner.compute<int>(
            nullptr, JobKind::Facts, {},
            [&](JobContext const &) -> Result<int> {
                where = QThread::currentThread();
                return 42;
            },
            [&](Result<int> result) { value = *result; });
        QCOMPARE(where, QThread::currentThread());
        QCOMPARE(value, 0); // its result comes as that of any other
        QTRY_COMPARE(value, 42);
        QVERIFY(!runner.busy());
        sigset_t mask;
        pthread_sigmask(SIG_SETMASK, nullptr, &mask);
        QCOMPARE(sigismember(&mask, SIGUSR1), 0);
    }
    void whatIsOwedIsDoneWhenAllElseIsDropped()
    {
        std::atomic<bool> open = false;
        std::atomic<int> kept = 0, other = 0;
        {
            JobRunner runner;
            for (int i = 0; i < 64; ++i) // more than there are threads: what comes after has to wait
                runner.run(nullptr, JobKind::Facts, {}, [&](JobContext const &) -> JobRunner::Finish {
                    while (!open) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    return {};
                });
            runner.run(nullptr, JobKind::KeepRuns, {}, [&](JobContext const &) -> JobRunner::Finish {
                ++kept;
                return {};
            });
            runner.run(nullptr, JobKind::Facts, {}, [&](JobContext const &) -> JobRunner::Finish {
                ++other;
                return {};
            });
            std::jthread const opener([&] {
                std::this_thread::sleep_for(std::chrono::milliseconds(50));
                open = true;
            });
            runner.finishAll();
        }
        QCOMPARE(kept.load(), 1);
        QCOMPARE(other.load(), 0);
    }
    void goingAwayWithAJobRunningWaitsForIt()
    {
        std::atomic<bool> begun = false, ended = false;
        {
            JobRunner runner;
            runner.run(nullptr, JobKind::Facts, {}, [&](JobContext const &job) -> JobRunner::Finish {
                begun = true;
                while (!job.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                ended = true;
                return {};
            });
            QTRY_VERIFY(begun);
        }
        QVERIFY(ended);
    }
};

TW_REGISTER_TEST(TstJobRunner);
#include "tst_job_runner.moc"
