#include "engine/core/parallel.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <atomic>
#include <numeric>

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
        volatile float tiny = 1e-38f;
        pool.run(out.size(), [&](std::size_t i) { out[i] = tiny * 0.01f; });
        for (float value : out) QCOMPARE(value, 0.0f);
    }
    void restoresTheCallersFlags()
    {
        volatile float tiny = 1e-38f;
        { DenormalGuard const guard; }
        QVERIFY(tiny * 0.01f != 0.0f);
    }
};

TW_REGISTER_TEST(TstParallel);
#include "tst_parallel.moc"
