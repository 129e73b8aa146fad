#include "tests/support/test_registry.h"

#include "views/plots/curve_math.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace tilewright::views;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> counted(std::size_t n)
{
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<double>(i);
    return x;
}

} // namespace

class TstCurveMath : public QObject {
    Q_OBJECT
private slots:
    void smoothingIsTensorBoardsDebiasedAverage()
    {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> values(-1, 3);
        auto const x = counted(200);
        std::vector<double> y(200);
        for (auto &value : y) value = values(random);
        for (double const w : {0.1, 0.6, 0.99}) {
            auto const got = smoothed(x, y, w);
            double last = 0;
            for (std::size_t i = 0; i < y.size(); ++i) {
                // scalars plugin: last = last w + (1 - w) y, divided by 1 - w^(i+1)
                last = last * w + (1 - w) * y[i];
                double const expected = last / (1 - std::pow(w, static_cast<double>(i + 1)));
                QVERIFY2(std::abs(got[i] - expected) < 1e-9, qPrintable(QStringLiteral("weight %1 point %2").arg(w).arg(i)));
            }
        }
    }
    void weightZeroLeavesValuesAsTheyAre()
    {
        std::vector<double> const y{3, 1, 4};
        QCOMPARE(smoothed(counted(3), y, 0), y);
    }
    void missingValuesAreExcluded()
    {
        std::vector<double> const x{0, 1, 2, 3}, y{1, kNaN, 1, 1};
        auto const got = smoothed(x, y, 0.9);
        QVERIFY(std::isnan(got[1]));
        QCOMPARE(got[2], 1.0);
        std::vector<double> const infinite{1, std::numeric_limits<double>::infinity(), 2, 2};
        QVERIFY(std::isnan(smoothed(x, infinite, 0.9)[1]));
        QVERIFY(std::isfinite(smoothed(x, infinite, 0.9)[3]));
    }
    void distanceShrinksTheWeight()
    {
        // A point three steps away counts w^3 less, as if two points had been missing.
        std::vector<double> const x{0, 1, 4}, y{0, 0, 1};
        std::vector<double> const filledX{0, 1, 2, 3, 4}, filledY{0, 0, kNaN, kNaN, 1};
        QCOMPARE(smoothed(x, y, 0.7)[2], smoothed(filledX, filledY, 0.7)[4]);
        double const keep = std::pow(0.7, 3);
        QVERIFY(std::abs(smoothed(x, y, 0.7)[2] - 1 / (1 + keep * (1 + 0.7))) < 1e-12);
    }
    void meansOfEqualValuesSmoothAsTheValuesDo()
    {
        std::vector<double> const values{3, 3, 3, 3, 1, 1, 8, 5}, means{3, 1, 8, 5}, counts{4, 2, 1, 1};
        auto const all = smoothed(counted(8), values, 0.9), got = smoothedMeans(means, counts, 0.9);
        for (auto const &[at, in] : {std::pair(0, 3), std::pair(1, 5), std::pair(2, 6), std::pair(3, 7)})
            QVERIFY(std::abs(got[static_cast<std::size_t>(at)] - all[static_cast<std::size_t>(in)]) < 1e-12);
    }
    void thinningKeepsLeastAndGreatestOfEveryColumn()
    {
        std::mt19937 random(11);
        std::normal_distribution<double> values;
        std::size_t const n = 200'000;
        auto const x = counted(n);
        std::vector<double> y(n);
        for (auto &value : y) value = values(random);
        y[123'456] = 1000; // a spike of one point
        int const columns = 317;
        double const begin = 1000, end = 190'000;
        auto const got = thinned(x, y, begin, end, columns);
        QVERIFY(got.x.size() <= static_cast<std::size_t>(columns + 3) * 4);
        QVERIFY(std::is_sorted(got.x.begin(), got.x.end()));
        std::map<int, std::pair<double, double>> expected, drawn;
        auto const note = [&](auto &map, double at, double value) {
            if (at < begin || at > end) return;
            int const column = static_cast<int>(std::floor((at - begin) * columns / (end - begin)));
            auto const [it, fresh] = map.emplace(column, std::pair(value, value));
            if (!fresh) it->second = {std::min(it->second.first, value), std::max(it->second.second, value)};
        };
        for (std::size_t i = 0; i < n; ++i) note(expected, x[i], y[i]);
        for (std::size_t i = 0; i < got.x.size(); ++i) note(drawn, got.x[i], got.y[i]);
        QCOMPARE(drawn.size(), expected.size());
        QVERIFY(drawn == expected);
        QVERIFY(std::find(got.y.begin(), got.y.end(), 1000.0) != got.y.end());
    }
    void thinningOfFewPointsChangesNothing()
    {
        auto const x = counted(50);
        auto const got = thinned(x, x, 0, 49, 100);
        QCOMPARE(got.x, x);
        QCOMPARE(got.y, x);
    }
    void onePointOnEitherSideIsKeptSoThatLinesLeaveThePicture()
    {
        auto const x = counted(100);
        auto const got = thinned(x, x, 9.5, 20.5, 500);
        QCOMPARE(got.x.front(), 9.0);
        QCOMPARE(got.x.back(), 21.0);
    }
    void aMissingValueInACrowdedColumnBreaksTheLine()
    {
        auto const x = counted(10'000);
        std::vector<double> y(10'000, 1.0);
        y[5'000] = kNaN;
        auto const got = thinned(x, y, 0, 9'999, 100);
        auto const gaps = std::count_if(got.y.begin(), got.y.end(), [](double value) { return std::isnan(value); });
        QCOMPARE(gaps, 1);
        auto const at = std::find_if(got.y.begin(), got.y.end(), [](double value) { return std::isnan(value); }) - got.y.begin();
        QVERIFY(got.x[static_cast<std::size_t>(at)] >= 5'000 && got.x[static_cast<std::size_t>(at)] < 5'100);
    }
    void rangesIgnoreWhatIsMissingOrOutside()
    {
        std::vector<double> const x{0, 1, 2, 3}, y{-5, kNaN, 2, 900};
        QCOMPARE(valueRange(x, y, 0, 2, false), std::pair(-5.0, 2.0));
        QCOMPARE(valueRange(x, y, 0, 2, true), std::pair(2.0, 2.0));
        auto const none = valueRange(x, y, 1, 1, false);
        QVERIFY(none.first > none.second);
    }
    void theNearestPointIsFound()
    {
        std::vector<double> const x{0, 10, 20};
        QCOMPARE(nearestPoint(x, -3), 0u);
        QCOMPARE(nearestPoint(x, 14), 1u);
        QCOMPARE(nearestPoint(x, 16), 2u);
        QCOMPARE(nearestPoint(x, 99), 2u);
    }
};

TW_REGISTER_TEST(TstCurveMath);
#include "tst_curve_math.moc"
