#include "engine/core/job_context.h"
#include "engine/core/ordered_work.h"
#include "engine/core/parallel.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <atomic>
#include <new>
#include <numeric>
#include <string>

using namespace tilewright;

class TstParallel : public QObject {
    Q_OBJECT
private slots:
    void runsEveryTaskOnce()
    {
        for (int threads : {1, 2, 5}) {
            ThreadPool pool(threads);
            for (int round = 0; round < 500; ++round) {
                std::vector<std::atomic<int>> hits(37);
                pool.run(hits.size(), [&](std::size_t i) { hits[i].fetch_add(1); });
                for (auto const &hit : hits) QCOMPARE(hit.load(), 1);
            }
        }
    }
    void flushesDenormalsInEveryThread()
    {
        ThreadPool pool(3);
        std::vector<float> out(64);
        float volatile tiny = 1e-38f;
        pool.run(out.size(), [&](std::size_t i) { out[i] = tiny * 0.01f; });
        for (float value : out) QCOMPARE(value, 0.0f);
    }
    void worksWithFewerThreads_data()
    {
        QTest::addColumn<int>("given");
        for (int given : {0, 1, 2}) QTest::addRow("%d", given) << given;
    }
    void worksWithFewerThreads()
    {
        QFETCH(int, given);
        int left = given, asked = 0;
        ThreadPool pool(64, [&](std::function<void()> body) {
            ++asked;
            return left-- > 0 ? std::thread(std::move(body)) : std::thread();
        });
        QCOMPARE(pool.threads(), given + 1);
        QCOMPARE(pool.wanted(), 64);
        QCOMPARE(asked, given + 1); // no repeated requests after a refusal
        std::vector<std::atomic<int>> hits(37);
        for (int round = 1; round <= 100; ++round) pool.run(hits.size(), [&](std::size_t i) { hits[i].fetch_add(1); });
        for (auto const &hit : hits) QCOMPARE(hit.load(), 100);

        DiagnosticSink sink;
        JobContext job;
        job.warnings = &sink;
        warnOfMissingThreads(pool, job);
        QCOMPARE(sink.all().size(), std::size_t(1));
        QCOMPARE(sink.all()[0].code, std::string("threads.fewer"));
        QVERIFY(sink.all()[0].message.find("the system gave only " + std::to_string(given + 1) + " of 64") != std::string::npos);
        ThreadPool whole(2);
        warnOfMissingThreads(whole, job);
        QCOMPARE(sink.all().size(), std::size_t(1));
    }
    void aTasksExceptionReachesTheCaller_data()
    {
        QTest::addColumn<int>("threads");
        for (int threads : {1, 2, 5}) QTest::addRow("%d", threads) << threads;
    }
    void aTasksExceptionReachesTheCaller()
    {
        QFETCH(int, threads);
        ThreadPool pool(threads);
        for (int round = 0; round < 200; ++round) {
            std::atomic<int> inside{0};
            bool caught = false;
            try {
                pool.run(50, [&](std::size_t i) {
                    ++inside;
                    struct Leave {
                        std::atomic<int> &count;
                        ~Leave() { --count; }
                    } const leave{inside};
                    if (i % 7 == 3) throw std::bad_alloc();
                });
            } catch (std::bad_alloc const &) {
                caught = true;
            }
            QVERIFY(caught);
            QCOMPARE(inside.load(), 0); // nothing still runs in a destroyed body
            std::atomic<int> done{0};
            pool.run(20, [&](std::size_t) { ++done; });
            QCOMPARE(done.load(), 20);
        }
    }
    void restoresTheCallersFlags()
    {
        float volatile tiny = 1e-38f;
        {
            DenormalGuard const guard;
        }
        QVERIFY(tiny * 0.01f != 0.0f);
    }
    void piecesAreTakenInTheirOrder()
    {
        for (int threads : {1, 2, 5}) {
            ThreadPool pool(threads);
            HostWork const work{&pool, nullptr};
            for (std::size_t pieces : {0, 1, 7, 300}) {
                std::atomic<std::size_t> made{0}, taken{0};
                std::atomic<bool> near{true};
                OrderedWork<std::string> ordered(pieces, 3, [&](std::size_t i) {
                    if (made++ > taken + 3 + 5) near = false;
                    return std::to_string(i);
                });
                std::vector<std::string> seen;
                ordered.run(work, [&](std::size_t i, std::string piece) {
                    seen.push_back(std::move(piece));
                    taken = i + 1;
                    return true;
                });
                QCOMPARE(made.load(), pieces);
                QCOMPARE(seen.size(), pieces);
                for (std::size_t i = 0; i < pieces; ++i) QCOMPARE(seen[i], std::to_string(i));
                QVERIFY(near); // at most the maximum, plus one per thread
            }
        }
    }
    void receiversCanEndTheWork()
    {
        for (int threads : {1, 4}) {
            ThreadPool pool(threads);
            std::atomic<int> made{0};
            OrderedWork<int> ordered(10000, 4, [&](std::size_t i) {
                ++made;
                return static_cast<int>(i);
            });
            int last = -1;
            ordered.run({&pool, nullptr}, [&](std::size_t, int piece) {
                last = piece;
                return piece < 20;
            });
            QCOMPARE(last, 20);
            QVERIFY(made < 40);
        }
    }
    void errorsInAPieceAreThrown_data()
    {
        QTest::addColumn<int>("threads");
        QTest::addColumn<int>("at");
        QTest::addColumn<bool>("taking");
        for (int threads : {1, 2, 4})
            for (int at : {0, 5, 99})
                for (bool taking : {false, true})
                    QTest::addRow("%d threads, piece %d, %s", threads, at, taking ? "taken" : "made") << threads << at << taking;
    }
    void errorsInAPieceAreThrown()
    {
        QFETCH(int, threads);
        QFETCH(int, at);
        QFETCH(bool, taking);
        ThreadPool pool(threads);
        OrderedWork<int> ordered(100, 2, [&](std::size_t i) {
            if (!taking && static_cast<int>(i) == at) throw std::bad_alloc();
            return static_cast<int>(i);
        });
        int seen = 0;
        QVERIFY_EXCEPTION_THROWN(ordered.run({&pool, nullptr},
                                             [&](std::size_t, int piece) {
                                                 if (taking && piece == at) throw std::bad_alloc();
                                                 return piece == seen++;
                                             }),
                                 std::bad_alloc);
        QVERIFY(seen <= at);
    }
};

TW_REGISTER_TEST(TstParallel);
#include "tst_parallel.moc"
