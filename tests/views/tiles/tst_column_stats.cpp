#include "tests/support/test_registry.h"
#include "views/tiles/column_stats.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tilewright::views;

class TstColumnStats : public QObject {
    Q_OBJECT
private slots:
    void extremesOfEveryColumnAreExact()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 60; ++round) {
            PositionAxis axis;
            axis.count = 1 + static_cast<int>(random() % 3000);
            std::vector<std::int64_t> values;
            for (int i = 0; i < axis.count; ++i) values.push_back(static_cast<std::int64_t>(random() % 100000));
            if (round % 2) {
                double at = 0;
                for (int i = 0; i <= axis.count; ++i) {
                    axis.edges.push_back(at);
                    at += random() % 4; // also steps that take no cycles
                }
                if (axis.length() <= 0) continue;
            }
            AxisWindow window{0, axis.length(), 1 + static_cast<int>(random() % 700)};
            if (round % 3 == 1) window = zoomed(window, axis, axis.length() / 3, 0.4);
            auto const columns = columnStats(values, axis, window);
            QCOMPARE(static_cast<int>(columns.size()), window.pixels);
            for (int c = 0; c < window.pixels; ++c) {
                double const from = window.coordinateOf(c), to = window.coordinateOf(c + 1);
                std::int64_t min = INT64_MAX, max = INT64_MIN;
                for (int p = 0; p < axis.count; ++p) {
                    bool const point = axis.edge(p) == axis.edge(p + 1);
                    bool const touches = point ? axis.edge(p) >= from && axis.edge(p) < to : axis.edge(p) < to && axis.edge(p + 1) > from;
                    if (!touches) continue;
                    min = std::min(min, values[static_cast<std::size_t>(p)]);
                    max = std::max(max, values[static_cast<std::size_t>(p)]);
                }
                auto const &column = columns[static_cast<std::size_t>(c)];
                if (min > max) continue; // nothing is there
                QVERIFY2(column.first >= 0, "a column lost its positions");
                QCOMPARE(column.min, min);
                QCOMPARE(column.max, max);
                QVERIFY(column.mean >= static_cast<double>(min) - 1e-6 && column.mean <= static_cast<double>(max) + 1e-6);
            }
        }
    }

    void oneHighTileAmongNinetyThousandShows()
    {
        PositionAxis axis{94208, {}};
        std::vector<std::int64_t> values(94208, 10);
        values[70001] = 638976;
        auto const columns = columnStats(values, axis, {0, 94208, 300});
        QCOMPARE(std::count_if(columns.begin(), columns.end(), [](auto const &c) { return c.max == 638976; }), 1);
    }

    void meansOfColumnsAddUpToTheWhole()
    {
        PositionAxis axis{1000, {}};
        std::vector<std::int64_t> values;
        double sum = 0;
        for (int i = 0; i < 1000; ++i) {
            values.push_back(i * 37 % 991);
            sum += static_cast<double>(values.back());
        }
        BandSums const band(values, axis);
        AxisWindow const window{0, 1000, 333};
        double means = 0, direct = 0;
        auto const columns = columnStats(values, axis, window);
        for (int c = 0; c < 333; ++c) {
            means += band.mean(axis, window.coordinateOf(c), window.coordinateOf(c + 1));
            direct += columns[static_cast<std::size_t>(c)].mean;
        }
        QVERIFY(std::abs(means * 1000 / 333 - sum) < 1e-3);
        QVERIFY(std::abs(direct - means) < 1e-3);
    }

    void zoomNeverLeavesTheAxisAndKeepsThePointer()
    {
        PositionAxis axis{100, {}};
        AxisWindow window{0, 100, 500};
        auto const closer = zoomed(window, axis, 60, 0.5);
        QCOMPARE(closer.from, 30.0);
        QCOMPARE(closer.to, 80.0);
        for (int i = 0; i < 50; ++i) window = zoomed(window, axis, 99, 0.5);
        QVERIFY(window.to <= 100 && window.from >= 0 && window.to > window.from);
        for (int i = 0; i < 50; ++i) window = zoomed(panned(window, axis, 40), axis, 3, 3);
        QCOMPARE(window.from, 0.0);
        QCOMPARE(window.to, 100.0);
    }

    void emptyAxesGiveEmptyColumns()
    {
        QCOMPARE(columnStats({}, PositionAxis{}, {0, 0, 10}).size(), std::size_t(10));
        QCOMPARE(PositionAxis{}.positionAt(3), -1);
        QCOMPARE(BandSums({}, PositionAxis{}).mean(PositionAxis{}, 0, 1), 0.0);
    }
};

TW_REGISTER_TEST(TstColumnStats);
#include "tst_column_stats.moc"
