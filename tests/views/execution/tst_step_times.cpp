#include "tests/support/test_registry.h"
#include "views/common/theme.h"
#include "views/execution/step_time_chart.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace tilewright::views;
using tilewright::report::EventColumns;

/// Calls of the program in the host's record, and the unusual ones among them.
class TstStepTimes : public QObject {
    Q_OBJECT
    /// `each`: milliseconds of each call of `steps` steps.
    static EventColumns calls(std::vector<double> const &each, std::int64_t steps = 1, std::int64_t firstStep = 0)
    {
        EventColumns events;
        std::int64_t time = 1000, step = firstStep;
        for (double const ms : each) {
            auto const length = static_cast<std::int64_t>(ms * 1e6);
            events.add(time, length, 7, step);
            time += length + 10;
            step += steps;
        }
        return events;
    }

private slots:
    /// As a run that goes on shows it: a pause is no work.
    void speedIsThatOfTheCallsWithoutPauses()
    {
        auto events = calls(std::vector<double>(20, 100), 2);
        for (std::size_t i = 10; i < events.start.size(); ++i) events.start[i] += 10'000'000'000;
        auto const speed = speedOf(stepTimes(events, 7, 40));
        QVERIFY(speed.size() >= 4);
        for (auto const &point : speed)
            QVERIFY2(std::abs(point.stepsPerSecond - 20) < 0.1, qPrintable(QString::number(point.stepsPerSecond)));
        QVERIFY(speed.back().seconds <= 2.1 && speed.back().step <= 40);
        QVERIFY(speedOf({}).empty());
    }
    void eachCallHasItsSteps()
    {
        auto times = stepTimes(calls({8, 8, 4}, 4), 7, 10); // the last call of the run has two
        QCOMPARE(times.calls.size(), std::size_t{3});
        QCOMPARE(times.calls[1].firstStep, 4);
        QCOMPARE(times.calls[1].steps, 4);
        QCOMPARE(times.calls[2].steps, 2);
        QCOMPARE(times.median, 0.002);
        // A running run has no total yet; a resumed one counts from its beginning; a full recording is shorter than its run.
        QCOMPARE(stepTimes(calls({8, 8, 4}, 4), 7, 0).calls[2].steps, 4);
        QCOMPARE(stepTimes(calls({8, 8, 4}, 4, 100), 7, 10).calls[2].steps, 2);
        QCOMPARE(stepTimes(calls({8, 8, 4}, 4), 7, 1000).calls[2].steps, 4);
        QCOMPARE(stepTimes(calls({8}), 7, 4).calls[0].steps, 4);
    }
    void otherEventsAreNoCalls()
    {
        QVERIFY(stepTimes(calls({1, 2}), 3, 2).empty());
        QVERIFY(stepTimes(EventColumns(), 7, 2).empty());
    }
    void unusuallyLongStepsAreFound()
    {
        std::vector<double> each;
        for (int i = 0; i < 100; ++i) each.push_back(1 + 0.01 * (i % 7));
        each[10] = 1.3; // beyond the fence of such equal steps, and no half longer than they are
        each[40] = 2.5;
        each[90] = 30;
        auto const times = stepTimes(calls(each), 7, 100);
        QCOMPARE(times.slow, (std::vector<int>{40, 90}));
        QCOMPARE(times.slowInAll, 2);
        QCOMPARE(times.longest, 0.03);
        QVERIFY(times.median > 0.001 && times.median < 0.0011);
    }
    void ofManyTheLongestAreKept()
    {
        std::vector<double> each(4000, 1.0);
        for (int i = 0; i < 300; ++i) each[static_cast<std::size_t>(i) * 10] = 3 + i;
        auto const times = stepTimes(calls(each), 7, 4000);
        QCOMPARE(times.slowInAll, 300);
        QCOMPARE(times.slow.size(), StepTimes::kMostSlow);
        QCOMPARE(times.slow.front(), 10 * (300 - static_cast<int>(StepTimes::kMostSlow))); // the shortest of them come first
        QVERIFY(std::ranges::is_sorted(times.slow));
    }
    void aClickOnASlowCallLeadsToIt()
    {
        applyTheme(*qApp, ThemeKind::Light);
        std::vector<double> each(50, 1.0);
        each[20] = 3;
        StepTimeChart chart;
        chart.setTimes(stepTimes(calls(each), 7, 50));
        chart.resize(600, 200);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        QCOMPARE(chart.elements(), 1);
        QVERIFY(chart.summary().contains(QStringLiteral("1 call")) || chart.summary().contains(QStringLiteral("1 Aufruf")));
        QVERIFY2(chart.tipOf(0).contains(QStringLiteral("21")), qPrintable(chart.tipOf(0))); // people count from 1
        QSignalSpy picked(&chart, &StepTimeChart::picked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.elementRect(0).center().toPoint());
        QCOMPARE(picked.size(), 1);
        auto const &call = chart.times().calls[20];
        QCOMPARE(picked.front().at(0).toLongLong(), call.begin);
        QCOMPARE(picked.front().at(1).toLongLong(), call.end);
        chart.setTimes({});
        QCOMPARE(chart.elements(), 0);
        QVERIFY(chart.summary().isEmpty());
    }
};

TW_REGISTER_TEST(TstStepTimes);
#include "tst_step_times.moc"
