#include "tests/engine/program/random_layout.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

namespace {

std::int64_t size(RandomStream &random, std::int64_t limit) { return upTo(random, random.below(3) ? 12 : limit); }

/// The error in the coverage of a layout of stored elements; empty: each element is on exactly one tile.
QString coverage(Layout const &l)
{
    std::vector<int> seen(static_cast<std::size_t>(l.elements()), 0);
    for (auto const &[tile, blocks] : contentsOf(l)) {
        if (tile < l.on.begin || tile >= l.on.begin + l.on.count) return QString("tile %1 of another set").arg(tile);
        if (blocks.size() > 1) return QString("two blocks on tile %1").arg(tile);
        if (blocks[0].elements.empty()) return "an empty block";
        for (auto const &e : blocks[0].elements) {
            std::int64_t at = 0;
            for (std::size_t d = 0; d < static_cast<std::size_t>(l.rank); ++d) at = at * l.dims[d].extent + e[d];
            ++seen[static_cast<std::size_t>(at)];
        }
    }
    for (int n : seen)
        if (n != 1) return QString("an element in %1 blocks").arg(n);
    return {};
}

Layout randomOfAll(RandomStream &random)
{
    LayoutTraits traits;
    traits.several = upTo(random, 4);
    traits.copies = random.below(4) == 0;
    traits.addends = random.below(4) == 0;
    traits.fifo = !traits.addends && random.below(4) == 0;
    traits.halo = random.below(3) == 0;
    traits.ordered = random.below(2) == 0;
    traits.grouped = random.below(2) == 0;
    std::vector<std::int64_t> extents;
    for (auto dims = upTo(random, 4); dims > 0; --dims) extents.push_back(upTo(random, dims > 2 ? 7 : 12));
    return randomLayout(random, extents, traits, 400, static_cast<int>(random.below(3)));
}

} // namespace

