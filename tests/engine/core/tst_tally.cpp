#include "engine/core/tally.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <vector>

using namespace tilewright;
using Reading = Tally::Reading;

/// Figures from totals, by hand.
class TstTally : public QObject {
    Q_OBJECT
private slots:
    void readsSums()
    {
        std::vector<double> const two{6, 8}, nothing{6, 0};
        QCOMPARE(figureOf({.reading = Reading::Sum}, std::vector<double>{2.5}), 2.5);
        QCOMPARE(figureOf({.reading = Reading::Ratio}, two), 0.75);
        QCOMPARE(figureOf({.reading = Reading::RootRatio}, two), std::sqrt(0.75));
        QCOMPARE(figureOf({.reading = Reading::Ratio}, nothing), 0.0);
    }
    /// 3 of 4 positives and 1 of 6 others are above the threshold.
    void readsCounts_data()
    {
        QTest::addColumn<int>("reading");
        QTest::addColumn<double>("figure");
        QTest::newRow("true positives") << static_cast<int>(Reading::TruePositives) << 3.0;
        QTest::newRow("false positives") << static_cast<int>(Reading::FalsePositives) << 1.0;
        QTest::newRow("true negatives") << static_cast<int>(Reading::TrueNegatives) << 5.0;
        QTest::newRow("false negatives") << static_cast<int>(Reading::FalseNegatives) << 1.0;
        QTest::newRow("precision") << static_cast<int>(Reading::Precision) << 0.75;
        QTest::newRow("recall") << static_cast<int>(Reading::Recall) << 0.75;
    }
    void readsCounts()
    {
        QFETCH(int, reading);
        QFETCH(double, figure);
        std::vector<double> const counts{3, 4, 4, 10};
        Tally const tally{.reading = static_cast<Reading>(reading)};
        QVERIFY(tally.countsDecisions() && tally.takes(4) && !tally.takes(5));
        QCOMPARE(figureOf(tally, counts), figure);
    }
    void nothingCountedIsZero()
    {
        std::vector<double> const none(4, 0.0);
        for (auto const reading : {Reading::Precision, Reading::Recall, Reading::SensitivityAtSpecificity, Reading::PrecisionAtRecall,
                                   Reading::RocArea, Reading::PrecisionRecallArea, Reading::MeanIntersection})
            QCOMPARE(figureOf({.reading = reading}, none), 0.0);
    }
    /// Thresholds 0, 0.5 and 1: above them are 4, 3, 0 of 4 positives and 6, 1, 0 of 6 others.
    void readsTheBestThreshold()
    {
        std::vector<double> const counts{4, 3, 0, 4, 10, 4, 0, 10};
        auto const best = [&](Reading reading, double bound) { return figureOf({.reading = reading, .bound = bound}, counts); };
        QCOMPARE(best(Reading::SensitivityAtSpecificity, 0.5), 0.75);
        QCOMPARE(best(Reading::SensitivityAtSpecificity, 0.9), 0.0); // only the last threshold, above which nothing is
        QCOMPARE(best(Reading::SpecificityAtSensitivity, 0.7), 5.0 / 6);
        QCOMPARE(best(Reading::PrecisionAtRecall, 0.7), 0.75);
        QCOMPARE(best(Reading::PrecisionAtRecall, 0.8), 0.4);
        QCOMPARE(best(Reading::RecallAtPrecision, 0.5), 0.75);
    }
    void readsAreas()
    {
        std::vector<double> const counts{4, 3, 0, 4, 10, 4, 0, 10};
        auto const roc = [&](Tally::Heights heights) { return figureOf({.reading = Reading::RocArea, .heights = heights}, counts); };
        double const wide = 5.0 / 6, narrow = 1.0 / 6;
        QCOMPARE(roc(Tally::Heights::Between), wide * (1 + 0.75) / 2 + narrow * 0.75 / 2);
        QCOMPARE(roc(Tally::Heights::Lower), wide * 0.75);
        QCOMPARE(roc(Tally::Heights::Upper), wide + narrow * 0.75);
        // From 4 of 10 to 3 of 4: slope 1/6, intercept 3 - 4/6; from there to nothing, slope 3/4.
        double const slope = 1.0 / 6, intercept = 3 - 4.0 / 6;
        QCOMPARE(figureOf({.reading = Reading::PrecisionRecallArea}, counts),
                 slope * (1 + intercept * std::log(10.0 / 4)) / 4 + 0.75 * 3 / 4);
    }
    void meansTheAreasOfLabels()
    {
        std::vector<double> counts{4, 3, 0, 4, 10, 4, 0, 10};
        double const first = figureOf({.reading = Reading::RocArea}, counts);
        std::vector<double> const second{2, 2, 0, 2, 4, 2, 0, 4}; // a perfect threshold: area 1
        counts.insert(counts.end(), second.begin(), second.end());
        QCOMPARE(figureOf({.reading = Reading::RocArea, .labels = 2}, counts), (first + 1) / 2);
        QCOMPARE(figureOf({.reading = Reading::RocArea, .labelWeights = {3, 1}, .labels = 2}, counts), (3 * first + 1) / 4);
        QVERIFY(!(Tally{.reading = Reading::RocArea, .labelWeights = {3}, .labels = 2}.takes(16)));
    }
    /// Class 2 is named by nothing and does not count.
    void meansTheIntersections()
    {
        std::vector<double> const matrix{3, 1, 0, 2, 4, 0, 0, 0, 0};
        QVERIFY(Tally{.reading = Reading::MeanIntersection}.takes(9) && !Tally{.reading = Reading::MeanIntersection}.takes(8));
        QCOMPARE(figureOf({.reading = Reading::MeanIntersection}, matrix), (3.0 / 6 + 4.0 / 7) / 2);
    }
    void refusesReadingsThatDoNotExist()
    {
        QVERIFY(!Tally{.reading = static_cast<Reading>(200)}.takes(4));
        QVERIFY(!(Tally{.reading = Reading::RocArea, .heights = static_cast<Tally::Heights>(9)}.takes(4)));
    }
};

TW_REGISTER_TEST(TstTally);
#include "tst_tally.moc"
