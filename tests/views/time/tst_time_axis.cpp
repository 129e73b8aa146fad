#include "tests/support/test_registry.h"
#include "views/time/time_window.h"

#include <QSignalSpy>
#include <QTest>

#include <random>

using namespace tilewright::views;

class TstTimeAxis : public QObject {
    Q_OBJECT
private slots:
    void columnsCutTimeWithoutGap()
    {
        std::mt19937_64 random(7);
        for (int round = 0; round < 200; ++round) {
            std::int64_t const begin = static_cast<std::int64_t>(random() % 1000000000000);
            TimeAxis const axis{{begin, begin + 1 + static_cast<std::int64_t>(random() % (round % 2 ? 50 : 100000000000))},
                                1 + static_cast<int>(random() % 2000)};
            ColumnGrid const grid(axis);
            QCOMPARE(grid.start(0), axis.window.begin);
            QCOMPARE(grid.start(axis.width), axis.window.end);
            for (int i = 0; i < 50; ++i) {
                std::int64_t const time =
                    axis.window.begin + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(axis.window.length()));
                int const column = grid.column(time);
                QCOMPARE(std::int64_t(column), axis.column(time));
                QVERIFY(grid.start(column) <= time && time < grid.start(column + 1));
            }
        }
    }

    void pixelsComeBackAsTimes()
    {
        TimeAxis const axis{{1000, 5000}, 800};
        for (std::int64_t time = 1000; time < 5000; time += 37) QVERIFY(std::abs(axis.toTime(axis.toPixel(time) + 1e-6) - time) <= 0);
        QCOMPARE(axis.column(999), std::int64_t(-1));
    }

    void zoomKeepsWhatIsUnderThePointer()
    {
        TimeSpan const extent{0, 10000000000};
        TimeSpan window{2000, 9000000};
        for (double const factor : {0.8, 0.5, 1.25, 0.01}) {
            std::int64_t const anchor = window.begin + window.length() / 3;
            TimeSpan const next = zoomWindow(window, anchor, factor, extent);
            double const before = TimeAxis{window, 900}.toPixel(anchor), after = TimeAxis{next, 900}.toPixel(anchor);
            QVERIFY2(std::abs(before - after) < 1, qPrintable(QStringLiteral("%1 %2").arg(before).arg(after)));
            window = next;
        }
        QCOMPARE(zoomWindow(window, window.begin, 1e30, extent), extent);
        QCOMPARE(zoomWindow(extent, 5, 0, extent).length(), kShortestWindow);
    }

    void ticksAreRoundAndApart()
    {
        for (std::int64_t length : {10LL, 999LL, 123456LL, 9999999999LL, 4000000000000LL})
            for (TimeUnit unit : {TimeUnit::Cycles, TimeUnit::Seconds, TimeUnit::Steps}) {
                TimeAxis const axis{{length / 3, length / 3 + length}, 1000};
                TimeScale const scale{unit, 1330000000, 85917, 0, false};
                double last = -1e9;
                int labels = 0;
                for (auto const &tick : timeTicks(axis, scale, 90)) {
                    QVERIFY(axis.window.contains(tick.time));
                    if (tick.label.isEmpty()) continue;
                    QVERIFY(axis.toPixel(tick.time) - last > 85);
                    last = axis.toPixel(tick.time);
                    ++labels;
                }
                QVERIFY2(labels >= 2 || unit != TimeUnit::Cycles || length < 20, qPrintable(QString::number(length)));
                QVERIFY(labels <= 12);
            }
    }

    void stepsAndSecondsAreLabelledAsSuch()
    {
        auto const labels = [](TimeAxis const &axis, TimeScale const &scale) {
            QStringList all;
            for (auto const &tick : timeTicks(axis, scale, 90))
                if (!tick.label.isEmpty()) all << tick.label;
            return all;
        };
        QLocale::setDefault(QLocale::c());
        QCOMPARE(labels({{0, 400}, 400}, {TimeUnit::Steps, 0, 100, 7, false}), (QStringList{"7", "8", "9", "10"}));
        QVERIFY(labels({{0, 4000}, 400}, {TimeUnit::Seconds, 1000000000, 0, 0, false})
                    .contains(QStringLiteral("2") + QChar(0xA0) + QStringLiteral("µs")));
    }

    void typedMomentsAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("time"); // -1: refused
        QTest::newRow("cycles") << "12000" << qint64(12000);
        QTest::newRow("grouped") << "12 000 cycles" << qint64(12000);
        QTest::newRow("ms") << "1.5 ms" << qint64(1500000);
        QTest::newRow("step") << "step 3" << qint64(200);
        QTest::newRow("words") << "soon" << qint64(-1);
        QTest::newRow("negative") << "-5" << qint64(-1);
        QTest::newRow("huge") << "1e300" << qint64(-1);
    }
    void typedMomentsAreRead()
    {
        QFETCH(QString, text);
        QFETCH(qint64, time);
        std::int64_t read = -1;
        bool const ok = parseTime(text, {TimeUnit::Cycles, 1000000000, 100, 1, false}, read);
        QCOMPARE(ok, time >= 0);
        if (ok) QCOMPARE(qint64(read), time);
    }

    void historyGoesBackAndForth()
    {
        TimeWindow window;
        window.setExtent({0, 100000}, true);
        QSignalSpy spy(&window, &TimeWindow::changed);
        window.show({100, 500});
        window.show({200, 300});
        QCOMPARE(spy.count(), 2);
        window.back();
        QCOMPARE(window.visible(), (TimeSpan{100, 500}));
        window.back();
        QVERIFY(window.isWhole());
        window.forward();
        window.forward();
        QCOMPARE(window.visible(), (TimeSpan{200, 300}));
        QVERIFY(!window.canGoForward());
    }

    void aGestureIsOneStepOfTheHistory()
    {
        TimeWindow window;
        window.setExtent({0, 1000000}, true);
        for (int i = 0; i < 10; ++i) window.zoomAt(5000, 0.8);
        window.back();
        QVERIFY(window.isWhole());
        QVERIFY(!window.canGoBack());
    }

    void followingStaysAtTheEndUntilTouched()
    {
        TimeWindow window;
        window.setExtent({0, 1000}, true);
        window.show({900, 1000});
        window.setFollowing(true);
        window.setExtent({0, 5000}, false);
        QCOMPARE(window.visible(), (TimeSpan{4900, 5000}));
        window.panBy(-100);
        QVERIFY(!window.isFollowing());
        window.setExtent({0, 9000}, false);
        QCOMPARE(window.visible(), (TimeSpan{4800, 4900}));
    }
};

TW_REGISTER_TEST(TstTimeAxis);
#include "tst_time_axis.moc"
