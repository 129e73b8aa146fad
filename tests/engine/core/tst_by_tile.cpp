#include "engine/core/by_tile.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <random>

using namespace tilewright;

/// Against a vector of all tiles.
class TstByTile : public QObject {
    Q_OBJECT
private slots:
    void isAVectorThatIsZeroOutsideItsRange()
    {
        std::mt19937 random(3);
        auto const below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
        for (int round = 0; round < 200; ++round) {
            std::size_t const tiles = 1 + below(60), begin = below(tiles), end = begin + below(tiles - begin + 1);
            ByTile<long> some(tiles, {begin, end});
            std::vector<long> all(tiles, 0);
            for (std::size_t t = begin; t < end; ++t) some.at(t) = all[t] = static_cast<long>(below(5));
            QCOMPARE(some.size(), tiles);
            QVERIFY(some == all && some.all() == all);
            for (std::size_t t = 0; t < tiles; ++t) QCOMPARE(some[t], all[t]);
            QCOMPARE(some.values().size(), end - begin);
            std::size_t const first = below(tiles), last = first + 1 + below(tiles - first);
            auto const most =
                std::max_element(all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last));
            auto const found = some.largest(first, last);
            QCOMPARE(found.value, *most);
            QCOMPARE(found.tile, static_cast<std::size_t>(most - all.begin()));
            some.zero();
            QVERIFY(some == std::vector<long>(tiles, 0));
        }
    }
    void stretchesAreJoined()
    {
        using Stretch = ByTile<int>::Stretch;
        auto const same = [](Stretch a, Stretch b) { return a.begin == b.begin && a.end == b.end; };
        QVERIFY(same(Stretch{}.with({4, 7}), {4, 7}));
        QVERIFY(same(Stretch{4, 7}.with({}), {4, 7}));
        QVERIFY(same(Stretch{4, 7}.with({12, 13}), {4, 13}));
        QVERIFY(same(Stretch{4, 7}.with({2, 20}), {2, 20}));
    }
};

TW_REGISTER_TEST(TstByTile);
#include "tst_by_tile.moc"
