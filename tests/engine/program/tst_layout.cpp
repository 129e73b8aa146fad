#include "tests/engine/program/random_layout.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

namespace {

/// What is wrong with how a layout covers its index space; empty: each element is on exactly one tile.
QString coverage(Layout const &l)
{
    std::vector<int> seen(static_cast<std::size_t>(l.elements()), 0);
    std::set<int> tiles;
    for (auto const &placed : placements(l)) {
        if (placed.tile < l.ipu * l.tiles || placed.tile >= (l.ipu + 1) * l.tiles) return QString("tile %1 of another IPU").arg(placed.tile);
        if (!tiles.insert(placed.tile).second) return QString("two blocks on tile %1").arg(placed.tile);
        auto const &b = placed.box;
        if (b.elements() <= 0) return "an empty block";
        for (auto g = b.g0; g < b.g1; ++g)
            for (auto r = b.r0; r < b.r1; ++r)
                for (auto c = b.c0; c < b.c1; ++c) {
                    auto const at = (g * l.extent[1] + r) * l.extent[2] + c;
                    if (at < 0 || at >= l.elements()) return "an element outside";
                    ++seen[static_cast<std::size_t>(at)];
                }
    }
    for (int n : seen)
        if (n != 1) return QString("an element in %1 blocks").arg(n);
    return {};
}

std::int64_t size(RandomStream &random, std::int64_t limit)
{
    return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(random.below(3) ? 12 : limit)));
}

} // namespace

class TstLayout : public QObject {
    Q_OBJECT
private slots:
    void placementsCoverEachElementOnce()
    {
        for (std::uint64_t seed = 1; seed <= 500; ++seed) {
            RandomStream random(seed);
            auto const kind = static_cast<Groups>(random.below(5));
            auto const l = randomLayout(random, size(random, 60), size(random, 60), kind, 1 + static_cast<std::int64_t>(random.below(5)), 64,
                                        static_cast<int>(random.below(3)));
            auto const problem = coverage(l);
            QVERIFY2(problem.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(problem)));
            QVERIFY(isInjective(l));
            auto const byTile = blockByTile(l, 3 * 64);
            auto const all = placements(l);
            std::size_t held = 0;
            for (std::size_t t = 0; t < byTile.size(); ++t) {
                if (byTile[t] < 0) continue;
                ++held;
                QCOMPARE(all[static_cast<std::size_t>(byTile[t])].tile, static_cast<int>(t));
            }
            QCOMPARE(held, all.size());
            QCOMPARE(static_cast<std::int64_t>(all.size()), l.blocks());
        }
    }
    void twoBlocksOnATileAreNoticed()
    {
        Layout l;
        l.extent = {1, 8, 1};
        l.block = {1, 1, 1};
        l.tiles = 16;
        l.stride = {0, 1, 0};
        QVERIFY(isInjective(l));
        l.stride[1] = 2; // 8 blocks, every other tile: 0 … 14
        QVERIFY(isInjective(l));
        l.stride[1] = 4; // 16 wraps to 0
        QVERIFY(!isInjective(l));
        l.stride[1] = 3; // 3 and 16 have no factor in common
        QVERIFY(isInjective(l));
        l.tiles = 7;
        l.stride[1] = 1;
        QVERIFY(!isInjective(l));
    }
    void linearLayoutsFillWithoutOverlap()
    {
        int whole = 0, cut = 0;
        for (std::uint64_t seed = 1; seed <= 600; ++seed) {
            RandomStream random(deriveSeed(5, seed));
            auto const rows = size(random, 3000), cols = size(random, 3000);
            auto const type = static_cast<DType>(random.below(5));
            int const tiles = static_cast<int>(size(random, 1472)), first = static_cast<int>(random.below(2000));
            auto const l = linearLayout(rows, cols, type, tiles, 1, first);
            if (l.elements() < 200000) {
                auto const problem = coverage(l);
                QVERIFY2(problem.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(problem)));
            }
            QCOMPARE(l.elements(), rows * cols);
            QVERIFY(isInjective(l));
            QVERIFY(l.blocks() <= tiles);
            // At least the grain on every tile that is not the last of its row, and about even shares.
            bool const rowsTogether = l.block[2] == cols;
            (rowsTogether ? whole : cut)++;
            auto const share = std::min(rows, l.block[1]) * std::min(cols, l.block[2]);
            if (l.blocks() > 1) QVERIFY2(share * sizeOf(type) >= 128 - cols * sizeOf(type), qPrintable(QString("seed %1").arg(seed)));
            QVERIFY2(share <= std::max<std::int64_t>({2 * ceilDiv(rows * cols, tiles) + cols, 128 / sizeOf(type) + 8}), qPrintable(QString("seed %1").arg(seed)));
            if (!rowsTogether) QCOMPARE(l.block[2] % (8 / sizeOf(type)), 0);
        }
        QVERIFY(whole > 20 && cut > 20);
    }
    void rowLayoutsKeepRowsWhole()
    {
        for (std::uint64_t seed = 1; seed <= 300; ++seed) {
            RandomStream random(deriveSeed(6, seed));
            auto const rows = size(random, 500), cols = size(random, 100);
            int const tiles = static_cast<int>(size(random, 300));
            auto const l = rowLayout(rows, cols, tiles, 0, static_cast<int>(random.below(500)));
            auto const problem = coverage(l);
            QVERIFY2(problem.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(problem)));
            QCOMPARE(l.block[2], cols);
            QVERIFY(l.block[1] <= ceilDiv(rows, tiles));
        }
    }
    void aSingleTileHoldsEverything()
    {
        auto const l = singleTile(5, 7, 16, 2, 19);
        QCOMPARE(placements(l).size(), std::size_t(1));
        QCOMPARE(placements(l)[0].tile, 2 * 16 + 3);
        QCOMPARE(placements(l)[0].box.elements(), 35);
    }
};

TW_REGISTER_TEST(TstLayout);
#include "tst_layout.moc"
