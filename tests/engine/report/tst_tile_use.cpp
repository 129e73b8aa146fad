#include "engine/report/tile_use.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <random>

using namespace tilewright;
using namespace tilewright::report;

class TstTileUse : public QObject {
    Q_OBJECT
    std::mt19937 m_random{7};

    std::vector<std::int64_t> someTiles(int tiles, std::int64_t most)
    {
        std::vector<std::int64_t> bytes;
        for (int t = 0; t < tiles; ++t) bytes.push_back(std::uniform_int_distribution<std::int64_t>(0, most)(m_random));
        return bytes;
    }

private slots:
    void theWorstComeFirstAndOfEqualOnesTheFirst()
    {
        std::vector<std::int64_t> const bytes{5, 9, 9, 1, 7, 9};
        QCOMPARE(worstTiles(bytes, 4), (std::vector<int>{1, 2, 5, 4}));
        QCOMPARE(worstTiles(bytes, 99), (std::vector<int>{1, 2, 5, 4, 0, 3}));
        QCOMPARE(worstTiles(bytes, 2, 3), (std::vector<int>{5, 4}));
        QCOMPARE(worstTiles(bytes, 2, 2, 5), (std::vector<int>{2, 4}));
        QVERIFY(worstTiles(bytes, 0).empty());
        QVERIFY(worstTiles(bytes, 3, 6).empty());
        QVERIFY(worstTiles({}, 3).empty());
    }

    void theWorstAreThoseOfASort()
    {
        for (int round = 0; round < 50; ++round) {
            auto const bytes = someTiles(1 + round * 3, 12);
            std::vector<std::pair<std::int64_t, int>> sorted;
            for (int t = 0; t < static_cast<int>(bytes.size()); ++t) sorted.emplace_back(-bytes[static_cast<std::size_t>(t)], t);
            std::ranges::sort(sorted);
            auto const found = worstTiles(bytes, 7);
            QCOMPARE(found.size(), std::min<std::size_t>(7, bytes.size()));
            for (std::size_t i = 0; i < found.size(); ++i) QCOMPARE(found[i], sorted[i].second);
        }
    }

    void everyTileIsInTheOneBinOfItsBytes()
    {
        for (std::int64_t const most : {0, 1, 23, 24, 25, 1000, 638976, 5000000})
            for (int const wanted : {1, 2, 24}) {
                auto bytes = someTiles(200, most);
                bytes.front() = most;
                auto const bins = useBins(bytes, wanted);
                QVERIFY(!bins.empty() && static_cast<int>(bins.size()) <= wanted);
                if (most >= wanted) QVERIFY2(static_cast<int>(bins.size()) * 2 > wanted, "half as many would be as wide as need be");
                std::vector<int> seen(bytes.size(), 0);
                Bytes end = 0;
                for (auto const &bin : bins) {
                    QCOMPARE(bin.from, end);
                    QCOMPARE(bin.to - bin.from, bins.front().to);
                    end = bin.to;
                    QVERIFY(std::ranges::is_sorted(bin.tiles));
                    for (int const tile : bin.tiles) {
                        QVERIFY(bytes[static_cast<std::size_t>(tile)] >= bin.from && bytes[static_cast<std::size_t>(tile)] < bin.to);
                        ++seen[static_cast<std::size_t>(tile)];
                    }
                }
                QVERIFY(!bins.back().tiles.empty());
                QCOMPARE(std::ranges::count(seen, 1), static_cast<std::ptrdiff_t>(seen.size()));
            }
        QVERIFY(useBins({}, 24).empty());
    }

    void anIpuIsTheSumOfItsTiles()
    {
        ReportData d;
        d.target.ipusPerReplica = 2;
        d.target.tilesPerIpu = 3;
        d.target.bytesPerTile = 100;
        d.verdicts = {
            {"all", 0, false, 4, 120, 100, "total", 0}, {"ipu", 0, true, 1, 40, 100, "", 0}, {"ipu", 1, false, 4, 120, 100, "total", 0}};
        auto const ipus = useByIpu(d, std::vector<std::int64_t>{10, 30, 20, 50, 100, 60});
        QCOMPARE(ipus.size(), std::size_t{2});
        QCOMPARE(ipus[0], (IpuUse{0, 60, 300, 1, 40, true}));
        QCOMPARE(ipus[1], (IpuUse{1, 210, 300, 4, 120, false}));
        QCOMPARE(ipus[1].share(), 0.7);
        QCOMPARE(useByIpu(d, {})[1].used, Bytes{0}); // not known
    }
};

TW_REGISTER_TEST(TstTileUse);
#include "tst_tile_use.moc"
