#include "tests/support/test_registry.h"
#include "tests/views/time/random_lane.h"
#include "views/time/series_lod.h"

#include <QTest>

#include <cmath>
#include <numbers>

using namespace tilewright::views;
using namespace tilewright::tests;

class TstSeriesLod : public QObject {
    Q_OBJECT
private slots:
    void extremesAndMeansAreExactForAnyRange()
    {
        std::mt19937_64 random(11);
        std::vector<double> values;
        for (int i = 0; i < 3000; ++i) values.push_back(i % 97 == 0 ? std::nan("") : static_cast<double>(random() % 100000) - 50000);
        SeriesLod const lod(values);
        SeriesLod grown;
        for (std::size_t i = 0; i < values.size();) {
            std::size_t const n = std::min<std::size_t>(values.size() - i, 1 + random() % 40);
            grown.append(std::span(values).subspan(i, n));
            i += n;
        }
        for (int round = 0; round < 1000; ++round) {
            std::int64_t const a = static_cast<std::int64_t>(random() % 3000),
                               b = a + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(3001 - a));
            SeriesStat naive;
            for (std::int64_t i = a; i < b; ++i) naive.add(values[static_cast<std::size_t>(i)]);
            for (auto const &stat : {lod.stat(a, b), grown.stat(a, b)}) {
                QCOMPARE(stat.count, naive.count);
                QCOMPARE(stat.min, naive.min);
                QCOMPARE(stat.max, naive.max);
                QCOMPARE(stat.sum, naive.sum);
            }
        }
    }

    void aSpikeIsInItsColumnAtAnyWidth()
    {
        std::vector<std::int64_t> x;
        std::vector<double> y;
        for (int i = 0; i < 100000; ++i) {
            x.push_back(i * 10);
            y.push_back(std::sin(i * 0.01));
        }
        y[77777] = 1000;
        SeriesLod const lod(y);
        for (int const width : {1, 7, 100, 1920}) {
            ColumnGrid const grid({{0, 1000000}, width});
            auto const columns = pointColumns(x, lod, grid);
            QCOMPARE(columns[static_cast<std::size_t>(grid.column(777770))].max, 1000.0);
            std::int64_t count = 0;
            for (auto const &c : columns) count += c.count;
            QCOMPARE(count, std::int64_t(100000));
        }
    }

    void valuesOfRepeatedEventsCountEachTime()
    {
        std::mt19937_64 random(12);
        auto const events = std::make_shared<RandomLane>(randomLane(random, 50, 3));
        auto const block = std::make_shared<LaneLod const>(events->spans(), phasesOf(3), events);
        auto const lane = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{block, 0, 10, block->lastEnd() + 5}});
        std::vector<double> values;
        for (int i = 0; i < 50; ++i) values.push_back(static_cast<double>(random() % 100));
        LaneSeries const series{lane, {std::make_shared<SeriesLod const>(values)}};
        for (std::int64_t a : {0, 13, 77, 260}) {
            SeriesStat naive;
            for (std::int64_t e = a; e < a + 205; ++e) naive.add(values[static_cast<std::size_t>(e % 50)]);
            auto const stat = series.stat(a, a + 205);
            QCOMPARE(stat.count, naive.count);
            QCOMPARE(stat.sum, naive.sum);
            QCOMPARE(stat.max, naive.max);
            QCOMPARE(stat.min, naive.min);
        }
    }
};

TW_REGISTER_TEST(TstSeriesLod);
#include "tst_series_lod.moc"
