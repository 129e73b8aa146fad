#include "tests/engine/program/random_transfer.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::tests;

class TstPieces : public QObject {
    Q_OBJECT

    /// Pieces and runs of a transfer between two layouts.
    static std::pair<int, std::int64_t> counts(Layout const &src, Layout const &dst, std::vector<Loop> loops = {})
    {
        Transfer t;
        t.loops = std::move(loops);
        int pieces = 0;
        std::int64_t runs = 0;
        Expansion(src, dst, t).forEach([&](Piece const &piece) {
            ++pieces;
            runs += piece.runs();
        });
        return {pieces, runs};
    }

private slots:
    void everyElementMovesExactlyOnceToItsPlace()
    {
        int longRuns = 0, nests = 0, halos = 0, grouped = 0, addends = 0, copies = 0, landed = 0;
        for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
            RandomStream random(deriveSeed(17, seed));
            auto const [p, t] = randomTransfer(random, 300);
            auto const ok = verify(p);
            auto const where = [&, &program = p] { return QString("seed %1: %2").arg(seed).arg(QString::fromStdString(print(program))); };
            QVERIFY2(ok.ok(), qPrintable(where() + QString::fromStdString(ok.ok() ? "" : toText(ok.error()))));
            std::vector<Moved> moved;
            forEachRun(p, t, [&](int from, int to, std::int64_t a, std::int64_t b, std::int64_t run, bool) {
                for (std::int64_t i = 0; i < run; ++i) moved.push_back({from, a + i, to, b + i});
                longRuns += run > 1;
            });
            std::ranges::sort(moved);
            QVERIFY2(moved == movedElements(p, t), qPrintable(where()));
            auto const &src = p.var(t.src).layout, &dst = p.var(t.dst).layout;
            nests += t.loops.size() > 1;
            for (int d = 0; d < dst.rank; ++d) halos += dst.dim(d).overlaps();
            grouped += src.isGrouped() || dst.isGrouped();
            addends += dst.parts() > 1;
            copies += dst.copies() > 1;
            landed += t.rowMajor;
        }
        // All that there is came up.
        QVERIFY(longRuns > 2000 && nests > 400 && halos > 200 && grouped > 400 && addends > 200 && copies > 200 && landed > 200);
    }
    void runsAreAsLongAsBothSidesAllow()
    {
        auto const whole = [](std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb) {
            Layout l = onIpu(64, 0);
            l.add(cut(rows, rb, ceilDiv(cols, cb)));
            l.add(cut(cols, cb, 1));
            return l;
        };
        using Counts = std::pair<int, std::int64_t>;
        // A block of whole rows is one run; half the columns are a run a row.
        QCOMPARE(counts(whole(8, 6, 8, 6), whole(8, 6, 8, 6)), Counts(1, 1));
        QCOMPARE(counts(whole(8, 6, 8, 6), whole(8, 6, 4, 6)), Counts(2, 2));
        QCOMPARE(counts(whole(8, 6, 8, 6), whole(8, 6, 8, 3)), Counts(2, 16));
        // Another shape of the same: rows of three in blocks of two, out of one long row.
        QCOMPARE(counts(whole(1, 24, 1, 24), whole(8, 3, 2, 3)), Counts(4, 4));
        QCOMPARE(counts(whole(8, 3, 2, 3), whole(1, 24, 1, 24)), Counts(4, 4));
        QCOMPARE(counts(whole(6, 4, 6, 4), whole(8, 3, 8, 3)), Counts(1, 1));
        // A transpose moves single elements, in two loops.
        QCOMPARE(counts(whole(8, 6, 8, 6), whole(6, 8, 6, 8), {{6, 1, 8}, {8, 6, 1}}), Counts(1, 48));
        // A column of consecutive rows is contiguous on both sides.
        QCOMPARE(counts(whole(8, 1, 4, 1), whole(1, 8, 1, 8)), Counts(2, 2));
        // Blocks of 4 with a halo of 1 on both sides are filled in as many pieces as blocks of the source they touch.
        Layout halo = onIpu(64, 0);
        halo.add(window(12, 6, 4, 1, 3, 1));
        halo.add(cut(5, 5, 0));
        QCOMPARE(counts(whole(12, 5, 12, 5), halo), Counts(3, 3));
        QCOMPARE(counts(whole(12, 5, 4, 5), halo), Counts(2 + 3 + 2, 2 + 3 + 2));
        // Channels in groups of 4: a row of 8 comes in two runs, or in one where it lands row-major.
        Layout groups = whole(3, 8, 3, 8);
        groups.col().group = 4;
        groups.order = {1, 0, 2, 3, 4, 5};
        QCOMPARE(counts(whole(3, 8, 3, 8), groups), Counts(2, 6));
        Transfer lands;
        lands.rowMajor = true;
        std::int64_t runs = 0;
        Expansion(whole(3, 8, 3, 8), groups, lands).forEach([&](Piece const &piece) { runs += piece.runs(); });
        QCOMPARE(runs, std::int64_t{1});
    }
    void copiesAreListedOnce()
    {
        Layout src = singleTile(2, 6, tilesOf(16, 0), 0), dst = onIpu(16, 0);
        dst.add(cut(5, 1, 2, DimKind::Copy));
        dst.add(cut(2, 2, 0));
        dst.add(cut(6, 3, 1));
        QCOMPARE(counts(src, dst).first, 2);
        QCOMPARE(dst.copyShifts(), (std::vector<std::int64_t>{0, 2, 4, 6, 8}));
    }
};

TW_REGISTER_TEST(TstPieces);
#include "tst_pieces.moc"
