#include "engine/core/rate_schedule.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <numbers>
#include <vector>

using namespace tilewright;

/// keras.optimizers.schedules with values calculated by hand.
class TstRateSchedule : public QObject {
    Q_OBJECT
    static double rate(std::vector<double> const &numbers, std::int64_t updates) { return scheduledRate(numbers, updates); }
    static bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b)); }

private slots:
    void exponential()
    {
        std::vector<double> const smooth{1, 0.8, 4, 0.25, 0}, stairs{1, 0.8, 4, 0.25, 1};
        QVERIFY(near(rate(smooth, 0), 0.8) && near(rate(smooth, 2), 0.4) && near(rate(smooth, 8), 0.05));
        QVERIFY(near(rate(stairs, 3), 0.8) && near(rate(stairs, 4), 0.2) && near(rate(stairs, 7), 0.2));
    }
    void inverseTime()
    {
        QVERIFY(near(rate({2, 1, 10, 0.5, 0}, 5), 0.8));
        QVERIFY(near(rate({2, 1, 10, 0.5, 1}, 9), 1) && near(rate({2, 1, 10, 0.5, 1}, 20), 0.5));
    }
    void polynomial()
    {
        std::vector<double> const once{3, 1, 10, 0.2, 2, 0}, again{3, 1, 10, 0.2, 1, 1};
        QVERIFY(near(rate(once, 0), 1) && near(rate(once, 5), 0.4) && near(rate(once, 10), 0.2) && near(rate(once, 99), 0.2));
        QVERIFY(near(rate(again, 10), 0.2)); // the end of the first cycle
        QVERIFY(near(rate(again, 15), 0.4)); // three quarters of one of twenty
        QVERIFY(near(rate(again, 20), 0.2) && near(rate(again, 21), 0.8 * (1 - 21.0 / 30) + 0.2));
    }
    void cosine()
    {
        std::vector<double> const plain{4, 2, 10, 0.1, 0, 2};
        QVERIFY(near(rate(plain, 0), 2) && near(rate(plain, 5), 1.1) && near(rate(plain, 10), 0.2) && near(rate(plain, 50), 0.2));
        std::vector<double> const warm{4, 0, 10, 0, 4, 1};
        QVERIFY(near(rate(warm, 0), 0) && near(rate(warm, 1), 0.25) && near(rate(warm, 4), 1) && near(rate(warm, 9), 0.5)
                && near(rate(warm, 14), 0));
    }
    void cosineRestarts()
    {
        std::vector<double> const growing{5, 1, 10, 2, 0.5, 0}; // periods of 10, 20, 40, …
        QVERIFY(near(rate(growing, 5), 0.5));
        QVERIFY(near(rate(growing, 10), 0.5) && near(rate(growing, 20), 0.25));
        QVERIFY(near(rate(growing, 30), 0.25) && near(rate(growing, 70), 0.125));
        std::vector<double> const equal{5, 1, 10, 1, 1, 0.2};
        QVERIFY(near(rate(equal, 10), 1) && near(rate(equal, 25), 0.6));
        // No restart comes an update late, however large the numbers are.
        for (double first : {3.0, 7.0, 10.0, 1000.0})
            for (double mul : {1.5, 2.0, 3.0}) {
                double begin = 0, length = first;
                for (int period = 0; period < 8; ++period) {
                    if (begin == std::floor(begin))
                        QVERIFY2(near(rate({5, 1, first, mul, 1, 0}, static_cast<std::int64_t>(begin)), 1),
                                 qPrintable(QString::number(begin)));
                    begin += length;
                    length *= mul;
                }
            }
    }
    void piecewise()
    {
        std::vector<double> const steps{6, 2, 10, 20, 1, 0.5, 0.1};
        QCOMPARE(rate(steps, 0), 1.0);
        QCOMPARE(rate(steps, 10), 1.0);
        QCOMPARE(rate(steps, 11), 0.5);
        QCOMPARE(rate(steps, 20), 0.5);
        QCOMPARE(rate(steps, 21), 0.1);
        QCOMPARE(rate({6, 0, 0.3}, 7), 0.3);
    }
    void constant() { QCOMPARE(rate({0, 0.125}, 1000000), 0.125); }
};

TW_REGISTER_TEST(TstRateSchedule);
#include "tst_rate_schedule.moc"