class TstLayout : public QObject {
    Q_OBJECT
private slots:
    void blocksTilesAndOffsetsAreThoseOfTheDefinition()
    {
        int grouped = 0, halos = 0, sixDims = 0;
        for (std::uint64_t seed = 1; seed <= 400; ++seed) {
            RandomStream random(seed);
            auto const l = randomOfAll(random);
            auto const where = QString("seed %1: %2").arg(seed).arg(QString::fromStdString(toText(l)));
            auto const contents = contentsOf(l);
            auto const all = placements(l);
            auto const byTile = blockByTile(l, 3 * 400);
            auto const classes = tileClasses(l, 3 * 400);
            QVERIFY2(isInjective(l), qPrintable(where));
            QCOMPARE(all.size(), contents.size());
            QCOMPARE(static_cast<std::int64_t>(all.size()), l.blocks());
            std::set<std::vector<std::int64_t>> sizes;
            auto const empty = [](auto const &numbers) { return std::ranges::count_if(numbers, [](auto number) { return number < 0; }); };
            QCOMPARE(empty(byTile), static_cast<std::ptrdiff_t>(3 * 400 - contents.size()));
            QCOMPARE(empty(classes.ofTile), static_cast<std::ptrdiff_t>(3 * 400 - contents.size()));
            for (auto const &[tile, blocks] : contents) {
                auto const block = byTile[static_cast<std::size_t>(tile)];
                auto const number = classes.ofTile[static_cast<std::size_t>(tile)];
                QVERIFY2(block >= 0 && number >= 0, qPrintable(where));
                auto const &placed = all[static_cast<std::size_t>(block)];
                auto const &elements = blocks.front().elements;
                QCOMPARE(placed.tile, tile);
                QCOMPARE(placed.box.elements(), static_cast<std::int64_t>(elements.size()));
                Coords blockSizes{}, corner{};
                std::vector<std::int64_t> shape;
                for (std::size_t d = 0; d < kMaxDims; ++d) {
                    blockSizes[d] = placed.box.range[d].size();
                    corner[d] = placed.box.range[d].begin;
                    shape.push_back(blockSizes[d]);
                    if (classes.box[static_cast<std::size_t>(number)].range[d].size() != blockSizes[d]) QFAIL(qPrintable(where));
                }
                sizes.insert(shape);
                for (std::size_t i = 0; i < elements.size(); ++i) {
                    Coords at{};
                    for (std::size_t d = 0; d < static_cast<std::size_t>(l.rank); ++d) {
                        if (elements[i][d] < corner[d] || elements[i][d] >= placed.box.range[d].end) QFAIL(qPrintable(where));
                        at[d] = elements[i][d] - corner[d];
                    }
                    if (l.offsetOf(blockSizes, at) != static_cast<std::int64_t>(i)) QFAIL(qPrintable(where));
                }
            }
            // As many classes as there are sizes.
            QCOMPARE(classes.box.size(), sizes.size());
            bool overlaps = false;
            for (int d = 0; d < l.rank; ++d) overlaps = overlaps || l.dim(d).overlaps();
            if (!overlaps) {
                auto const problem = coverage(l);
                QVERIFY2(problem.isEmpty(), qPrintable(where + problem));
            }
            grouped += l.isGrouped();
            halos += overlaps;
            sixDims += l.rank == 6;
        }
        QVERIFY(grouped > 80 && halos > 50 && sixDims > 3);
    }
    void groupsLieAsTheAmpReadsThem()
    {
        // [C/16][y][x][16] of 40 channels of 2 x 3: the last group is 8 wide and takes no more.
        Layout l = onIpu(8, 0);
        l.add(cut(40, 40, 0));
        l.add(cut(2, 2, 0));
        l.add(cut(3, 3, 0));
        l.dim(0).group = 16;
        Coords const sizes{40, 2, 3, 1, 1, 1};
        auto const at = [&](std::int64_t c, std::int64_t y, std::int64_t x) { return l.offsetOf(sizes, {c, y, x, 0, 0, 0}); };
        QCOMPARE(at(0, 0, 0), std::int64_t{0});
        QCOMPARE(at(15, 0, 0), std::int64_t{15});
        QCOMPARE(at(0, 0, 1), std::int64_t{16});
        QCOMPARE(at(0, 1, 0), std::int64_t{3 * 16});
        QCOMPARE(at(16, 0, 0), std::int64_t{6 * 16});
        QCOMPARE(at(32, 0, 1), std::int64_t{12 * 16 + 8});
        QCOMPARE(at(39, 1, 2), std::int64_t{239});
        QVERIFY(l.isGrouped() && !l.isRowMajor());
    }
    void twoBlocksOnATileAreNoticed()
    {
        Layout l = onIpu(16, 0);
        l.add(cut(8, 1, 1));
        QVERIFY(isInjective(l));
        l.dim(0).stride = 2; // 8 blocks, every other tile: 0 … 14
        QVERIFY(isInjective(l));
        l.dim(0).stride = 4; // 16 wraps to 0
        QVERIFY(!isInjective(l));
        l.dim(0).stride = 3; // 3 and 16 have no factor in common
        QVERIFY(isInjective(l));
        l.on.count = 7;
        l.dim(0).stride = 1;
        QVERIFY(!isInjective(l));
    }
    void aWindowHoldsItsHalo()
    {
        // A convolution of 5 over 28, "same": blocks of 7 outputs read two elements more on both sides.
        auto const same = window(28, 11, 7, 2, 4, 1);
        QCOMPARE(same.begin(0), std::int64_t{0});
        QCOMPARE(same.end(0), std::int64_t{9});
        QCOMPARE(same.begin(1), std::int64_t{5});
        QCOMPARE(same.end(1), std::int64_t{16});
        QCOMPARE(same.end(3), std::int64_t{28});
        QCOMPARE(same.owner(6), std::int64_t{0});
        QCOMPARE(same.owner(7), std::int64_t{1});
        // "Valid", blocks of 8 outputs: three blocks, though the extent has room for a fourth.
        auto const valid = window(28, 12, 8, 0, 3, 1);
        QCOMPARE(valid.end(2), std::int64_t{28});
        QCOMPARE(valid.owner(27), std::int64_t{2});
        QCOMPARE(valid.ownedEnd(2), std::int64_t{28});
    }
    void rangesOfColumnsShareTheirTiles()
    {
        Layout matrix = onIpu(16, 0);
        matrix.add(cut(6, 3, 2));
        matrix.add(cut(8, 4, 1));
        auto const l = inSplits(matrix, 3);
        QCOMPARE(l.rows(), std::int64_t{18}); // rows x passes
        QCOMPARE(l.cols(), std::int64_t{8});
        QCOMPARE(l.blocks(), matrix.blocks());
        // In the bytes of a block the passes are outermost: pass, row, column.
        QCOMPARE(l.offsetOf({3, 3, 4, 1, 1, 1}, {2, 1, 3, 0, 0, 0}), std::int64_t{12 + 2 * 4 + 3});
        auto const m = matrixOf(l, l.boxOf({1, 0, 1, 0, 0, 0}));
        QCOMPARE(m.elements(), std::int64_t{36});
        auto const beside = besideBlocks(matrix, 5);
        QCOMPARE(beside.rows(), std::int64_t{2});
        QCOMPARE(beside.cols(), std::int64_t{10});
        QVERIFY(blockByTile(beside, 16) == blockByTile(matrix, 16));
    }
    void aStashKeepsRangesOfColumns()
    {
        Layout matrix = onIpu(16, 0);
        matrix.add(cut(6, 3, 2));
        matrix.add(cut(8, 4, 1));
        auto const tensor = inSplits(matrix, 3);
        Layout ring = tensor;
        ring.addOuter(cut(2, 2, 0, DimKind::Slot));
        QCOMPARE(QString::fromStdString(layoutProblem(ring)), QString());
        QCOMPARE(ring.indexElements(), tensor.indexElements());
        QVERIFY(blockByTile(ring, 16) == blockByTile(tensor, 16));
        // Each slot holds a block as the tensor has it, one after the other.
        QCOMPARE(ring.offsetOf({2, 3, 3, 4, 1, 1}, {1, 2, 1, 3, 0, 0}), 36 + tensor.offsetOf({3, 3, 4, 1, 1, 1}, {2, 1, 3, 0, 0, 0}));
    }
    void outerDimensionsComeFirstInTheBytesToo()
    {
        Layout l = onIpu(16, 0);
        l.add(cut(4, 4, 0));
        l.add(cut(6, 6, 0));
        l.order = {1, 0, 2, 3, 4, 5};
        l.addOuter(cut(3, 3, 0, DimKind::Slot));
        QCOMPARE(l.rank, 3);
        QCOMPARE(l.order, (std::array<std::uint8_t, kMaxDims>{0, 2, 1, 3, 4, 5}));
        QCOMPARE(l.offsetOf({3, 4, 6, 1, 1, 1}, {2, 1, 5, 0, 0, 0}), std::int64_t{2 * 24 + 5 * 4 + 1});
        QCOMPARE(l.partDim(), 0);
        QCOMPARE(l.parts(), std::int64_t{3});
    }
    void malformedLayoutsAreNamed()
    {
        auto const problem = [](auto const &change) {
            Layout l = onIpu(16, 0);
            l.add(cut(2, 1, 1, DimKind::Copy));
            l.add(cut(6, 3, 2));
            l.add(cut(8, 4, 4));
            change(l);
            return QString::fromStdString(layoutProblem(l));
        };
        QCOMPARE(problem([](Layout &) {}), QString());
        QVERIFY(problem([](Layout &l) { l.order = {0, 1, 1, 3, 4, 5}; }).contains("permutation"));
        QVERIFY(problem([](Layout &l) { l.order[0] = 5; }).contains("permutation"));
        QVERIFY(problem([](Layout &l) { l.dim(0) = cut(2, 2, 0, DimKind::Copy); }).contains("copies"));
        QVERIFY(problem([](Layout &l) { l.dim(1).count = 3; }).contains("empty"));
        QVERIFY(problem([](Layout &l) { l.dim(1).count = 1; }).contains("missing"));
        QVERIFY(problem([](Layout &l) { l.dim(0).group = 2; }).contains("group"));
        QVERIFY(problem([](Layout &l) { l.dim(1) = window(6, 3, 3, 3, 2, 2); }).contains("larger than its block"));
        QVERIFY(problem([](Layout &l) { l.dim(1) = window(6, 4, 3, 1, 4, 2); }).contains("padding"));
        QCOMPARE(problem([](Layout &l) { l.dim(1) = window(6, 5, 3, 1, 2, 2); }), QString());
        QVERIFY(problem([](Layout &l) {
                    l.addOuter(cut(2, 2, 0, DimKind::Slot));
                    l.addOuter(cut(2, 2, 0, DimKind::Addend));
                }).contains("slots"));
        QVERIFY(problem([](Layout &l) { l.rank = 1; }).contains("no dimension"));
    }
    void linearLayoutsFillWithoutOverlap()
    {
        int whole = 0, split = 0;
        for (std::uint64_t seed = 1; seed <= 600; ++seed) {
            RandomStream random(deriveSeed(5, seed));
            auto const rows = size(random, 3000), cols = size(random, 3000);
            auto const type = static_cast<DType>(random.below(5));
            int const tiles = static_cast<int>(size(random, 1472)), first = static_cast<int>(random.below(2000));
            auto const l = linearLayout(rows, cols, type, tilesOf(tiles, 1), first);
            if (l.elements() < 3000) {
                auto const problem = coverage(l);
                QVERIFY2(problem.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(problem)));
            }
            QCOMPARE(l.elements(), rows * cols);
            QVERIFY(isInjective(l));
            QVERIFY(l.isMatrix());
            QVERIFY(l.blocks() <= tiles);
            // At least the grain on every tile that is not the last of its row, and about even shares.
            bool const rowsTogether = l.col().block == cols;
            (rowsTogether ? whole : split)++;
            auto const share = std::min(rows, l.row().block) * std::min(cols, l.col().block);
            if (l.blocks() > 1) QVERIFY2(share * sizeOf(type) >= 128 - cols * sizeOf(type), qPrintable(QString("seed %1").arg(seed)));
            QVERIFY2(share <= std::max<std::int64_t>({2 * ceilDiv(rows * cols, tiles) + cols, 128 / sizeOf(type) + 8}),
                     qPrintable(QString("seed %1").arg(seed)));
            if (!rowsTogether) QCOMPARE(l.col().block % (8 / sizeOf(type)), 0);
        }
        QVERIFY(whole > 20 && split > 20);
    }
    void rowLayoutsKeepRowsWhole()
    {
        for (std::uint64_t seed = 1; seed <= 100; ++seed) {
            RandomStream random(deriveSeed(6, seed));
            auto const rows = size(random, 500), cols = size(random, 100);
            int const tiles = static_cast<int>(size(random, 300));
            auto const l = rowLayout(rows, cols, tilesOf(tiles, 0), static_cast<int>(random.below(500)));
            auto const problem = coverage(l);
            QVERIFY2(problem.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(problem)));
            QCOMPARE(l.col().block, cols);
            QVERIFY(l.row().block <= ceilDiv(rows, tiles));
        }
    }
    void aTensorOnOneTile()
    {
        auto const l = singleTile(5, 7, tilesOf(16, 2), 19);
        QCOMPARE(placements(l).size(), std::size_t(1));
        QCOMPARE(placements(l)[0].tile, 2 * 16 + 3);
        QCOMPARE(placements(l)[0].box.elements(), 35);
    }
};

TW_REGISTER_TEST(TstLayout);
#include "tst_layout.moc"
