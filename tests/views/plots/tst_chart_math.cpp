#include "tests/support/test_registry.h"

#include "views/plots/chart_math.h"

#include <QtTest>

#include <random>

using namespace tilewright::views;

class TstChartMath : public QObject {
    Q_OBJECT
private slots:
    void zoomStaysWithinItsLimits()
    {
        std::mt19937 random(11);
        std::uniform_real_distribution<double> at(-50, 150), size(0.001, 300);
        ZoomLimits const limits{{0, 100}, 5};
        for (int i = 0; i < 1000; ++i) {
            double const lower = at(random), upper = lower + size(random);
            auto const span = limitedSpan({lower, upper}, limits, AxisKind::Linear);
            QVERIFY(span.lower >= 0 && span.upper <= 100 + 1e-9);
            QVERIFY(span.size() >= 5 - 1e-9);
            if (upper - lower >= 5 && lower >= 0 && upper <= 100)
                QVERIFY(std::abs(span.lower - lower) < 1e-9 && std::abs(span.upper - upper) < 1e-9);
        }
        QCOMPARE(limitedSpan({40, 41}, limits, AxisKind::Linear), (Span{38, 43})); // about the same middle
        QCOMPARE(limitedSpan({-10, 10}, limits, AxisKind::Linear), (Span{0, 20}));
        QCOMPARE(limitedSpan({-1e9, 1e9}, limits, AxisKind::Linear), limits.home);
        QCOMPARE(limitedSpan({3, 3}, limits, AxisKind::Linear), limits.home);
    }
    void logarithmicLimitsAreFactors()
    {
        ZoomLimits const limits{{0.01, 10000}, 10};
        auto const near = limitedSpan({1, 1.001}, limits, AxisKind::Logarithmic);
        QVERIFY(std::abs(near.upper / near.lower - 10) < 1e-6);
        auto const moved = limitedSpan({0.0001, 0.01}, limits, AxisKind::Logarithmic);
        QVERIFY(std::abs(moved.lower - 0.01) < 1e-9 && std::abs(moved.upper - 1) < 1e-6);
        QCOMPARE(limitedSpan({-1, 10}, limits, AxisKind::Logarithmic), limits.home);
    }
    void wholeTicksAreWhole()
    {
        QCOMPARE(wholeTicks({-0.5, 9.5}, 12), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
        QCOMPARE(wholeTicks({-0.5, 9.5}, 5), (std::vector<double>{0, 2, 4, 6, 8}));
        QCOMPARE(wholeTicks({2.2, 3.1}, 12), (std::vector<double>{3}));
        QCOMPARE(wholeTicks({0, 1471}, 4), (std::vector<double>{0, 500, 1000}));
        QVERIFY(wholeTicks({1, 1}, 4).empty());
    }
    void binaryTicksAreInUnitsOf1024()
    {
        QCOMPARE(binaryTicks({0, 400 * 1024.0}, 4), (std::vector<double>{0, 102400, 204800, 307200, 409600}));
        QCOMPARE(binaryTicks({0, 100}, 2), (std::vector<double>{0, 50, 100}));
        QCOMPARE(binaryTicks({0, 3 * 1048576.0}, 4), (std::vector<double>{0, 1048576, 2 * 1048576.0, 3 * 1048576.0}));
    }
    void logTicksAreNeverFewerThanTwo()
    {
        QCOMPARE(logTicks({0.01, 10000}, 12).size(), std::size_t{7});
        QCOMPARE(logTicks({0.01, 10000}, 4).size(), std::size_t{4}); // every second power
        QCOMPARE(logTicks({1, 20}, 6), (std::vector<double>{1, 2, 5, 10, 20}));
        for (auto const span : {Span{1.1, 1.9}, Span{3, 4}, Span{0.0123, 0.0125}}) {
            auto const ticks = logTicks(span, 6);
            QVERIFY(ticks.size() >= 2);
            for (double const tick : ticks) QVERIFY(tick >= span.lower * (1 - 1e-6) && tick <= span.upper * (1 + 1e-6));
        }
        QVERIFY(logTicks({0, 10}, 6).empty());
        // No more than there is room for.
        QCOMPARE(logTicks({0.0003, 0.09}, 2), (std::vector<double>{0.001, 0.01}));
        QVERIFY(logTicks({0.0003, 0.09}, 1).size() == 1);
        QCOMPARE(logTicks({1, 60}, 3).size(), std::size_t{2});
    }
    void decadesHoldBothEnds()
    {
        QCOMPARE(wholeDecades(0.04, 80), (Span{0.01, 100}));
        QCOMPARE(wholeDecades(3, 3), (Span{1, 10}));
        auto const exact = wholeDecades(1, 100);
        QVERIFY(exact.lower <= 1 && exact.upper >= 100);
    }
};

TW_REGISTER_TEST(TstChartMath);
#include "tst_chart_math.moc"
