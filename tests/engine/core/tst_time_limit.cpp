#include "engine/core/time_limit.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QtTest>

using namespace tilewright;

class TstTimeLimit : public QObject {
    Q_OBJECT

private slots:
    void jobsEndAtTheirTimeLimit()
    {
        TimeLimit const limit({}, 0.01);
        QTRY_VERIFY(limit.job().cancelled());
        QVERIFY(limit.isOver());
    }
    void jobsEndWithTheirParent()
    {
        std::stop_source source;
        JobContext outer;
        outer.stop = source.get_token();
        TimeLimit const limit(outer, 3600);
        QVERIFY(!limit.job().cancelled());
        source.request_stop();
        QVERIFY(limit.job().cancelled());
        QVERIFY(!limit.isOver());
    }
    void destructionDoesNotWaitForTheLimit()
    {
        QElapsedTimer timer;
        timer.start();
        {
            TimeLimit const limit({}, 3600);
        }
        QVERIFY(timer.elapsed() < 600'000);
    }
};

TW_REGISTER_TEST(TstTimeLimit);
#include "tst_time_limit.moc"
